#include "gguf_reader.h"

#include <algorithm>
#include <utility>

namespace weir::tokenizer {

void GgufReader::fail(std::string what) {
  if (ok()) {
    error_ = std::move(what);
    left_ = 0;
  }
}

bool GgufReader::refill() {
  buffer_.resize(kBufferBytes);
  file_.read(buffer_.data(), static_cast<std::streamsize>(kBufferBytes));
  buffer_.resize(static_cast<std::size_t>(file_.gcount()));
  at_ = 0;
  if (buffer_.empty()) {
    fail("the file cannot be read to its end");
  }
  return ok();
}

void GgufReader::read(char* out, std::uint64_t bytes) {
  if (ok() && bytes > left_) {
    fail("the file is cut off within its header");
  }
  if (!ok()) {
    std::memset(out, 0, static_cast<std::size_t>(bytes));
    return;
  }
  left_ -= bytes;
  while (bytes > 0) {
    if (at_ == buffer_.size() && !refill()) {
      std::memset(out, 0, static_cast<std::size_t>(bytes));
      return;
    }
    const auto some =
        static_cast<std::size_t>(std::min<std::uint64_t>(bytes, buffer_.size() - at_));
    std::memcpy(out, buffer_.data() + at_, some);
    at_ += some;
    out += some;
    bytes -= some;
  }
}

void GgufReader::skip(std::uint64_t bytes) {
  if (ok() && bytes > left_) {
    fail("the file is cut off within its header");
  }
  if (!ok()) {
    return;
  }
  left_ -= bytes;
  while (bytes > 0 && (at_ < buffer_.size() || refill())) {
    const auto some =
        static_cast<std::size_t>(std::min<std::uint64_t>(bytes, buffer_.size() - at_));
    at_ += some;
    bytes -= some;
  }
}

std::uint64_t GgufReader::length(std::uint64_t bytes_max, std::string_view what) {
  const auto bytes = number<std::uint64_t>();
  if (!ok()) {
    return 0;
  }
  if (bytes > bytes_max) {
    fail(std::string(what) + " is longer than " + std::to_string(bytes_max) + " bytes");
    return 0;
  }
  if (bytes > left_) {
    fail("the file is cut off within " + std::string(what));
    return 0;
  }
  return bytes;
}

std::string GgufReader::text(std::uint64_t bytes_max, std::string_view what) {
  std::string text(static_cast<std::size_t>(length(bytes_max, what)), '\0');
  read(text.data(), text.size());
  return text;
}

}  // namespace weir::tokenizer
