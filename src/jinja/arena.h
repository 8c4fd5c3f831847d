#pragma once

// The memory of one rendering: everything that a template makes lives until the rendering ends and
// then goes at once. A template cannot free memory, so it cannot leak any either (a list may well
// hold itself).

#include <array>
#include <cstddef>
#include <memory_resource>
#include <string>
#include <string_view>
#include <utility>

#include "failure.h"

namespace weir::jinja {

// Passes on what the arena asks of the heap, up to a limit.
class LimitedHeap final : public std::pmr::memory_resource {
 public:
  explicit LimitedHeap(std::size_t bytes_max) : bytes_left_(bytes_max) {}

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (bytes > bytes_left_) {
      throw LimitFailure("the template needs too much memory");
    }
    bytes_left_ -= bytes;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::size_t bytes_left_;
};

class Arena {
 public:
  explicit Arena(std::size_t bytes_max) : heap_(bytes_max) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  std::pmr::memory_resource* resource() { return &pool_; }

  // An object whose destructor never runs: whatever it owns must come from resource().
  template <class T, class... Arguments>
  T* make(Arguments&&... arguments) {
    return new (pool_.allocate(sizeof(T), alignof(T))) T(std::forward<Arguments>(arguments)...);
  }

  char* bytes(std::size_t count) { return static_cast<char*>(pool_.allocate(count, 1)); }

  std::string_view copy(std::string_view text) {
    char* const memory = bytes(text.size());
    text.copy(memory, text.size());
    return {memory, text.size()};
  }

 private:
  static constexpr std::size_t kFirstBytes = 8192;  // enough for a short chat: no call of the heap

  LimitedHeap heap_;
  std::array<std::byte, kFirstBytes> first_;
  std::pmr::monotonic_buffer_resource pool_{first_.data(), first_.size(), &heap_};
};

}  // namespace weir::jinja
