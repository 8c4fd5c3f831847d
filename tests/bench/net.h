#pragma once

// The few socket calls that both ends of a measurement need. Everything is on 127.0.0.1.

#include <sched.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::bench {

// Nanoseconds of the monotonic clock, which all processes of a machine share.
std::int64_t now_ns();

// A descriptor that is closed with its owner.
class Fd {
 public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  ~Fd();
  Fd(Fd&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Fd& operator=(Fd&& other) noexcept;
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

// Open files up to the hard limit, no SIGPIPE. Throws std::system_error, as all below.
void prepare_process();

// While it lives, this thread runs on one CPU only, and so do the threads and processes that it
// starts meanwhile. What a proxy does is then measured without what it costs the system to wake
// another CPU, which on a virtual machine is much, and different from one second to the next.
class OneCpu {
 public:
  OneCpu();
  ~OneCpu();
  OneCpu(const OneCpu&) = delete;
  OneCpu& operator=(const OneCpu&) = delete;

 private:
  cpu_set_t before_{};
};

Fd listen_on_loopback(std::uint16_t& port);  // takes a free port when `port` is 0
Fd connect_to(std::uint16_t port);           // blocking
bool try_connect(std::uint16_t port);
std::uint16_t free_port();

void set_nonblocking(int fd);
void send_all(int fd, std::string_view bytes);  // on a blocking socket

// POST of a chat request, as a client sends it.
std::string chat_request(std::uint16_t port, std::string_view body);

}  // namespace weir::bench
