#pragma once

// The variables of a template while it renders. llama.cpp copies all of them at the start of a loop
// or macro and drops the copy at its end; here a scope remembers what it covered and puts it back.

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "value.h"

namespace weir::jinja {

// The number of a name in the program's table of names.
using Symbol = std::uint32_t;

class Environment {
 public:
  Environment(std::size_t names, std::pmr::memory_resource* memory)
      : slots_(names, memory), covered_(memory), scopes_(memory) {}
  // The same variables, with no scope open.
  Environment(const Environment& other, std::pmr::memory_resource* memory)
      : slots_(other.slots_, memory), covered_(memory), scopes_(memory) {
    for (Slot& slot : slots_) {
      slot.scope = 0;
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  const Value& get(Symbol name) const { return slots_[name].value; }  // undefined when never set

  void set(Symbol name, const Value& value) {
    Slot& slot = slots_[name];
    if (slot.scope != scopes_.size()) {
      covered_.push_back({name, slot});
      slot.scope = scopes_.size();
    }
    slot.value = value;
  }

  std::size_t scopes() const { return scopes_.size(); }
  void open_scope() { scopes_.push_back(covered_.size()); }

  // Closes scopes until `count` are open.
  void close_scopes(std::size_t count) {
    while (scopes_.size() > count) {
      for (; covered_.size() > scopes_.back(); covered_.pop_back()) {
        slots_[covered_.back().name] = covered_.back().slot;
      }
      scopes_.pop_back();
    }
  }

 private:
  struct Slot {
    Value value;
    std::size_t scope = 0;  // in which it was set last
  };
  struct Covered {
    Symbol name;
    Slot slot;
  };

  std::pmr::vector<Slot> slots_;
  std::pmr::vector<Covered> covered_;
  std::pmr::vector<std::size_t> scopes_;  // how many were covered when each was opened
};

}  // namespace weir::jinja
