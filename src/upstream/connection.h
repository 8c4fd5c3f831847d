#pragma once

// One connection to an upstream, plain or TLS, with its receive buffer. Used by one thread at a
// time.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tls_context.h"
#include "weir/base/clock.h"
#include "weir/os/wait.h"
#include "weir/upstream/failure.h"

namespace weir::upstream {

constexpr std::size_t kReceiveBufferBytes =
    65536;  // memory is only touched as far as a read fills it

class Connection {
 public:
  explicit Connection(os::Socket socket);

  // Makes it a TLS connection. `deadline` bounds the handshake.
  std::optional<Failure> start_tls(const TlsContext& tls, base::SteadyTime deadline,
                                   const os::Guards& guards);

  // Sends all of `pieces`. Stops early, without failure, when the upstream begins to answer before
  // it has heard all: then `sent_all()` is false and the connection must not be used again.
  std::optional<Failure> send_all(std::span<const std::string_view> pieces,
                                  const os::Guards& guards);
  bool sent_all() const { return sent_all_; }

  // What has been received and not been consumed.
  std::string_view buffered() const { return {buffer_.get() + begin_, end_ - begin_}; }
  void consume(std::size_t bytes) { begin_ += bytes; }

  enum class FillStatus { kDone, kEnd, kDeadline, kFailed };
  struct Fill {
    FillStatus status = FillStatus::kFailed;
    Failure failure;
  };
  // Receives more behind what is buffered.
  // kFailed with kBroken when the buffer is full.
  Fill fill(base::SteadyTime deadline, const os::Guards& guards);

  // Idle in the pool: has the peer closed it, or sent something?
  bool is_stale() const;

  base::SteadyTime idle_since;

 private:
  // Moves what is buffered to the front when there is no space behind it. False: it is full.
  bool make_room();
  os::IoResult receive(std::span<char> into);
  os::IoResult send(std::span<const std::string_view> pieces);
  os::IoResult tls_result(int result);
  std::optional<Failure> wait_to_send(const os::Guards& guards);

  os::Socket socket_;
  SslPtr tls_;
  os::Interest tls_wants_ = os::Interest::kRead;
  std::string tls_words_;
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool sent_all_ = true;
  bool is_emptied_ = true;  // the last read took all that the socket held
};

// The failure that a wait other than kReady stands for; `what` says what was waited for.
Failure failure_of_wait(os::WaitOutcome outcome, const std::string& what);

}  // namespace weir::upstream
