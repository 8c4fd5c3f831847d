#include "connection.h"

#include <openssl/err.h>

#include <cstring>
#include <vector>

#include "weir/http/response_head.h"

namespace weir::upstream {
namespace {

constexpr std::chrono::seconds kUploadStallMax{
    60};  // no progress while a request body is sent upstream

// Whether all of it belongs to interim answers (100, 102, 103): the request goes on after them.
bool is_interim(std::string_view bytes) {
  constexpr std::string_view kStart = "HTTP/1.1 1";
  while (!bytes.empty()) {
    if (!kStart.starts_with(bytes.substr(0, kStart.size()))) {
      return false;
    }
    const std::size_t end = http::end_of_head(bytes);
    bytes.remove_prefix(end == 0 ? bytes.size() : end);
  }
  return true;
}

}  // namespace

Failure failure_of_wait(os::WaitOutcome outcome, const std::string& what) {
  switch (outcome) {
    case os::WaitOutcome::kClientGone:
      return {FailureKind::kClientGone, "the client has gone"};
    case os::WaitOutcome::kStopped:
      return {FailureKind::kStopped, "weir is stopping"};
    default:
      return {FailureKind::kTimeout, what};
  }
}

Connection::Connection(os::Socket socket)
    : socket_(std::move(socket)), buffer_(new char[kReceiveBufferBytes]) {
}

std::optional<Failure> Connection::start_tls(const TlsContext& tls, base::SteadyTime deadline,
                                             const os::Guards& guards) {
  tls_ = tls.start(socket_.handle());
  for (;;) {
    ERR_clear_error();  // what an earlier call on this thread left there would be taken for ours
    const int result = SSL_do_handshake(tls_.get());
    if (result == 1) {
      return std::nullopt;
    }
    const int error = SSL_get_error(tls_.get(), result);
    if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) {
      return Failure{FailureKind::kDown, "TLS failed: " + tls_failure(tls_.get())};
    }
    const auto interest = error == SSL_ERROR_WANT_READ ? os::Interest::kRead : os::Interest::kWrite;
    const auto outcome = os::wait_for(socket_.handle(), interest, deadline, guards);
    if (outcome == os::WaitOutcome::kTimeout) {
      return Failure{FailureKind::kDown,
                     "the TLS handshake was not finished within connect_timeout"};
    }
    if (outcome != os::WaitOutcome::kReady) {
      return failure_of_wait(outcome, "");
    }
  }
}

// Turns what OpenSSL says into what a socket would say.
os::IoResult Connection::tls_result(int result) {
  if (result > 0) {
    return {os::IoStatus::kDone, static_cast<std::size_t>(result)};
  }
  switch (SSL_get_error(tls_.get(), result)) {
    case SSL_ERROR_WANT_READ:
      tls_wants_ = os::Interest::kRead;
      return {os::IoStatus::kWouldBlock, 0};
    case SSL_ERROR_WANT_WRITE:
      tls_wants_ = os::Interest::kWrite;
      return {os::IoStatus::kWouldBlock, 0};
    case SSL_ERROR_ZERO_RETURN:
      return {os::IoStatus::kEnd, 0};
    default:
      tls_words_ = tls_failure(tls_.get());
      return {os::IoStatus::kFailed, 0};
  }
}

os::IoResult Connection::receive(std::span<char> into) {
  if (!tls_) {
    return os::receive(socket_.handle(), into);
  }
  ERR_clear_error();
  return tls_result(SSL_read(tls_.get(), into.data(), static_cast<int>(into.size())));
}

os::IoResult Connection::send(std::span<const std::string_view> pieces) {
  if (!tls_) {
    return os::send(socket_.handle(), pieces);
  }
  constexpr std::size_t kRecordBytesMax = 1U << 30;  // SSL_write takes an int
  ERR_clear_error();
  const std::string_view piece = pieces.front().substr(0, kRecordBytesMax);
  return tls_result(SSL_write(tls_.get(), piece.data(), static_cast<int>(piece.size())));
}

// Waits until more can be sent, and meanwhile takes in what the upstream says: an early answer ends
// the sending.
std::optional<Failure> Connection::wait_to_send(const os::Guards& guards) {
  const auto deadline = std::chrono::steady_clock::now() + kUploadStallMax;
  for (;;) {
    const auto outcome =
        os::wait_for(socket_.handle(), os::Interest::kReadOrWrite, deadline, guards);
    if (outcome != os::WaitOutcome::kReady) {
      return failure_of_wait(outcome, "the upstream stopped reading the request");
    }
    const os::IoResult got = receive({buffer_.get() + end_, kReceiveBufferBytes - end_});
    if (got.status == os::IoStatus::kDone) {
      end_ += got.bytes;
      if (!is_interim(buffered())) {
        sent_all_ = false;
        return std::nullopt;
      }
    } else if (got.status != os::IoStatus::kWouldBlock) {
      return Failure{FailureKind::kBroken, "the upstream closed the connection during the request"};
    }
    const auto write_now =
        os::wait_for(socket_.handle(), os::Interest::kWrite,
                     std::chrono::steady_clock::now() + std::chrono::milliseconds(100), guards);
    if (write_now == os::WaitOutcome::kReady) {
      return std::nullopt;
    }
  }
}

std::optional<Failure> Connection::send_all(std::span<const std::string_view> pieces,
                                            const os::Guards& guards) {
  sent_all_ = true;
  if (begin_ == end_) {
    begin_ = end_ = 0;  // space for an early answer, which wait_to_send takes in
  }
  std::vector<std::string_view> left(pieces.begin(), pieces.end());
  std::size_t first = 0;
  while (first < left.size() && sent_all_) {
    if (left[first].empty()) {
      ++first;
      continue;
    }
    const os::IoResult sent = send(std::span(left).subspan(first));
    if (sent.status == os::IoStatus::kWouldBlock) {
      if (auto failure = wait_to_send(guards)) {
        return failure;
      }
      continue;
    }
    if (sent.status != os::IoStatus::kDone) {
      sent_all_ = false;  // it may have answered before it closed: let the caller read
      return std::nullopt;
    }
    std::size_t bytes = sent.bytes;
    while (first < left.size() && bytes >= left[first].size()) {
      bytes -= left[first++].size();
    }
    if (bytes > 0) {
      left[first].remove_prefix(bytes);
    }
  }
  return std::nullopt;
}

bool Connection::make_room() {
  if (begin_ == end_) {
    begin_ = end_ = 0;
  } else if (end_ == kReceiveBufferBytes && begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  return end_ < kReceiveBufferBytes;
}

Connection::Fill Connection::fill(base::SteadyTime deadline, const os::Guards& guards) {
  if (!make_room()) {
    return {FillStatus::kFailed,
            {FailureKind::kNotHttp, "the answer's head or a chunk mark is too long"}};
  }
  // Nearly always nothing is there yet: to wait first saves the call that would only say so.
  for (bool wait_first = is_emptied_ && !tls_;; wait_first = true) {
    if (wait_first) {
      const auto interest = tls_ ? tls_wants_ : os::Interest::kRead;
      const auto outcome = os::wait_for(socket_.handle(), interest, deadline, guards);
      if (outcome == os::WaitOutcome::kTimeout) {
        return {FillStatus::kDeadline, {}};
      }
      if (outcome != os::WaitOutcome::kReady) {
        return {FillStatus::kFailed, failure_of_wait(outcome, "")};
      }
    }
    const std::size_t space = kReceiveBufferBytes - end_;
    const os::IoResult got = receive({buffer_.get() + end_, space});
    switch (got.status) {
      case os::IoStatus::kDone:
        end_ += got.bytes;
        is_emptied_ = got.bytes < space;
        return {FillStatus::kDone, {}};
      case os::IoStatus::kEnd:
        return {FillStatus::kEnd, {}};
      case os::IoStatus::kFailed:
        return {
            FillStatus::kFailed,
            {FailureKind::kBroken, tls_words_.empty() ? "the upstream reset the connection"
                                                      : "the TLS connection broke: " + tls_words_}};
      case os::IoStatus::kWouldBlock:
        break;
    }
  }
}

bool Connection::is_stale() const {
  return os::is_stale(socket_.handle());
}

}  // namespace weir::upstream
