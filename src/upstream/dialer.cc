#include "dialer.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <system_error>
#include <thread>

#include "connect_race.h"
#include "weir/config/steady.h"
#include "weir/http/response_head.h"

namespace weir::upstream {

// getaddrinfo cannot be broken off, so it runs in a thread of its own that nobody has to wait for.
struct Dialer::Lookup {
  std::atomic<bool> done{false};
  base::Result<std::vector<os::Address>> result = std::vector<os::Address>();
};

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kNamesKept{
    60};  // how long the addresses of a name are used without asking again
constexpr milliseconds kLookupPoll{20};  // how often a running look-up is asked whether it is done
constexpr std::size_t kTunnelHeadBytesMax = 16384;  // answer of an HTTP proxy to CONNECT

}  // namespace

base::Result<std::unique_ptr<Dialer>> Dialer::open(const config::Upstream& settings) {
  std::unique_ptr<Dialer> dialer(new Dialer(settings));
  dialer->target_ = {settings.base_url.host, settings.base_url.port};
  if (settings.base_url.tls) {
    auto tls = TlsContext::open(settings);
    if (!tls) {
      return tls.error();
    }
    dialer->tls_ = std::move(*tls);
  }
  if (!settings.proxy.empty()) {
    std::string_view place = settings.proxy;
    place.remove_prefix(place.starts_with("http://") ? 7 : 0);
    place = place.substr(0, place.find('/'));
    const auto colon = place.rfind(':');
    std::uint16_t port = 0;
    const std::string_view digits =
        colon == std::string_view::npos ? "80" : place.substr(colon + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (error != std::errc() || end != digits.data() + digits.size() || port == 0) {
      return base::Error{base::ErrorCode::kBadConfig,
                         settings.full_name() + ".proxy: write it as http://host:port"};
    }
    std::string_view name = place.substr(0, colon);
    if (name.starts_with('[') && name.ends_with(']')) {  // an IPv6 address
      name = name.substr(1, name.size() - 2);
    }
    dialer->target_ = {std::string(name), port};
  }
  return dialer;
}

// At most one look-up runs, however many requests wait for it: a resolver that hangs costs one
// thread.
std::shared_ptr<Dialer::Lookup> Dialer::lookup() {
  const base::MutexLock lock(mutex_);
  if (running_ && !running_->done) {
    return running_;
  }
  running_ = std::make_shared<Lookup>();
  try {
    std::thread([lookup = running_, target = target_] {
      lookup->result = os::resolve(target.name, target.port);
      lookup->done = true;
    }).detach();
  } catch (const std::system_error& error) {
    running_->result = base::Error{base::ErrorCode::kUpstreamUnreachable,
                                   std::string("no thread to look up a name: ") + error.what()};
    running_->done = true;
  }
  return running_;
}

Dialer::Addresses Dialer::addresses(base::SteadyTime deadline, const os::Guards& guards) {
  {
    const base::MutexLock lock(mutex_);
    if (!known_.empty() && steady_clock::now() < known_until_) {
      return known_;
    }
  }
  const auto looked_up = lookup();
  milliseconds pause{1};
  while (!looked_up->done) {
    const auto outcome = os::wait_for(os::kNoSocket, os::Interest::kNothing,
                                      std::min(deadline, steady_clock::now() + pause), guards);
    if (outcome != os::WaitOutcome::kTimeout) {
      return failure_of_wait(outcome, "");
    }
    if (steady_clock::now() >= deadline && !looked_up->done) {
      return Failure{FailureKind::kDown,
                     "the name " + target_.name + " was not found within connect_timeout"};
    }
    pause = std::min(pause * 2, kLookupPoll);
  }
  if (!looked_up->result) {
    return Failure{FailureKind::kDown, looked_up->result.error().message};
  }
  return *looked_up->result;
}

void Dialer::remember(std::vector<os::Address> known, std::size_t best) {
  std::rotate(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(best),
              known.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  const base::MutexLock lock(mutex_);
  known_ = std::move(known);
  known_until_ = steady_clock::now() + kNamesKept;
}

void Dialer::forget() {
  const base::MutexLock lock(mutex_);
  known_until_ = {};  // ask the name again next time
}

// CONNECT through an HTTP proxy; afterwards the connection reaches the upstream itself.
std::optional<Failure> Dialer::open_tunnel(Connection& connection, base::SteadyTime deadline,
                                           const os::Guards& guards) const {
  const config::BaseUrl& url = settings_.base_url;
  const bool ipv6 = url.host.find(':') != std::string::npos;
  const std::string place =
      (ipv6 ? "[" + url.host + "]" : url.host) + ":" + std::to_string(url.port);
  const std::string request = "CONNECT " + place + " HTTP/1.1\r\nHost: " + place + "\r\n\r\n";
  const std::string_view pieces[] = {request};
  if (auto failure = connection.send_all(pieces, guards)) {
    return failure;
  }
  std::size_t end = 0;
  while ((end = http::end_of_head(connection.buffered())) == 0) {
    const auto fill = connection.fill(deadline, guards);
    if (fill.status == Connection::FillStatus::kFailed &&
        fill.failure.kind == FailureKind::kClientGone) {
      return fill.failure;
    }
    if (fill.status != Connection::FillStatus::kDone ||
        connection.buffered().size() > kTunnelHeadBytesMax) {
      return Failure{FailureKind::kDown,
                     "the proxy " + settings_.proxy + " gave no answer to CONNECT"};
    }
  }
  const auto head = http::parse_response_head(connection.buffered().substr(0, end));
  connection.consume(end);
  if (!head || head->status / 100 != 2) {
    return Failure{FailureKind::kDown,
                   "the proxy " + settings_.proxy + " refused CONNECT" +
                       (head ? " with status " + std::to_string(head->status) : "")};
  }
  if (!connection.buffered().empty()) {  // would be read as the upstream's answer, past TLS
    return Failure{FailureKind::kDown,
                   "the proxy " + settings_.proxy + " sent more than its answer to CONNECT"};
  }
  return std::nullopt;
}

Dialer::Connected Dialer::connect(const std::vector<os::Address>& list, base::SteadyTime deadline,
                                  const os::Guards& guards) {
  auto outcome = race(list, deadline, guards);
  if (auto* failure = std::get_if<Failure>(&outcome)) {
    if (failure->kind == FailureKind::kDown) {
      forget();
    }
    return std::move(*failure);
  }
  Winner& winner = std::get<Winner>(outcome);
  remember(list, winner.index);
  return std::move(winner.socket);
}

Dialer::Dialed Dialer::dial(config::Seconds connect_timeout, const os::Guards& guards) {
  const auto deadline = steady_clock::now() + config::steady(connect_timeout);
  const auto found = addresses(deadline, guards);
  if (const auto* failure = std::get_if<Failure>(&found)) {
    return *failure;
  }
  auto connected = connect(std::get<std::vector<os::Address>>(found), deadline, guards);
  if (auto* failure = std::get_if<Failure>(&connected)) {
    return std::move(*failure);
  }
  auto connection = std::make_unique<Connection>(std::get<os::Socket>(std::move(connected)));
  if (!settings_.proxy.empty()) {
    if (auto failure = open_tunnel(*connection, deadline, guards)) {
      return *failure;
    }
  }
  if (tls_) {
    if (auto failure = connection->start_tls(*tls_, deadline, guards)) {
      return *failure;
    }
  }
  return connection;
}

}  // namespace weir::upstream
