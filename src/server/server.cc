#include "weir/server/server.h"

#include <algorithm>
#include <exception>
#include <set>

#include "access_check.h"
#include "client_connection.h"
#include "client_request.h"
#include "cors_sink.h"
#include "front.h"
#include "front_limits.h"
#include "pages.h"
#include "paths.h"
#include "terms.h"
#include "weir/base/text.h"
#include "weir/http/reason_phrase.h"
#include "weir/openai/error_reply.h"

namespace weir::server {
namespace {

using base::Error;
using base::ErrorCode;

constexpr std::size_t kWarningsMax = 1000;

// The whole answer; the connection ends with it.
std::string error_answer(const Error& error, std::string_view extra_lines = "",
                         openai::ErrorShape shape = openai::ErrorShape::kOpenAi) {
  const openai::ErrorReply reply = openai::error_reply(error, shape);
  std::string head = "HTTP/1.1 " + std::to_string(reply.status) + " ";
  head.append(http::reason_phrase(reply.status)).append("\r\nContent-Type: application/json\r\n");
  head.append("X-Weir-Error: ").append(reply.code).append("\r\n").append(extra_lines);
  if (reply.status == 401) {
    head.append("WWW-Authenticate: Bearer\r\n");
  }
  if (reply.status == 503) {
    head.append("Retry-After: 2\r\n");
  }
  head.append("Content-Length: ").append(std::to_string(reply.body.size()));
  return head.append("\r\nConnection: close\r\n\r\n").append(reply.body);
}

}  // namespace

struct Server::State {
  State(std::shared_ptr<const Terms> wanted, Endpoints served, log::Logger& out)
      : terms(std::move(wanted)),
        relays(std::move(served.relays)),
        on_refused(std::move(served.on_refused)),
        logger(out),
        pages(std::move(served.pages), relay_paths(relays), out) {}

  static std::vector<std::string> relay_paths(const std::vector<Endpoints::Relay>& relays) {
    std::vector<std::string> paths;
    std::transform(relays.begin(), relays.end(), std::back_inserter(paths),
                   [](const Endpoints::Relay& relay) { return relay.path; });
    return paths;
  }

  bool serve(ClientConnection& connection);
  bool serve_next(ClientConnection& connection);
  bool serve_request(ClientConnection& connection, const http::RequestHead& head,
                     proxy::ClientRequest& request);
  std::optional<Error> check(const config::Server& settings, const http::RequestHead& head,
                             proxy::ClientRequest& request) const;
  bool refuse(ClientConnection& connection, const Error& error, std::string_view extra_lines = "",
              openai::ErrorShape shape = openai::ErrorShape::kOpenAi);
  void answer_preflight(const proxy::ClientRequest& request, proxy::ClientSink& sink) const;
  void answer(const proxy::ClientRequest& request, proxy::ClientSink& sink);
  const Endpoints::Relay* relay_of(const proxy::ClientRequest& request) const;
  void warn_of_slip(const proxy::ClientRequest& request);
  void warn_of_handshake(const ClientConnection& connection, const Error& error);
  void note_refusal(const Error& error) const;
  bool is_first_warning(std::string_view about, const std::string& peer_ip);

  TermsInForce terms;
  const std::vector<Endpoints::Relay> relays;
  const std::function<void(std::string_view)> on_refused;
  log::Logger& logger;
  Pages pages;
  base::Mutex mutex;
  std::set<std::string> warned GUARDED_BY(mutex);
  std::unique_ptr<Front> front;  // last: its threads use all of the above
};

const Endpoints::Relay* Server::State::relay_of(const proxy::ClientRequest& request) const {
  const auto found = std::find_if(relays.begin(), relays.end(), [&](const Endpoints::Relay& relay) {
    return relay.method == request.method && relay.path == request.path;
  });
  return found == relays.end() ? nullptr : &*found;
}

// What can be refused before the body is read. Notes whose key the request shows.
std::optional<Error> Server::State::check(const config::Server& settings,
                                          const http::RequestHead& head,
                                          proxy::ClientRequest& request) const {
  if (front->is_draining()) {
    return Error{ErrorCode::kDraining, "weir is stopping; try again later"};
  }
  if (auto error = check_origin(settings, request)) {
    return error;
  }
  if (!pages.is_public(request.path) && request.method != "OPTIONS") {
    const auto key = check_key(settings, request);
    if (!key) {
      return key.error();
    }
    request.key_name = *key;
  }
  const std::uint64_t bytes_max =
      relay_of(request) != nullptr ? settings.body_bytes_max : kPageBodyBytesMax;
  if (head.content_length.value_or(0) > bytes_max) {
    return Error{ErrorCode::kBodyTooLarge, "the body has " + std::to_string(*head.content_length) +
                                               " bytes; at most " + std::to_string(bytes_max) +
                                               " are allowed here (server.body_bytes_max)"};
  }
  return std::nullopt;
}

void Server::State::note_refusal(const Error& error) const {
  if (on_refused) {
    on_refused(openai::error_reply(error).code);
  }
}

bool Server::State::refuse(ClientConnection& connection, const Error& error,
                           std::string_view extra_lines, openai::ErrorShape shape) {
  note_refusal(error);
  logger.warn("request refused", {{"peer", connection.peer().ip()}, {"cause", error.message}});
  if (error.code != ErrorCode::kClientGone) {
    const std::string answer = error_answer(error, extra_lines, shape);
    const std::string_view pieces[] = {answer};
    static_cast<void>(connection.write(pieces));
    connection.linger_before_close();
  }
  return false;
}

// The request boundary: whatever is left over from below costs this one connection, never the
// daemon.
bool Server::State::serve(ClientConnection& connection) {
  try {
    return serve_next(connection);
  } catch (const std::exception& error) {
    logger.error("a request met a bug of weir", {{"what", error.what()}});
    return refuse(connection,
                  {ErrorCode::kInternal, "weir met an error of its own; its log says more"});
  }
}

bool Server::State::serve_next(ClientConnection& connection) {
  // The views of a parsed head point into this copy; `input` goes on with the body and the next
  // request.
  const std::string head_text = connection.input().substr(0, connection.head_length());
  connection.input().erase(0, head_text.size());
  connection.go_by(terms.get());
  connection.begin_request(false);
  if (head_text.size() > http::kHeadBytesMax) {
    return refuse(connection, {ErrorCode::kHeaderTooLarge, "the request's head is too long"});
  }
  const auto head = http::parse_request_head(head_text);
  if (!head) {
    return refuse(connection, head.error());
  }
  proxy::ClientRequest request = request_of(*head, connection.peer());
  return serve_request(connection, *head, request);
}

bool Server::State::serve_request(ClientConnection& connection, const http::RequestHead& head,
                                  proxy::ClientRequest& request) {
  const config::Server& settings = connection.settings();
  const std::string_view origin = request.value_of("Origin");
  std::string refusal_lines = "X-Request-Id: " + request.id + "\r\n";
  if (!origin.empty() && is_allowed_origin(settings, origin)) {
    refusal_lines += cors_lines(origin);  // the page may read why
  }
  if (const auto error = check(settings, head, request)) {
    return refuse(connection, *error, refusal_lines, openai::error_shape_of(request.path));
  }
  if (head.expects_continue && head.has_body() && connection.input().empty()) {
    const std::string_view go_on[] = {"HTTP/1.1 100 Continue\r\n\r\n"};
    static_cast<void>(connection.write(go_on));
  }
  const bool is_relay = relay_of(request) != nullptr;
  if (const auto error = connection.read_body(
          head, is_relay ? settings.body_bytes_max : kPageBodyBytesMax, {}, request.body)) {
    return refuse(connection, *error, refusal_lines, openai::error_shape_of(request.path));
  }
  connection.begin_request(head.keeps_alive && !front->is_draining());
  if (origin.empty()) {
    answer(request, connection);
  } else {
    CorsSink sink(connection, origin);
    answer(request, sink);
  }
  return connection.keeps_alive();
}

void Server::State::answer(const proxy::ClientRequest& request, proxy::ClientSink& sink) {
  if (is_slip(request.target, request.path)) {
    warn_of_slip(request);
  }
  if (request.method == "OPTIONS") {
    answer_preflight(request, sink);
  } else if (const Endpoints::Relay* relay = relay_of(request)) {
    relay->handler(request, sink);
  } else {
    pages.serve(request, sink);
  }
}

void Server::State::answer_preflight(const proxy::ClientRequest& request,
                                     proxy::ClientSink& sink) const {
  std::string head =
      "HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Methods: GET, POST, OPTIONS\r\n";
  const std::string_view wanted = request.value_of("Access-Control-Request-Headers");
  if (!wanted.empty()) {
    head.append("Access-Control-Allow-Headers: ").append(wanted).append("\r\n");
  }
  head.append("Access-Control-Max-Age: 600\r\n");
  head.append(sink.keeps_alive() ? "" : "Connection: close\r\n").append("\r\n");
  const std::string_view pieces[] = {head};
  static_cast<void>(sink.write(pieces));
}

// Of each client once: it will go on for as long as nobody looks.
bool Server::State::is_first_warning(std::string_view about, const std::string& peer_ip) {
  const base::MutexLock lock(mutex);
  return warned.size() < kWarningsMax && warned.insert(std::string(about) + peer_ip).second;
}

void Server::State::warn_of_handshake(const ClientConnection& connection, const Error& error) {
  const bool is_of_tls = !connection.handshake_failure().empty() || connection.spoke_tls();
  if (is_of_tls && is_first_warning("handshake ", connection.peer().ip())) {
    logger.warn("a client is refused, and from now on without a word",
                {{"peer", connection.peer().ip()}, {"cause", error.message}});
  }
}

void Server::State::warn_of_slip(const proxy::ClientRequest& request) {
  if (!is_first_warning("slip ", request.peer_ip)) {
    return;
  }
  const auto path = request.target.substr(0, request.target.find('?'));
  logger.warn(
      "a client asks for a path that is nearly right; set its base_url to http://HOST:PORT/v1",
      {{"peer", request.peer_ip},
       {"path", base::printable(path, 100)},
       {"taken_as", request.path}});
}

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {
}

Server::~Server() {
  state_->front->stop();
}

base::Result<std::unique_ptr<Server>> Server::start(const config::Server& settings,
                                                    Endpoints endpoints, log::Logger& logger) {
  auto prepared = prepare(settings);
  if (!prepared) {
    return prepared.error();
  }
  std::vector<os::Socket> listeners;
  for (const config::ListenAddress& address : settings.listen) {
    auto listener = os::listen_on(address.host, address.port);
    if (!listener) {
      return listener.error();
    }
    listeners.push_back(std::move(*listener));
  }
  auto state = std::make_unique<State>(prepared->terms, std::move(endpoints), logger);
  State* raw = state.get();
  state->front = std::make_unique<Front>(
      std::move(listeners), raw->terms,
      [raw](ClientConnection& connection) { return raw->serve(connection); },
      [raw](ClientConnection& connection, const Error& error) {
        raw->note_refusal(error);
        raw->warn_of_handshake(connection, error);
        connection.write_now(error_answer(error));
      });
  state->front->start();
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

base::Result<Prepared> Server::prepare(const config::Server& settings) {
  Prepared prepared;
  std::unique_ptr<TlsContext> tls;
  if (!settings.tls_cert.empty()) {
    auto opened = TlsContext::open(settings);
    if (!opened) {
      return opened.error();
    }
    tls = *std::move(opened);
    prepared.warnings = tls->warnings();
  }
  prepared.terms = std::make_shared<const Terms>(Terms{settings, std::move(tls)});
  return prepared;
}

void Server::apply(std::shared_ptr<const Terms> terms) {
  state_->terms.replace(std::move(terms));
}

std::vector<os::Address> Server::addresses() const {
  std::vector<os::Address> addresses;
  for (const os::Socket& listener : state_->front->listeners()) {
    addresses.push_back(os::local_address(listener));
  }
  return addresses;
}

std::uint32_t Server::connections() const {
  return state_->front->connections();
}

base::SteadyTime Server::last_turn() const {
  return state_->front->last_turn();
}

bool Server::drain(std::chrono::steady_clock::duration grace) {
  return state_->front->drain(std::chrono::steady_clock::now() + grace);
}

}  // namespace weir::server
