// Any bytes on a connection to the server: what its handlers are given must be the requests that a
// second, strict reading finds in the same bytes, in the same order and with the same bodies. So
// nothing is one request for weir and two for a proxy in front of it. And the connection must end.
//
// The server is real, with its port, its poller and its workers. The first byte of an input says
// where it is cut in two pieces.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "raw_client.h"
#include "strict_requests.h"
#include "weir/base/mutex.h"
#include "weir/os/process.h"
#include "weir/server/server.h"

namespace weir::fuzz {
namespace {

constexpr std::uint64_t kBodyBytesMax = 4096;

struct Seen {
  std::string method;
  std::string target;
  std::string body;
};

[[noreturn]] void fail(const char* why, const std::string& what) {
  std::fprintf(stderr, "FAULT: %s: %s\n", why, what.c_str());
  std::abort();
}

bool is_plain(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

class Front {
 public:
  Front() : logger_(*log::Logger::open({.level = "error", .file = "/dev/null"})) {
    os::prepare_process();
    settings_.listen = {{"127.0.0.1", 0}};
    settings_.body_bytes_max = kBodyBytesMax;
    server::Endpoints endpoints;
    for (const char* method : {"POST", "GET"}) {
      endpoints.relays.push_back(
          {method, "/r", [this](const auto& request, auto& sink) { serve(request, sink); }});
    }
    endpoints.pages = {{"GET", "/p", true, [](const auto&) { return server::Page{.body = "p"}; }}};
    server_ = std::move(*server::Server::start(settings_, std::move(endpoints), *logger_));
    port_ = server_->addresses().front().port();
  }

  // The requests that reached the handler of /r, until the server closed.
  std::vector<Seen> send(std::string_view first, std::string_view second) {
    fakes::RawClient client(port_);
    client.send(first);
    client.send(second);
    client.half_close();
    if (client.read_to_end() == fakes::Got::kTimeout) {
      fail("a connection that does not end", std::string(first) + std::string(second));
    }
    client.reset();  // no socket waits for its end: there are many in a second
    const base::MutexLock lock(mutex_);
    return std::exchange(seen_, {});
  }

 private:
  void serve(const proxy::ClientRequest& request, proxy::ClientSink& sink) {
    for (const proxy::HeaderField& field : request.headers) {
      if (!is_plain(field.line) || field.name.find_first_of(" \t:") != std::string_view::npos) {
        fail("a header that would be two lines", std::string(field.line));
      }
    }
    {
      const base::MutexLock lock(mutex_);
      seen_.push_back({std::string(request.method), std::string(request.target), request.body});
    }
    const std::string head = std::string("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n") +
                             (sink.keeps_alive() ? "" : "Connection: close\r\n") + "\r\n";
    const std::string_view pieces[] = {head};
    sink.write(pieces);
  }

  config::Server settings_;
  std::unique_ptr<log::Logger> logger_;
  base::Mutex mutex_;
  std::vector<Seen> seen_ GUARDED_BY(mutex_);
  std::unique_ptr<server::Server> server_;
  std::uint16_t port_ = 0;
};

// Each request that was seen must be the next one of the strict reading that has its target; the
// others in between went to pages.
void compare(const std::vector<Seen>& seen, std::string_view bytes) {
  for (const Seen& request : seen) {
    for (;;) {
      const auto strict = take_strict_request(bytes);
      if (!strict) {
        fail("a request that a strict reader does not find", request.method + " " + request.target);
      }
      const bool same = strict->method == request.method && strict->target == request.target &&
                        strict->body == request.body;
      if (same) {
        break;
      }
      if (strict->closes) {
        fail("a request behind the last one", request.method + " " + request.target);
      }
    }
  }
}

}  // namespace
}  // namespace weir::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static weir::fuzz::Front front;
  if (size < 1) {
    return 0;
  }
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t cut = bytes.size() * data[0] / 256;
  weir::fuzz::compare(front.send(bytes.substr(0, cut), bytes.substr(cut)), bytes);
  return 0;
}
