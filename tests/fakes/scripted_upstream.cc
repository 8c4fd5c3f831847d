#include "scripted_upstream.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "http_text.h"
#include "weir/os/wait.h"

namespace weir::fakes {
namespace {

using std::chrono::steady_clock;

constexpr std::string_view kSmallAnswer =
    R"({"id":"c1","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"yes"}}]})";

std::string answer_text(int status, std::string_view body, std::string_view header_lines) {
  std::string text = "HTTP/1.1 " + std::to_string(status) + " Status\r\n";
  text.append(header_lines);
  if (header_lines.find("Content-Type:") == std::string_view::npos) {
    text.append("Content-Type: application/json\r\n");
  }
  text.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n");
  return text.append(body);
}

bool is_probe(std::string_view head) {
  const std::string line = first_line(head);
  return line.starts_with("GET /health ") || line.starts_with("GET /props ") ||
         line.starts_with("GET /v1/models ");
}

std::string probe_answer(std::string_view head, const Probes& probes) {
  const std::string close = "Connection: close\r\n";
  if (head.starts_with("GET /health ")) {
    return answer_text(probes.health_status, probes.health, close);
  }
  const std::string& body = head.starts_with("GET /props ") ? probes.props : probes.models;
  return answer_text(body.empty() ? 404 : 200, body, close);
}

}  // namespace

Talk::Talk(ScriptedUpstream& upstream, std::size_t connection, os::Socket socket)
    : upstream_(upstream), connection_(connection), stream_(std::move(socket)) {
}

void Talk::note_ending(Ending ending) {
  if (over_) {
    return;
  }
  over_ = true;
  const base::MutexLock lock(upstream_.mutex_);
  ConnectionRecord& record = upstream_.connections_[connection_];
  record.closed = steady_clock::now();
  record.ending = ending;
  auto& open = upstream_.open_;
  open.erase(std::remove(open.begin(), open.end(), stream_.handle()), open.end());
  upstream_.changed_.notify_all();
}

bool Talk::note_if_ended(bool still_there) {
  if (!still_there && !over_) {
    note_ending(stream_.how_it_ended() == Got::kReset ? Ending::kPeerReset : Ending::kPeerFin);
  }
  return still_there;
}

bool Talk::send(std::string_view bytes) {
  return !over_ && note_if_ended(stream_.send(bytes));
}

bool Talk::send_bytewise(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [this](const char& c) { return send({&c, 1}); });
}

bool Talk::answer(int status, std::string_view body, std::string_view header_lines) {
  return send(answer_text(status, body, header_lines));
}

bool Talk::start_stream(std::string_view header_lines) {
  std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n";
  head.append("Transfer-Encoding: chunked\r\n").append(header_lines).append("\r\n");
  return send(head);
}

bool Talk::chunk(std::string_view bytes) {
  char size[16];
  char* end = std::to_chars(size, size + sizeof size, bytes.size(), 16).ptr;
  std::string framed(size, end);
  return send(framed.append("\r\n").append(bytes).append("\r\n"));
}

bool Talk::end_stream() {
  return send("0\r\n\r\n");
}

bool Talk::wait(const Gate& gate) {
  if (over_) {
    return false;
  }
  const auto outcome = os::wait_for(os::kNoSocket, os::Interest::kNothing, patience(),
                                    {stream_.handle(), gate.handle()});
  return note_if_ended(outcome == os::WaitOutcome::kStopped);
}

bool Talk::pause(std::chrono::milliseconds time) {
  if (over_) {
    return false;
  }
  const auto outcome = os::wait_for(os::kNoSocket, os::Interest::kNothing,
                                    steady_clock::now() + time, {stream_.handle(), os::kNoSocket});
  return note_if_ended(outcome == os::WaitOutcome::kTimeout);
}

void Talk::wait_for_close() {
  const Gate never;
  wait(never);
}

bool Talk::read_more() {
  if (over_) {
    return false;
  }
  const std::size_t before = input_.size();
  const Got got = stream_.receive(input_);
  {
    const base::MutexLock lock(upstream_.mutex_);
    upstream_.connections_[connection_].bytes.append(input_, before);
  }
  if (got != Got::kBytes) {
    note_ending(got == Got::kReset ? Ending::kPeerReset : Ending::kPeerFin);
  }
  return got == Got::kBytes;
}

bool Talk::read_bytes(std::size_t bytes) {
  while (input_.size() < bytes) {
    if (!read_more()) {
      return false;
    }
  }
  return true;
}

bool Talk::read_head(std::string& head) {
  std::size_t end = 0;
  while ((end = head_bytes(input_)) == 0) {
    if (!read_more()) {
      return false;
    }
  }
  head = input_.substr(0, end);
  input_.erase(0, end);
  return true;
}

bool Talk::read_request() {
  Received request;
  if (!read_head(request.head)) {
    return false;
  }
  request.head_at = steady_clock::now();
  request.connection = connection_;
  request.reused = requests_++ > 0;
  const std::string length = header_value(request.head, "Content-Length");
  const std::size_t bytes = length.empty() ? 0 : std::stoul(length);
  if (!read_bytes(bytes)) {
    return false;
  }
  request.body = input_.substr(0, bytes);
  input_.erase(0, bytes);
  request.whole_at = steady_clock::now();
  request_ = std::move(request);
  return true;
}

// One request and its answer. False: the connection is at its end.
bool Talk::serve_next() {
  if (const Script script = upstream_.take(&ScriptedUpstream::next_unread_)) {
    script(*this);
  }
  if (over_ || !read_request()) {
    return false;
  }
  if (is_probe(request_.head)) {
    const Probes probes = upstream_.probes();
    if (!probes.closes && !probes.is_silent) {
      send(probe_answer(request_.head, probes));
    }
    {
      const base::MutexLock lock(upstream_.mutex_);
      ++upstream_.probe_count_;
      upstream_.changed_.notify_all();
    }
    if (probes.is_silent) {
      wait_for_close();
    }
    close();
    return false;
  }
  {
    const base::MutexLock lock(upstream_.mutex_);
    upstream_.requests_.push_back(request_);
    upstream_.changed_.notify_all();
  }
  upstream_.take (&ScriptedUpstream::next_)(*this);
  return !over_;
}

void Talk::half_close() {
  stream_.half_close();
}

void Talk::close() {
  note_ending(Ending::kByScript);
  stream_.close();
}

void Talk::reset() {
  note_ending(Ending::kByScript);
  stream_.reset();
}

ScriptedUpstream::ScriptedUpstream(const Options& options) : tls_(options.tls) {
  auto listener = os::listen_on(options.host, options.port);
  if (!listener) {
    throw std::runtime_error(listener.error().message);
  }
  listener_ = std::move(*listener);
  port_ = os::local_address(listener_).port();
  always([](Talk& talk) { talk.answer(200, kSmallAnswer); });
  accept_thread_ = std::thread([this] { accept_loop(); });
}

ScriptedUpstream::~ScriptedUpstream() {
  stop_.raise();
  accept_thread_.join();
  {
    const base::MutexLock lock(mutex_);
    for (const os::NativeSocket socket : open_) {
      os::shut_down_both(socket);
    }
  }
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

void ScriptedUpstream::accept_loop() {
  const os::Guards guards{os::kNoSocket, stop_.handle()};
  while (os::wait_for(listener_.handle(), os::Interest::kRead, base::SteadyTime::max(), guards) !=
         os::WaitOutcome::kStopped) {
    os::Accepted accepted = os::accept_next(listener_);
    if (!accepted.socket.is_open()) {
      continue;
    }
    std::size_t number = 0;
    {
      const base::MutexLock lock(mutex_);
      number = connections_.size();
      connections_.emplace_back().opened = steady_clock::now();
      open_.push_back(accepted.socket.handle());
      changed_.notify_all();
    }
    threads_.emplace_back([this, number, socket = std::move(accepted.socket)]() mutable {
      serve(number, std::move(socket));
    });
  }
  listener_.close();
}

void ScriptedUpstream::serve(std::size_t connection, os::Socket socket) {
  Talk talk(*this, connection, std::move(socket));
  if (const Script script = take(&ScriptedUpstream::next_connections_)) {
    script(talk);
  }
  if (!talk.is_over() && tls_ != nullptr) {
    const bool secure = talk.stream_.accept_tls(tls_);
    const base::MutexLock lock(mutex_);
    connections_[connection].tls_failed = !secure;
    connections_[connection].tls_server_name = talk.stream_.tls_server_name();
  }
  while (!talk.is_over() && talk.serve_next()) {
  }
  talk.note_ending(Ending::kByScript);
}

void ScriptedUpstream::always(Script script) {
  const base::MutexLock lock(mutex_);
  always_ = std::move(script);
}

void ScriptedUpstream::next(Script script) {
  const base::MutexLock lock(mutex_);
  next_.push_back(std::move(script));
}

void ScriptedUpstream::next_connection(Script script) {
  const base::MutexLock lock(mutex_);
  next_connections_.push_back(std::move(script));
}

void ScriptedUpstream::next_unread(Script script) {
  const base::MutexLock lock(mutex_);
  next_unread_.push_back(std::move(script));
}

void ScriptedUpstream::set_probes(Probes probes) {
  const base::MutexLock lock(mutex_);
  probes_ = std::move(probes);
}

Probes ScriptedUpstream::probes() const {
  const base::MutexLock lock(mutex_);
  return probes_;
}

Script ScriptedUpstream::take(std::deque<Script> ScriptedUpstream::*queue) {
  const base::MutexLock lock(mutex_);
  std::deque<Script>& scripts = this->*queue;
  if (scripts.empty()) {
    return queue == &ScriptedUpstream::next_ ? always_ : nullptr;
  }
  Script script = std::move(scripts.front());
  scripts.pop_front();
  return script;
}

std::vector<Received> ScriptedUpstream::requests() const {
  const base::MutexLock lock(mutex_);
  return requests_;
}

Received ScriptedUpstream::request(std::size_t index) const {
  const base::MutexLock lock(mutex_);
  return index < requests_.size() ? requests_[index] : Received();
}

std::vector<ConnectionRecord> ScriptedUpstream::connections() const {
  const base::MutexLock lock(mutex_);
  return connections_;
}

std::size_t ScriptedUpstream::probe_count() const {
  const base::MutexLock lock(mutex_);
  return probe_count_;
}

std::string ScriptedUpstream::all_bytes() const {
  std::string bytes;
  for (const ConnectionRecord& record : connections()) {
    bytes += record.bytes;
  }
  return bytes;
}

template <class Predicate>
bool ScriptedUpstream::wait_until(const Predicate& predicate) const {
  const auto deadline = patience();
  const base::MutexLock lock(mutex_);
  while (!predicate()) {
    if (!changed_.wait_until(mutex_, deadline)) {
      return predicate();
    }
  }
  return true;
}

bool ScriptedUpstream::wait_for_requests(std::size_t count) const {
  return wait_until([&]() REQUIRES(mutex_) { return requests_.size() >= count; });
}

bool ScriptedUpstream::wait_for_connections(std::size_t count) const {
  return wait_until([&]() REQUIRES(mutex_) { return connections_.size() >= count; });
}

bool ScriptedUpstream::wait_for_probes(std::size_t count) const {
  return wait_until([&]() REQUIRES(mutex_) { return probe_count_ >= count; });
}

bool ScriptedUpstream::wait_for_close(std::size_t request) const {
  return wait_until([&]() REQUIRES(mutex_) {
    return request < requests_.size() &&
           connections_[requests_[request].connection].ending != Ending::kOpen;
  });
}

ConnectionRecord ScriptedUpstream::connection_of(std::size_t request) const {
  const base::MutexLock lock(mutex_);
  return connections_.at(requests_.at(request).connection);
}

std::size_t ScriptedUpstream::open_connections() const {
  const base::MutexLock lock(mutex_);
  return open_.size();
}

}  // namespace weir::fakes
