#pragma once

// One configured upstream: its address, its key, its pool of connections. Thread-safe: each request
// uses it from its own thread.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "weir/base/clock.h"
#include "weir/base/result.h"
#include "weir/config/config.h"
#include "weir/os/wait.h"
#include "weir/upstream/exchange.h"
#include "weir/upstream/failure.h"

namespace weir::upstream {

struct OutgoingRequest {
  std::string_view method = "POST";
  // Below the base_url ("/chat/completions"), or with `at_root` below the server's root ("/props").
  std::string_view endpoint;
  bool at_root = false;
  // Header lines of the client that may pass, each with its CRLF. Host, length, key and content
  // type are added here.
  std::string_view header_lines;
  std::span<const std::string_view> body;          // slices sent one after the other; none: no body
  std::optional<config::Seconds> timeout;          // instead of the configured one
  std::optional<config::Seconds> connect_timeout;  // likewise
  // The request is one of those that only so many may be under way of at a time, and waits for its
  // place until then. Nothing: it is not counted (a probe).
  std::optional<base::SteadyTime> wait_for_place_until;
  // Called when all of it has gone out, before the answer is waited for; perhaps twice.
  std::function<void()> on_sent;
};

// The answer's head has come, or it has not.
struct Attempt {
  std::optional<Exchange> exchange;
  Failure failure;      // when there is no exchange
  bool reused = false;  // over a pooled connection
};

class Upstream {
 public:
  // Reads the CA file and sets up TLS. Errors: kBadConfig when that fails.
  // `before` is the same server under other settings, or null. Both share its places, so that a
  // reload never lets more requests in than the server takes; how many there are stays as it is
  // until `set_places`.
  static base::Result<std::unique_ptr<Upstream>> open(const config::Upstream& settings,
                                                      const Upstream* before = nullptr);
  ~Upstream();

  const config::Upstream& settings() const;
  const std::string& full_name() const;

  // Sends the request and reads the head of the answer. Everything is waited for on this thread,
  // with `guards` watched: a client that leaves ends it in every phase. A pooled connection that
  // turns out to be dead (it breaks before the first byte of an answer, and soon) is replaced once
  // by a fresh one.
  Attempt begin(const OutgoingRequest& request, const os::Guards& guards);

  // How many requests may be under way at a time; nothing: any number. Starts as max_concurrent,
  // which has the last word. What a server says of its slots goes here.
  void set_places(std::optional<std::uint32_t> places);

  // Closes idle connections that the server has closed, or that are too old to be used again. To be
  // called from time to time.
  void close_stale();

  // Requests that are under way, and that wait for a place.
  std::uint32_t in_flight() const;
  std::uint32_t waiting() const;
  // Whether the next request would have to wait.
  bool is_full() const;

  struct State;

 private:
  explicit Upstream(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace weir::upstream
