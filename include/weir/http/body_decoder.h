#pragma once

// Takes the transfer framing off a body, without copying: it says which of the bytes at hand are
// payload.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "weir/http/response_head.h"

namespace weir::http {

// Bounds of what comes between and behind the chunks of a body, requests and answers alike. More is
// kBroken.
constexpr std::size_t kChunkLineBytesMax = 4096;  // size, extensions or one trailer line
constexpr std::size_t kTrailerBytesMax = 16384;
constexpr std::size_t kTrailerFieldsMax = 100;
// Of all marks together, beyond what the sizes themselves take and as many bytes as there is
// payload: extensions are read and thrown away, and must not go on for ever.
constexpr std::size_t kChunkMarkBytesMax = 65536;

class BodyDecoder {
 public:
  explicit BodyDecoder(const BodyFraming& body);

  enum class Status { kPayload, kNeedMore, kEnd, kBroken };
  struct Step {
    Status status = Status::kNeedMore;
    std::size_t skip = 0;      // framing bytes before the payload: consume them
    std::string_view payload;  // kPayload: consume it after use
  };
  // What `bytes` (the unconsumed ones) begin with. Consume skip + payload.size() bytes, then call
  // again.
  Step step(std::string_view bytes);

  // True when the close of the connection is a proper end of the body.
  bool close_is_end() const { return framing_ == Framing::kUntilClose; }

 private:
  enum class Place { kSize, kData, kDataEnd, kTrailer, kDone };
  Step chunked_step(std::string_view bytes);
  Step chunk_data(std::string_view bytes, std::size_t skip);
  std::optional<std::string_view> content_of(std::string_view line) const;
  bool take_line(std::string_view line);
  bool is_within_limits(std::size_t line_bytes);
  bool take_size_line(std::string_view line);

  Framing framing_;
  bool is_strict_;
  std::uint64_t left_;  // payload bytes still to come (of this chunk)
  Place place_ = Place::kSize;
  std::uint64_t payload_bytes_ = 0;  // of all chunks so far
  std::uint64_t mark_bytes_ = 0;     // see kChunkMarkBytesMax
  std::size_t trailer_bytes_ = 0;
  std::size_t trailer_fields_ = 0;
};

}  // namespace weir::http
