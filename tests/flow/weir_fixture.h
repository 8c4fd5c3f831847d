#pragma once

// A whole weir in this process, between a scripted local server and a scripted cloud (TLS, own
// authority), on free ports, with its log in a file.

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "raw_client.h"
#include "runtime.h"
#include "scripted_upstream.h"
#include "test_ca.h"

namespace weir::flow {

using fakes::RawClient;
using fakes::Reply;
using fakes::request_text;
using fakes::ScriptedUpstream;
using fakes::Talk;

// What the cases of field-cases.md call K_IN, K_UP and the local server's key.
constexpr std::string_view kClientKey = "client-key-canary-1";
constexpr std::string_view kCloudKey = "cloud-key-canary-2";
constexpr std::string_view kLocalKey = "local-key-canary-5";
constexpr std::uint64_t kThreshold = 1000;

// A change to the configuration before weir starts.
using Change = std::function<void(config::Config&)>;

struct Setup {
  bool local_runs = true;       // false: nothing listens on its port
  bool local_is_tls = false;
  bool cloud_is_plain = false;  // no TLS
  std::string log_level = "info";
};

// Ends its upstreams, and with them all scripts, in its destructor: what a script uses (a gate,
// say) is declared before it.
class Weir {
 public:
  explicit Weir(const Change& change = {}, const Setup& setup = {});
  ~Weir();
  Weir(const Weir&) = delete;
  Weir& operator=(const Weir&) = delete;

  ScriptedUpstream& local() { return *local_; }
  ScriptedUpstream& cloud() { return *cloud_; }
  // On the port that the configuration names, when it was not there at first.
  void start_local();

  std::uint16_t port() const { return port_; }
  RawClient client() const { return RawClient(port_); }
  cli::Runtime& runtime() { return *runtime_; }
  // Puts a changed configuration in force, or one that cannot be read.
  base::Result<cli::ReloadReport> reload(const Change& change);
  base::Result<cli::ReloadReport> reload_faulty(const std::string& faults);
  // What the next reload reads, whoever asks for it.
  void set_next(const Change& change);
  void set_next_fault(const std::string& faults);
  // Ends weir at once and waits for all of its threads.
  void end() { runtime_.reset(); }

  std::string log_text() const;
  // Waits until the log holds `count` lines with `text`; a request's line comes after its last
  // byte.
  bool wait_for_log(std::string_view text, std::size_t count = 1) const;

 private:
  std::uint16_t local_port_ = 0;
  std::unique_ptr<ScriptedUpstream> local_;
  std::unique_ptr<ScriptedUpstream> cloud_;
  std::filesystem::path log_file_;
  std::unique_ptr<log::Logger> logger_;
  config::Loaded loaded_;  // what was put in force last
  base::Result<config::Loaded> next_ = config::Loaded{};  // what the next reload reads
  std::unique_ptr<cli::Runtime> runtime_;
  std::uint16_t port_ = 0;
};

// Sets the configuration of the upstream of that kind.
config::Upstream& local_of(config::Config& config);
config::Upstream& cloud_of(config::Config& config);

// {"model":"auto",<members>"messages":[{"role":"user","content":<text>}]}
std::string chat_body(std::string_view text, std::string_view members = "");
std::string short_chat(std::string_view members = "");  // "ping"
std::string long_chat(std::string_view members = "");   // "river " 3,000 times
constexpr std::string_view kStream = R"("stream":true,)";

// A whole request with that body.
std::string post(std::string_view body, std::string_view header_lines = "");
// Sends it on a new connection and reads the reply.
Reply ask(std::uint16_t port, std::string_view body, std::string_view header_lines = "");

// One event of a streamed answer with its blank line.
std::string event(std::string_view content);
constexpr std::string_view kDone = "data: [DONE]\n\n";

// A script that streams `bytes` in one chunk and ends properly.
fakes::Script streams(std::string bytes);
fakes::Script answers(int status, std::string body, std::string header_lines = "");

// One value of a header of `reply`.
std::string header_of(const Reply& reply, std::string_view name);

}  // namespace weir::flow
