#pragma once

// Takes the transfer framing off a body, without copying: it says which of the bytes at hand are
// payload.

#include <cstdint>
#include <optional>
#include <string_view>

#include "weir/http/response_head.h"

namespace weir::http {

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
  bool take_size_line(std::string_view line);

  Framing framing_;
  bool is_strict_;
  std::uint64_t left_;  // payload bytes still to come (of this chunk)
  Place place_ = Place::kSize;
};

}  // namespace weir::http
