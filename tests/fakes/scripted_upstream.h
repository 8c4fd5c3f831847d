#pragma once

// An upstream that does what a script says: answers, waits, cuts, resets, says nothing. It writes
// down what it was sent, byte for byte, and when and how each connection ended.
//
// Questions of weir's own health prober (GET /health, /props, /v1/models) are answered on the side
// and do not use up scripts; see `Probes`.

#include <openssl/ssl.h>

#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "byte_stream.h"
#include "gate.h"
#include "weir/base/mutex.h"

namespace weir::fakes {

// One request as it came.
struct Received {
  std::string head;
  std::string body;
  std::size_t connection = 0;  // index into connections()
  bool reused = false;         // not the first request of its connection
  base::SteadyTime head_at{};
  base::SteadyTime whole_at{};
};

enum class Ending { kOpen, kPeerFin, kPeerReset, kByScript };

struct ConnectionRecord {
  base::SteadyTime opened{};
  base::SteadyTime closed{};
  Ending ending = Ending::kOpen;
  bool tls_failed = false;
  std::string tls_server_name;
  std::string bytes;  // all that was read, without TLS
};

class ScriptedUpstream;

// What a script can do. Each function blocks; false means that weir has closed the connection.
class Talk {
 public:
  Talk(ScriptedUpstream& upstream, std::size_t connection, os::Socket socket);

  // The request that is to be answered (empty in a connection script).
  const Received& request() const { return request_; }

  bool send(std::string_view bytes);
  // Every byte in a write of its own.
  bool send_bytewise(std::string_view bytes);

  // A whole answer with its Content-Length.
  bool answer(int status, std::string_view body, std::string_view header_lines = "");
  // The head of a chunked event stream; then chunks, then the end mark.
  bool start_stream(std::string_view header_lines = "");
  bool chunk(std::string_view bytes);
  bool end_stream();

  bool wait(const Gate& gate);
  bool pause(std::chrono::milliseconds time);
  // Says nothing until weir closes the connection.
  void wait_for_close();
  // Reads on without a request in mind, until `bytes` in all have come.
  bool read_bytes(std::size_t bytes);
  bool read_head(std::string& head);

  void half_close();
  void close();
  void reset();
  bool is_over() const { return over_; }

 private:
  friend class ScriptedUpstream;
  bool serve_next();
  bool read_request();
  bool read_more();
  bool note_if_ended(bool still_there);
  void note_ending(Ending ending);

  ScriptedUpstream& upstream_;
  const std::size_t connection_;
  ByteStream stream_;
  std::string input_;
  Received request_;
  std::size_t requests_ = 0;
  bool over_ = false;
};

using Script = std::function<void(Talk&)>;

// The answers to the health prober. An empty body: 404.
struct Probes {
  int health_status = 200;
  std::string health = R"({"status":"ok"})";
  std::string props{};
  std::string models{};
  bool closes = false;     // takes the question and closes the connection without a word
  bool is_silent = false;  // takes the question and says nothing until weir closes
};

class ScriptedUpstream {
 public:
  struct Options {
    std::uint16_t port = 0;
    SSL_CTX* tls = nullptr;
    std::string host = "127.0.0.1";
  };
  ScriptedUpstream() : ScriptedUpstream(Options{}) {}
  explicit ScriptedUpstream(const Options& options);
  ~ScriptedUpstream();

  std::uint16_t port() const { return port_; }

  // For every request that no `next` was given for. At first: 200 with a small JSON body.
  void always(Script script);
  void next(Script script);
  // For the next new connection, before TLS and before anything is read; then it goes on as ever,
  // unless the script has closed it.
  void next_connection(Script script);
  // In place of reading the next request (after TLS): for what happens while weir still sends.
  void next_unread(Script script);
  void set_probes(Probes probes);

  std::vector<Received> requests() const;
  Received request(std::size_t index) const;
  std::vector<ConnectionRecord> connections() const;
  // Without those that only the prober used.
  std::size_t request_count() const { return requests().size(); }
  std::size_t probe_count() const;
  // Everything that was ever read, to search for what must not be there.
  std::string all_bytes() const;

  // Each waits for at most kPatience; false when it did not happen.
  bool wait_for_requests(std::size_t count) const;
  bool wait_for_connections(std::size_t count) const;
  bool wait_for_probes(std::size_t count) const;
  // Until the connection of that request is closed, by whomever.
  bool wait_for_close(std::size_t request) const;
  ConnectionRecord connection_of(std::size_t request) const;
  std::size_t open_connections() const;

 private:
  friend class Talk;
  void accept_loop();
  void serve(std::size_t connection, os::Socket socket);
  Script take(std::deque<Script> ScriptedUpstream::*queue);
  Probes probes() const;
  template <class Predicate>
  bool wait_until(const Predicate& predicate) const;

  os::Socket listener_;
  std::uint16_t port_ = 0;
  SSL_CTX* const tls_;
  os::StopSignal stop_;

  mutable base::Mutex mutex_;
  mutable base::Condition changed_;
  Script always_ GUARDED_BY(mutex_);
  std::deque<Script> next_ GUARDED_BY(mutex_);
  std::deque<Script> next_connections_ GUARDED_BY(mutex_);
  std::deque<Script> next_unread_ GUARDED_BY(mutex_);
  Probes probes_ GUARDED_BY(mutex_);
  std::vector<Received> requests_ GUARDED_BY(mutex_);
  std::vector<ConnectionRecord> connections_ GUARDED_BY(mutex_);
  std::size_t probe_count_ GUARDED_BY(mutex_) = 0;
  std::vector<os::NativeSocket> open_ GUARDED_BY(mutex_);
  std::list<std::thread> threads_;  // the accept thread's own until it has ended
  std::thread accept_thread_;
};

}  // namespace weir::fakes
