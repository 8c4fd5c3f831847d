#include "client_connection.h"

#include <algorithm>
#include <vector>

#include "front_limits.h"
#include "weir/config/steady.h"
#include "weir/http/body_decoder.h"

namespace weir::server {
namespace {

using base::Error;
using base::ErrorCode;

// A body has this long, and then as long as it keeps coming at this rate at least: slow senders do
// not hold a worker for ever.
constexpr double kBodyBytesPerSecondMin = 16384;
constexpr std::size_t kReserveBytesMax =
    8 << 20;  // a length that is only claimed is not believed beyond this

Error too_large(std::uint64_t bytes, std::uint64_t bytes_max) {
  return {ErrorCode::kBodyTooLarge, "the body has " + std::to_string(bytes) +
                                        " bytes or more; server.body_bytes_max allows " +
                                        std::to_string(bytes_max)};
}

}  // namespace

ClientConnection::ClientConnection(os::Socket socket, os::Address peer,
                                   std::shared_ptr<const Terms> terms)
    : peer_(peer), terms_(std::move(terms)), stream_(std::move(socket), terms_->tls.get()) {
}

bool ClientConnection::receive_available() {
  // On the stack, not thread_local: every new thread would clear, and so hold, all of that.
  char block[kReadBlockBytes];
  const os::IoResult got = stream_.receive(block);
  if (got.status == os::IoStatus::kDone) {
    input_.append(block, got.bytes);
  }
  return got.status == os::IoStatus::kDone || got.status == os::IoStatus::kWouldBlock;
}

std::size_t ClientConnection::head_length() {
  constexpr std::string_view kEmptyLine = "\r\n";
  while (empty_lines_ < http::kEmptyLinesMax && input_.starts_with(kEmptyLine)) {
    input_.erase(0, kEmptyLine.size());
    ++empty_lines_;
  }
  return http::end_of_head(input_);
}

std::optional<Error> ClientConnection::receive_more(base::SteadyTime deadline,
                                                    const os::Guards& guards) {
  const std::size_t before = input_.size();
  for (;;) {
    if (!receive_available()) {
      return Error{ErrorCode::kClientGone,
                   "the client closed the connection in the middle of its request"};
    }
    if (input_.size() > before) {
      return std::nullopt;
    }
    const auto outcome =
        os::wait_for(handle(), stream_.wanted(os::Interest::kRead), deadline, guards);
    if (outcome == os::WaitOutcome::kTimeout) {
      return Error{ErrorCode::kRequestTimeout,
                   "the request's body did not come within server.body_timeout"};
    }
    if (outcome == os::WaitOutcome::kStopped) {
      return Error{ErrorCode::kDraining, "weir is stopping"};
    }
  }
}

std::optional<Error> ClientConnection::read_body(const http::RequestHead& head,
                                                 std::uint64_t bytes_max, const os::Guards& guards,
                                                 std::string& body) {
  if (head.content_length && *head.content_length > bytes_max) {
    return too_large(*head.content_length, bytes_max);
  }
  http::BodyFraming framing;
  framing.framing = head.is_chunked   ? http::Framing::kChunked
                    : head.has_body() ? http::Framing::kLength
                                      : http::Framing::kNone;
  framing.is_strict = true;
  framing.length = head.content_length.value_or(0);
  body.reserve(std::min<std::uint64_t>(framing.length, kReserveBytesMax));
  http::BodyDecoder decoder(framing);
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t used = 0;;) {
    const auto step = decoder.step(std::string_view(input_).substr(used));
    used += step.skip + step.payload.size();
    body += step.payload;
    if (body.size() > bytes_max) {
      return too_large(body.size(), bytes_max);
    }
    if (step.status == http::BodyDecoder::Status::kPayload) {
      continue;
    }
    input_.erase(0, used);
    used = 0;
    if (step.status == http::BodyDecoder::Status::kEnd) {
      return std::nullopt;
    }
    if (step.status == http::BodyDecoder::Status::kBroken) {
      return Error{ErrorCode::kBadRequest,
                   "the chunk marks of the body are broken, or its trailers too long"};
    }
    const auto earned = config::Seconds(static_cast<double>(body.size()) / kBodyBytesPerSecondMin);
    const auto deadline =
        std::min(std::chrono::steady_clock::now() + config::steady(settings().body_timeout),
                 start + config::steady(settings().body_timeout + earned));
    if (auto error = receive_more(deadline, guards)) {
      return error;
    }
  }
}

bool ClientConnection::write(std::span<const std::string_view> pieces) {
  if (failed_) {
    return false;
  }
  std::string_view left[16];
  std::size_t count = 0;
  for (const std::string_view piece : pieces) {
    if (!piece.empty()) {
      left[count++] = piece;
    }
  }
  std::size_t first = 0;
  while (first < count) {
    const os::IoResult sent = stream_.send({left + first, count - first});
    if (sent.status == os::IoStatus::kWouldBlock) {
      const auto deadline =
          std::chrono::steady_clock::now() + config::steady(settings().send_timeout);
      const auto outcome = os::wait_for(handle(), stream_.wanted(os::Interest::kWrite), deadline,
                                        {handle(), os::kNoSocket});
      if (outcome == os::WaitOutcome::kReady) {
        continue;
      }
    }
    if (sent.status != os::IoStatus::kDone) {
      failed_ = true;
      keeps_alive_ = false;
      return false;
    }
    std::size_t bytes = sent.bytes;
    while (first < count && bytes >= left[first].size()) {
      bytes -= left[first++].size();
    }
    if (bytes > 0) {
      left[first].remove_prefix(bytes);
    }
  }
  return true;
}

void ClientConnection::write_now(std::string_view bytes) {
  const std::string_view pieces[] = {bytes};
  if (stream_.spoke_plain_http()) {
    stream_.send_in_the_clear(bytes);
  } else if (stream_.is_open_for_answers()) {
    stream_.send(pieces);
  }
}

bool ClientConnection::discard_available(std::size_t bytes_max) {
  char block[kReadBlockBytes];
  const os::IoResult got = stream_.discard(block);
  discarded_bytes_ += got.bytes;
  const bool is_open = got.status == os::IoStatus::kDone || got.status == os::IoStatus::kWouldBlock;
  return is_open && discarded_bytes_ < bytes_max;
}

void ClientConnection::linger_before_close() {
  if (failed_) {
    return;
  }
  stream_.shut_down_sending();
  const auto deadline = std::chrono::steady_clock::now() + kRefusedDrainMax;
  while (discard_available(kRefusedBytesMax) && std::chrono::steady_clock::now() < deadline &&
         os::wait_for(handle(), os::Interest::kRead, deadline, {}) == os::WaitOutcome::kReady) {
  }
}

}  // namespace weir::server
