#include "clients.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace weir::bench {
namespace {

constexpr std::int64_t kSecondNs = 1000000000;
constexpr std::int64_t kRunMaxNs = 120 * kSecondNs;

std::int64_t number_behind(std::string_view text, std::string_view mark) {
  const auto at = text.find(mark);
  std::int64_t number = -1;
  if (at != std::string_view::npos) {
    std::from_chars(text.data() + at + mark.size(), text.data() + text.size(), number);
  }
  return number;
}

// Length of the whole answer at the front of `text`, or 0.
std::size_t answer_length(std::string_view text) {
  const auto end = text.find("\r\n\r\n");
  const auto length = number_behind(text, "Content-Length: ");
  if (end == std::string_view::npos || length < 0) {
    return 0;
  }
  const std::size_t whole = end + 4 + static_cast<std::size_t>(length);
  return text.size() >= whole ? whole : 0;
}

bool is_ok(std::string_view answer) {
  return answer.starts_with("HTTP/1.1 200 ");
}

// Sends and reads one answer, blocking.
std::string exchange(int fd, std::string_view request) {
  send_all(fd, request);
  std::string answer;
  std::array<char, 4096> block{};
  while (answer_length(answer) == 0) {
    const ssize_t got = ::recv(fd, block.data(), block.size(), 0);
    if (got <= 0) {
      throw std::runtime_error("the connection closed before the answer");
    }
    answer.append(block.data(), static_cast<std::size_t>(got));
  }
  if (!is_ok(answer)) {
    throw std::runtime_error("not 200: " + answer);
  }
  return answer;
}

class Epoll {
 public:
  void add(int fd, std::size_t index) {
    epoll_event event{EPOLLIN, {.u64 = index}};
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event);
  }

  // Calls `on_ready` with the index of every readable descriptor.
  template <class OnReady>
  void wait(OnReady on_ready) {
    const int count =
        ::epoll_wait(epoll_.get(), events_.data(), static_cast<int>(events_.size()), 100);
    for (int i = 0; i < count; ++i) {
      on_ready(static_cast<std::size_t>(events_[static_cast<std::size_t>(i)].data.u64));
    }
  }

 private:
  Fd epoll_{::epoll_create1(EPOLL_CLOEXEC)};
  std::array<epoll_event, 256> events_{};
};

struct Stream {
  Fd fd;
  std::string rest;  // of an event that has not come whole
  int events = 0;
  bool open = true;
  bool done = false;
};

// Takes the whole events out of what has come.
void take_events(Stream& stream, std::string_view bytes, StreamResult& result) {
  const std::int64_t now = now_ns();
  stream.rest += bytes;
  std::string_view text = stream.rest;
  for (auto end = text.find("\n\n"); end != std::string_view::npos; end = text.find("\n\n")) {
    const std::string_view event = text.substr(0, end);
    if (const auto stamp = number_behind(event, "\"stamp\":"); stamp > 0) {
      result.latencies_us.push_back(static_cast<std::uint32_t>((now - stamp) / 1000));
      ++stream.events;
    }
    stream.done = stream.done || event.find("data: [DONE]") != std::string_view::npos;
    text.remove_prefix(end + 2);
  }
  stream.rest = std::string(text);
}

}  // namespace

std::uint64_t run_requests(std::uint16_t port, int connections, std::uint64_t requests,
                           const std::vector<std::string>& bodies) {
  std::vector<std::string> texts;
  for (const std::string& body : bodies) {
    texts.push_back(chat_request(port, body));
  }
  Epoll epoll;
  std::vector<Fd> fds;
  std::vector<std::string> answers(static_cast<std::size_t>(connections));
  std::uint64_t sent = 0;
  std::uint64_t good = 0;
  std::uint64_t open = 0;
  const auto send_next = [&](int fd) {
    if (sent < requests) {
      send_all(fd, texts[sent++ % texts.size()]);
      ++open;
    }
  };
  for (int i = 0; i < connections; ++i) {
    fds.push_back(connect_to(port));
    epoll.add(fds.back().get(), fds.size() - 1);
    send_next(fds.back().get());
  }
  std::array<char, 16384> block{};
  const std::int64_t deadline = now_ns() + kRunMaxNs;
  while (open > 0 && now_ns() < deadline) {
    epoll.wait([&](std::size_t index) {
      const int fd = fds[index].get();
      std::string& answer = answers[index];
      const ssize_t got = ::recv(fd, block.data(), block.size(), 0);
      if (got <= 0) {
        fds[index] = Fd();
        --open;
        return;
      }
      answer.append(block.data(), static_cast<std::size_t>(got));
      if (const std::size_t length = answer_length(answer)) {
        good += is_ok(answer) ? 1 : 0;
        answer.erase(0, length);
        --open;
        send_next(fd);
      }
    });
  }
  return requests - good;
}

std::int64_t time_upload(std::uint16_t port, const std::string& body) {
  const Fd fd = connect_to(port);
  const std::string request = chat_request(port, body);
  const std::int64_t start = now_ns();
  return number_behind(exchange(fd.get(), request), "X-Received-Ns: ") - start;
}

StreamResult run_streams(std::uint16_t port, int streams, int events, const std::string& text) {
  const std::string body = R"({"stream":true,"events":)" + std::to_string(events) +
                           R"(,"model":"auto","messages":[{"role":"user","content":")" + text +
                           "\"}]}";
  const std::string request = chat_request(port, body);
  StreamResult result;
  result.latencies_us.reserve(static_cast<std::size_t>(streams) * static_cast<std::size_t>(events));
  Epoll epoll;
  std::vector<Stream> all(static_cast<std::size_t>(streams));
  std::size_t open = 0;
  std::array<char, 16384> block{};
  const auto on_ready = [&](std::size_t index) {
    Stream& stream = all[index];
    if (!stream.open) {
      return;
    }
    const ssize_t got = ::recv(stream.fd.get(), block.data(), block.size(), 0);
    if (got > 0) {
      take_events(stream, {block.data(), static_cast<std::size_t>(got)}, result);
    }
    if (got <= 0 || stream.done) {
      stream.open = false;
      stream.fd = Fd();
      --open;
    }
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].fd = connect_to(port);
    send_all(all[i].fd.get(), request);
    epoll.add(all[i].fd.get(), i);
    ++open;
    if (i % 20 == 19) {
      epoll.wait(on_ready);
    }
  }
  const std::int64_t deadline = now_ns() + kRunMaxNs;
  while (open > 0 && now_ns() < deadline) {
    epoll.wait(on_ready);
  }
  for (const Stream& stream : all) {
    result.errors += stream.done && stream.events == events ? 0 : 1;
  }
  return result;
}

RateResult connect_at_rate(std::uint16_t port, int per_second, int seconds,
                           const std::string& body) {
  constexpr int kThreads = 4;
  const std::string request = chat_request(port, body);
  const std::int64_t start = now_ns();
  std::vector<RateResult> parts(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      RateResult& part = parts[static_cast<std::size_t>(t)];
      for (std::int64_t i = t; i < std::int64_t{per_second} * seconds; i += kThreads) {
        const std::int64_t due = start + i * kSecondNs / per_second;
        while (now_ns() < due) {
          std::this_thread::sleep_for(std::chrono::nanoseconds(due - now_ns()));
        }
        try {
          const Fd fd = connect_to(port);
          exchange(fd.get(), request);
          part.latencies_us.push_back(static_cast<std::uint32_t>((now_ns() - due) / 1000));
        } catch (const std::exception&) {
          ++part.errors;
        }
      }
    });
  }
  RateResult all;
  for (int t = 0; t < kThreads; ++t) {
    const auto at = static_cast<std::size_t>(t);
    threads[at].join();
    all.errors += parts[at].errors;
    all.latencies_us.insert(all.latencies_us.end(), parts[at].latencies_us.begin(),
                            parts[at].latencies_us.end());
  }
  return all;
}

std::vector<Fd> idle_connections(std::uint16_t port, int connections, const std::string& body) {
  const std::string request = chat_request(port, body);
  std::vector<Fd> fds;
  for (int i = 0; i < connections; ++i) {
    fds.push_back(connect_to(port));
    exchange(fds.back().get(), request);
  }
  return fds;
}

}  // namespace weir::bench
