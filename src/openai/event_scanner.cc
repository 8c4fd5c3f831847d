#include "weir/openai/event_scanner.h"

#include <algorithm>

#include "usage.h"

namespace weir::openai {
namespace {

// The first `c` at or after `at` and before `limit`, else `limit`.
std::size_t find_before(std::string_view bytes, char c, std::size_t at, std::size_t limit) {
  const std::size_t found = bytes.substr(at, limit - at).find(c);
  return found == std::string_view::npos ? limit : at + found;
}

}  // namespace

void EventScanner::feed(std::string_view bytes) {
  if (bytes.empty()) {
    return;
  }
  std::size_t at = after_cr_ && bytes[0] == '\n' ? 1 : 0;
  after_cr_ = false;
  std::size_t line_feed = find_before(bytes, '\n', at, bytes.size());
  while (at < bytes.size()) {
    if (line_feed < at) {  // searched once a line feed, so that lines ending in CR cost no more
      line_feed = find_before(bytes, '\n', at, bytes.size());
    }
    const std::size_t end = find_before(bytes, '\r', at, line_feed);
    const std::string_view piece = bytes.substr(at, end - at);
    begin_line(piece);
    if (end == bytes.size()) {
      keep(piece);
      return;
    }
    end_line(piece);
    at = end + 1;
    if (bytes[end] == '\r') {
      after_cr_ = at == bytes.size();
      at += !after_cr_ && bytes[at] == '\n' ? 1 : 0;
    }
  }
}

// Notes what is known from the first byte of a line. Only the field "data" begins with a d.
void EventScanner::begin_line(std::string_view piece) {
  if (has_line_ || piece.empty()) {
    return;
  }
  has_line_ = true;
  in_event_ = true;
  first_event_began_ = first_event_began_ || piece[0] == 'd';
}

// Keeps the beginning of a line until its end comes.
void EventScanner::keep(std::string_view piece) {
  if (line_too_long_ || line_.size() + piece.size() > kEventBytesMax) {
    line_too_long_ = true;
    return;
  }
  line_ += piece;
}

void EventScanner::end_line(std::string_view piece) {
  if (!has_line_) {
    end_event();
    return;
  }
  if (line_.empty() && !line_too_long_) {
    take_line(piece);
  } else {
    keep(piece);
    take_line(line_);
  }
  line_.clear();
  line_too_long_ = false;
  has_line_ = false;
}

void EventScanner::take_line(std::string_view line) {
  constexpr std::string_view kField = "data";
  const bool is_data = line.starts_with(kField) && (line.size() == kField.size() || line[4] == ':');
  if (!is_data) {
    return;
  }
  line.remove_prefix(std::min(line.size(), kField.size() + 1));
  if (line.starts_with(' ')) {
    line.remove_prefix(1);
  }
  if (line_too_long_ || event_too_long_ || data_.size() + line.size() > kEventBytesMax) {
    event_too_long_ = true;
  } else {
    if (has_data_) {
      data_ += '\n';
    }
    data_ += line;
  }
  has_data_ = true;
}

void EventScanner::end_event() {
  if (has_data_ && !first_event_ && !first_event_skipped_) {
    first_event_skipped_ = event_too_long_;
    if (!event_too_long_) {
      first_event_ = data_;
    }
  }
  if (has_data_ && !event_too_long_) {
    look_into(data_);
  }
  data_.clear();
  in_event_ = false;
  has_data_ = false;
  event_too_long_ = false;
}

void EventScanner::look_into(std::string_view data) {
  if (data == "[DONE]") {
    done_seen_ = true;
  } else if (const auto tokens = usage_of_object(data)) {
    usage_prompt_tokens_ = tokens;
  }
}

std::optional<std::string_view> EventScanner::first_event() const {
  return first_event_ ? std::optional<std::string_view>(*first_event_) : std::nullopt;
}

}  // namespace weir::openai
