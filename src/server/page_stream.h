#pragma once

// The version seam of cpp-httplib (0.11.4 to 0.53.x): all that differs between its versions is in
// this file. WEIR_HTTPLIB_VERSION is minor * 100 + patch, set by scripts/cmake/WeirHttplib.cmake.

#include <httplib.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

#include "weir/proxy/client.h"

namespace weir::server {

static_assert(WEIR_HTTPLIB_VERSION >= 1104 && WEIR_HTTPLIB_VERSION < 5400, "untested cpp-httplib");

// A request held in memory for the library to read, and the client's sink for it to write to. The
// functions without `override` are virtual in some versions only.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winconsistent-missing-override"
#endif
class PageStream final : public httplib::Stream {
 public:
  PageStream(std::string_view input, proxy::ClientSink& sink) : input_(input), sink_(sink) {}

  // NOLINTBEGIN(modernize-use-override)
  bool is_readable() const { return !input_.empty(); }
  bool is_writable() const { return true; }
  bool wait_readable() const { return true; }
  bool wait_writable() const { return true; }
  bool is_peer_alive() const { return true; }
  time_t duration() const { return 0; }
  void set_read_timeout(time_t, time_t = 0) {}
  // NOLINTEND(modernize-use-override)

  ssize_t read(char* into, size_t size) override {
    const size_t bytes = std::min(size, input_.size());
    std::memcpy(into, input_.data(), bytes);
    input_.remove_prefix(bytes);
    return static_cast<ssize_t>(bytes);
  }
  ssize_t write(const char* from, size_t size) override {
    const std::string_view pieces[] = {{from, size}};
    return sink_.write(pieces) ? static_cast<ssize_t>(size) : -1;
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip = "127.0.0.1";
    port = 0;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    ip = "127.0.0.1";
    port = 0;
  }
  socket_t socket() const override { return static_cast<socket_t>(sink_.watched()); }

 private:
  std::string_view input_;
  proxy::ClientSink& sink_;
};

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

// The library's server without its sockets: it is given one request at a time, from any thread.
class PageServer final : public httplib::Server {
 public:
  void serve(httplib::Stream& stream, bool close_connection) {
    bool closed = false;
#if WEIR_HTTPLIB_VERSION >= 1800
    process_request(stream, "127.0.0.1", 0, "127.0.0.1", 0, close_connection, closed, {});
#else
    process_request(stream, close_connection, closed, {});
#endif
  }
};

}  // namespace weir::server
