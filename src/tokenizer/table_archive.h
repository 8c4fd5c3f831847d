#pragma once

// Writes tables as flat blocks and reads them again. Both have the same calls, so that a class
// lists its tables once:
//
//   template <class Self, class Archive>
//   static void tables(Self& self, Archive& archive) { archive(self.nodes_); archive(self.size_); }
//
// A reader checks lengths, and nothing about what the numbers mean: that is up to the class.

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace weir::tokenizer {

template <class T>
concept PlainNumber = std::integral<T> && !std::same_as<T, bool>;

class TableWriter {
 public:
  void operator()(PlainNumber auto number) { append(&number, sizeof number); }
  void operator()(bool flag) { (*this)(static_cast<std::uint8_t>(flag ? 1 : 0)); }
  void operator()(const std::string& text) { block(text.data(), text.size(), 1); }
  template <PlainNumber T>
  void operator()(const std::vector<T>& numbers) {
    block(numbers.data(), numbers.size(), sizeof(T));
  }
  template <PlainNumber T, std::size_t kSize>
  void operator()(const std::array<T, kSize>& numbers) {
    append(numbers.data(), sizeof numbers);
  }
  template <std::size_t kSize>
  void operator()(const std::array<bool, kSize>& flags) {
    for (const bool flag : flags) {
      (*this)(flag);
    }
  }

  const std::string& bytes() const { return bytes_; }

 private:
  void append(const void* data, std::size_t bytes) {
    bytes_.append(static_cast<const char*>(data), bytes);
  }
  void block(const void* data, std::size_t elements, std::size_t element_bytes) {
    (*this)(static_cast<std::uint64_t>(elements));
    append(data, elements * element_bytes);
  }

  std::string bytes_;
};

// After the first thing that goes wrong everything is empty or zero.
class TableReader {
 public:
  // `bytes` must stay where they are.
  explicit TableReader(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool is_at_end() const { return ok_ && rest_.empty(); }
  void fail() {
    ok_ = false;
    rest_ = {};
  }

  void operator()(PlainNumber auto& number) { take(&number, sizeof number); }
  void operator()(bool& flag) {
    std::uint8_t number = 0;
    (*this)(number);
    flag = number != 0;
  }
  void operator()(std::string& text) {
    text.resize(elements(1));
    take(text.data(), text.size());
  }
  template <PlainNumber T>
  void operator()(std::vector<T>& numbers) {
    numbers.resize(elements(sizeof(T)));
    take(numbers.data(), numbers.size() * sizeof(T));
  }
  template <PlainNumber T, std::size_t kSize>
  void operator()(std::array<T, kSize>& numbers) {
    take(numbers.data(), sizeof numbers);
  }
  template <std::size_t kSize>
  void operator()(std::array<bool, kSize>& flags) {
    for (bool& flag : flags) {
      (*this)(flag);
    }
  }

  // A length: of as many elements as there can still be.
  std::size_t elements(std::size_t element_bytes_min) {
    std::uint64_t count = 0;
    (*this)(count);
    if (count > rest_.size() / element_bytes_min) {
      fail();
      return 0;
    }
    return static_cast<std::size_t>(count);
  }

 private:
  void take(void* out, std::size_t bytes) {
    if (bytes > rest_.size()) {
      fail();
      std::memset(out, 0, bytes);
    } else if (bytes > 0) {
      std::memcpy(out, rest_.data(), bytes);
      rest_.remove_prefix(bytes);
    }
  }

  std::string_view rest_;
  bool ok_ = true;
};

// A list of texts.
template <class Texts, class Archive>
void archive_texts(Texts& texts, Archive& archive) {
  if constexpr (std::same_as<Archive, TableReader>) {
    texts.resize(archive.elements(sizeof(std::uint64_t)));
  } else {
    archive(static_cast<std::uint64_t>(texts.size()));
  }
  for (auto& text : texts) {
    archive(text);
  }
}

}  // namespace weir::tokenizer
