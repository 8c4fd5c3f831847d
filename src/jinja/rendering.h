#pragma once

// The state of one rendering: limits, memory, variables, output. One thread uses it.

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "arena.h"
#include "environment.h"
#include "value.h"
#include "weir/jinja/template.h"

namespace weir::jinja {

// What a template did to the values that it was given; only the prober asks.
struct Use {
  bool is_used = false;
  bool is_tested_for_string = false;
  bool is_used_as_list = false;
};

class Rendering {
 public:
  Rendering(const Program& program, const RenderLimits& limits, base::SystemTime now);
  Rendering(const Rendering&) = delete;
  Rendering& operator=(const Rendering&) = delete;

  // Makes variables of the members of `variables` that the program names.
  void define(const Json& variables);
  // Throws RenderFailure and LimitFailure.
  void execute();

  Arena& arena() { return arena_; }
  const Program& program() const { return program_; }
  std::time_t now() const { return now_; }

  // --- limits: LimitFailure when one is passed
  void charge(std::uint64_t steps) {
    steps_ += steps;
    if (steps_ > limits_.steps_max) {
      fail_steps();
    }
  }
  void charge_bytes(std::size_t bytes) { charge(bytes / 256); }
  // A search for a needle: cheap in ordinary texts, a product of both sizes in the worst.
  void charge_search(std::size_t haystack, std::size_t needle) {
    charge(haystack / 256 + haystack / 64 * (needle / 64));
  }
  void check_memory(std::size_t bytes) const;
  void descend() {
    if (++depth_ > limits_.depth_max) {
      fail_depth();
    }
  }
  void ascend() { --depth_; }

  // --- variables
  Environment& variables() { return *variables_; }
  // Exchanges the variables, for the block of {% call %}; returns the ones before.
  Environment* exchange_variables(Environment* other) { return std::exchange(variables_, other); }

  // --- output
  void append(std::string_view text) {
    if (!text.empty()) {
      append_some(text);
    }
  }
  void print(const Value& value);  // as {{ value }} does
  std::string take_output() { return std::move(output_); }
  std::size_t output_size() const { return output_.size(); }
  void truncate_output(std::size_t size);

  // What is printed from here on until end_capture(start) becomes a string.
  std::size_t begin_capture() {
    ++captures_;
    return output_.size();
  }
  Value end_capture(std::size_t start);

  // Where a loop can come back to when a macro breaks it.
  struct Checkpoint {
    std::size_t output, depth, captures, scopes;
  };
  Checkpoint checkpoint() const {
    return {output_.size(), depth_, captures_, variables_->scopes()};
  }
  void restore(const Checkpoint& point);

  // A variable outside of all scopes, whatever is still open after a failure.
  Value global(std::string_view name);
  bool names(std::string_view name) const;  // does the program?
  void set_global(std::string_view name, const Value& value);

  // --- the prober's notes
  void watch() { is_watched_ = true; }
  bool is_watched() const { return is_watched_; }
  const Use& use_of(const Value& value) const { return uses_[value.mark]; }
  void note_use(const Value& value, bool deep = false);
  void note_operation(const Value& value, std::string_view operation);

  // --- where we are, for messages
  void at(std::uint32_t offset) { offset_ = offset; }
  std::uint32_t offset() const { return offset_; }

 private:
  [[noreturn]] void fail_steps() const;
  [[noreturn]] void fail_depth() const;
  void append_some(std::string_view text);
  Value value_of(const Json& json);
  Value marked(Value value);

  const Program& program_;
  const RenderLimits limits_;
  const std::time_t now_;
  Arena arena_;
  Environment globals_;
  Environment* variables_ = &globals_;
  std::uint64_t steps_ = 0;
  std::size_t depth_ = 0;
  std::uint32_t offset_ = 0;
  std::string output_;
  std::size_t captures_ = 0;
  std::vector<std::size_t> cuts_;  // in output_, while captures are open
  bool is_watched_ = false;
  std::vector<Use> uses_{1};  // the first: of values that nobody watches
};

// One level deeper for as long as it lives.
class Descent {
 public:
  explicit Descent(Rendering& run) : run_(run) { run.descend(); }
  ~Descent() { run_.ascend(); }
  Descent(const Descent&) = delete;
  Descent& operator=(const Descent&) = delete;

 private:
  Rendering& run_;
};

}  // namespace weir::jinja
