#pragma once

// An upstream that does next to nothing, so that a measurement sees the proxy: one thread, epoll,
// bodies are received and dropped.
//
//   a body that begins with "stream":true,"events":N   N events, 20 a second, each with the time
//                                                      of its sending, then [DONE]
//   any other POST                                     a small JSON answer; X-Received-Ns says when
//                                                      the whole request was there
//   anything else                                      404

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "net.h"

namespace weir::bench {

constexpr int kEventsPerSecond = 20;

class StubUpstream {
 public:
  StubUpstream();
  ~StubUpstream();
  StubUpstream(const StubUpstream&) = delete;
  StubUpstream& operator=(const StubUpstream&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  struct Connection {
    Fd fd;
    std::string head;         // up to the end of the head and the first bytes of the body
    std::size_t length = 0;   // of the body
    std::size_t missing = 0;  // of it
    bool in_body = false;
    int events_left = 0;
  };
  struct Due {
    std::int64_t at_ns;
    int fd;
    std::uint64_t stream;  // tells it from a later connection with the same number
  };

  void run();
  void accept_all();
  void read_from(int fd);
  bool take(Connection& connection, std::string_view bytes);
  bool answer(Connection& connection);
  void send_due();
  bool send_event(Connection& connection);

  std::uint16_t port_ = 0;
  Fd listener_;
  Fd epoll_;
  std::unordered_map<int, Connection> connections_;
  std::unordered_map<int, std::uint64_t> streams_;
  std::deque<Due> due_;  // in order of time: each is put back one period later
  std::uint64_t streams_made_ = 0;
  std::vector<char> block_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace weir::bench
