#pragma once

// Looks at the bytes of an event stream (SSE) as they pass. The bytes themselves are never held
// back, changed or judged: a stream that is no good event stream just gives no findings.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::openai {

// An event longer than this passes like any other, but is not looked into.
inline constexpr std::size_t kEventBytesMax = std::size_t{64} * 1024;

// One stream, one thread. Feed it every body byte in order, in pieces of any size.
class EventScanner {
 public:
  void feed(std::string_view bytes);

  // Whether an event could be added to the stream here: nothing has come yet, or the last thing
  // that came was a blank line.
  bool at_boundary() const { return !has_line_ && !in_event_; }

  // Whether a data line has begun. Comments (pings), `retry:` and the like are not the model
  // speaking.
  bool first_event_began() const { return first_event_began_; }

  // The data of the first event that has any, once its blank line has come; several data lines are
  // joined by LF. nullopt until then, and for ever when that event is longer than kEventBytesMax
  // (then `first_event_skipped`).
  std::optional<std::string_view> first_event() const;
  bool first_event_skipped() const { return first_event_skipped_; }

  // Whether the event "[DONE]" has passed: the answer is complete.
  bool done_seen() const { return done_seen_; }

  // usage.prompt_tokens of the last event that had one.
  std::optional<std::uint64_t> usage_prompt_tokens() const { return usage_prompt_tokens_; }

 private:
  void begin_line(std::string_view piece);
  void keep(std::string_view piece);
  void end_line(std::string_view piece);
  void take_line(std::string_view line);
  void end_event();
  void look_into(std::string_view data);

  std::string line_;  // the beginning of a line that is not complete yet
  std::string data_;  // the data lines of the current event, joined by LF
  std::optional<std::string> first_event_;
  std::optional<std::uint64_t> usage_prompt_tokens_;
  bool has_line_ = false;  // part of a line has come
  bool in_event_ = false;  // a line has come since the last blank one
  bool has_data_ = false;  // one of them was a data line
  bool line_too_long_ = false;
  bool event_too_long_ = false;
  bool after_cr_ = false;  // a line ended in the last byte fed; an LF may still belong to it
  bool first_event_began_ = false;
  bool first_event_skipped_ = false;
  bool done_seen_ = false;
};

// usage.prompt_tokens of an answer that is no stream. The end of the body is enough (4 KiB or so).
std::optional<std::uint64_t> usage_prompt_tokens(std::string_view body_tail);

}  // namespace weir::openai
