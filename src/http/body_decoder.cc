#include "weir/http/body_decoder.h"

#include <algorithm>
#include <charconv>

#include "weir/base/text.h"

namespace weir::http {
namespace {

constexpr std::size_t kSizeBytes = 18;  // of a mark without extensions: 16 digits, CR and LF

bool has_control(std::string_view line) {
  return std::any_of(line.begin(), line.end(),
                     [](char c) { return (c >= 0 && c < 0x20 && c != '\t') || c == 0x7F; });
}

}  // namespace

BodyDecoder::BodyDecoder(const BodyFraming& body)
    : framing_(body.framing), is_strict_(body.is_strict), left_(body.length) {
}

BodyDecoder::Step BodyDecoder::step(std::string_view bytes) {
  switch (framing_) {
    case Framing::kNone:
      return {Status::kEnd, 0, {}};
    case Framing::kUntilClose:
      return {bytes.empty() ? Status::kNeedMore : Status::kPayload, 0, bytes};
    case Framing::kLength: {
      if (left_ == 0) {
        return {Status::kEnd, 0, {}};
      }
      const auto payload =
          bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size())));
      left_ -= payload.size();
      return {payload.empty() ? Status::kNeedMore : Status::kPayload, 0, payload};
    }
    case Framing::kChunked:
      return chunked_step(bytes);
  }
  return {Status::kBroken, 0, {}};
}

// `line` with its line end but without the LF; nothing when it is not in the one form that a strict
// reader takes.
std::optional<std::string_view> BodyDecoder::content_of(std::string_view line) const {
  if (!is_strict_) {
    return base::trim_ascii(line);
  }
  if (!line.ends_with('\r') || has_control(line.substr(0, line.size() - 1))) {
    return std::nullopt;
  }
  return line.substr(0, line.size() - 1);
}

// "1a3;extension=1": false when it is no size.
bool BodyDecoder::take_size_line(std::string_view line) {
  const std::string_view written = line.substr(0, line.find(';'));
  const std::string_view size = is_strict_ ? written : base::trim_ascii(written);
  const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), left_, 16);
  if (error != std::errc() || end != size.data() + size.size() || size.empty()) {
    return false;
  }
  place_ = left_ == 0 ? Place::kTrailer : Place::kData;
  return true;
}

// What the line at the present place says; false when it may not stand there.
bool BodyDecoder::take_line(std::string_view line) {
  switch (place_) {
    case Place::kSize:
      return take_size_line(line);
    case Place::kDataEnd:
      place_ = Place::kSize;
      return line.empty();
    case Place::kTrailer:
      place_ = line.empty() ? Place::kDone : Place::kTrailer;
      return !is_strict_ || line.empty() || line.find(':') < line.find_first_of(" \t");
    case Place::kData:
    case Place::kDone:
      break;
  }
  return false;
}

// Counts a line at the present place, with its line end.
bool BodyDecoder::is_within_limits(std::size_t line_bytes) {
  if (place_ == Place::kTrailer) {
    constexpr std::size_t kEmptyLineBytes = 2;
    trailer_bytes_ += line_bytes;
    trailer_fields_ += line_bytes > kEmptyLineBytes ? 1 : 0;
    return trailer_bytes_ <= kTrailerBytesMax && trailer_fields_ <= kTrailerFieldsMax;
  }
  mark_bytes_ += line_bytes - std::min(line_bytes, kSizeBytes);
  return mark_bytes_ <= kChunkMarkBytesMax + payload_bytes_;
}

BodyDecoder::Step BodyDecoder::chunk_data(std::string_view bytes, std::size_t skip) {
  const auto available = std::min<std::uint64_t>(left_, bytes.size());
  const auto payload = bytes.substr(0, static_cast<std::size_t>(available));
  left_ -= payload.size();
  payload_bytes_ += payload.size();
  place_ = left_ == 0 ? Place::kDataEnd : Place::kData;
  return {payload.empty() ? Status::kNeedMore : Status::kPayload, skip, payload};
}

BodyDecoder::Step BodyDecoder::chunked_step(std::string_view bytes) {
  std::size_t skip = 0;
  while (place_ != Place::kDone) {
    const std::string_view rest = bytes.substr(skip);
    if (place_ == Place::kData) {
      return chunk_data(rest, skip);
    }
    const auto end = rest.find('\n');
    if (end == std::string_view::npos) {
      return {rest.size() > kChunkLineBytesMax ? Status::kBroken : Status::kNeedMore, skip, {}};
    }
    skip += end + 1;
    const auto line = content_of(rest.substr(0, end));
    if (!line || !is_within_limits(end + 1) || !take_line(*line)) {
      return {Status::kBroken, skip, {}};
    }
  }
  return {Status::kEnd, skip, {}};
}

}  // namespace weir::http
