#include "fault_rows.h"

#include <sstream>

namespace weir::flow {
namespace {

constexpr std::string_view kContextError =
    R"x({"error":{"code":400,"message":"request (1210 tokens) exceeds the available context size (1024 tokens)","type":"exceed_context_size_error","n_prompt_tokens":1210,"n_ctx":1024}})x";
constexpr std::string_view kOwnError =
    R"({"error":{"message":"the server's own words","code":"x"}})";
constexpr std::string_view kHeadOfStream =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
constexpr std::string_view kHeadOfJson =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";

std::string chunk(std::string_view bytes) {
  std::ostringstream framed;
  framed << std::hex << bytes.size() << "\r\n" << bytes << "\r\n";
  return framed.str();
}

const Told kUnreachable{502, "upstream_unreachable", Ending::kWhole, "down"};
const Told kBroken{502, "upstream_unreachable", Ending::kWhole, "error"};
const Told kTooSlow{504, "upstream_timeout", Ending::kWhole, "error"};

FaultScript plainly(fakes::Script script) {
  return [script = std::move(script)](Talk& talk, const fakes::Gate&) { script(talk); };
}

FaultScript says(std::string_view bytes) {
  return [bytes = std::string(bytes)](Talk& talk, const fakes::Gate&) {
    talk.send(bytes);
    talk.close();
  };
}

FaultScript says_and_hangs(std::string_view bytes) {
  return [bytes = std::string(bytes)](Talk& talk, const fakes::Gate&) {
    talk.send(bytes);
    talk.wait_for_close();
  };
}

// `first`, and when the client has it `then` and an end without a word.
FaultScript says_then(std::string first, std::string then, void (Talk::*end)()) {
  return [=](Talk& talk, const fakes::Gate& go_on) {
    talk.send(first);
    talk.wait(go_on);
    talk.send(then);
    (talk.*end)();
  };
}

// An error of the upstream's own with that status.
Fault answered(int status, std::string fallback, std::string_view body = kOwnError,
               std::string header_lines = "") {
  const Told told{status, "", Ending::kWhole, std::move(fallback)};
  const auto script = plainly(answers(status, std::string(body), std::move(header_lines)));
  return {.name = "status_" + std::to_string(status),
          .plain = told,
          .stream = told,
          .connections = 1,
          .requests = 1,
          .cause = "",
          .body = std::string(body),
          .plain_script = script,
          .stream_script = script};
}

std::vector<Fault> faults_before_a_connection() {
  return {
      {.name = "refused",
       .plain = kUnreachable,
       .stream = kUnreachable,
       .cause = "Connection refused",
       .body = "",
       .runs = false},
      {.name = "dns_failure",
       .plain = kUnreachable,
       .stream = kUnreachable,
       .cause = "no-such-host.invalid",
       .body = "",
       .configure = [](config::Upstream& first) { first.base_url.host = "no-such-host.invalid"; }},
      {.name = "tls_failure",
       .plain = kUnreachable,
       .stream = kUnreachable,
       .connections = 1,
       .cause = "TLS",
       .body = "",
       .on_connection =
           [](Talk& talk) {
             talk.send("this is no TLS\r\n");
             talk.close();
           },
       .configure = [](config::Upstream& first) { first.base_url.tls = true; }},
      {.name = "wrong_certificate",
       .plain = kUnreachable,
       .stream = kUnreachable,
       .connections = 1,
       .cause = "the certificate was refused",
       .body = "",
       .configure = [](config::Upstream& first) { first.base_url.tls = true; },
       .is_tls = true},
  };
}

std::vector<Fault> faults_before_an_answer() {
  return {
      {.name = "accept_and_close",
       .plain = kBroken,
       .stream = kBroken,
       .connections = 1,
       .cause = "the connection",  // closed or reset, whichever is noticed first
       .body = "",
       .on_connection = [](Talk& talk) { talk.close(); }},
      {.name = "accept_and_hang",
       .plain = kTooSlow,
       .stream = kTooSlow,
       .connections = 1,
       .requests = 1,
       .cause = "no answer within timeout",
       .body = "",
       .plain_script = says_and_hangs(""),
       .stream_script = says_and_hangs("")},
      {.name = "half_a_status_line",
       .plain = kBroken,
       .stream = kBroken,
       .connections = 1,
       .requests = 1,
       .cause = "closed the connection",
       .body = "",
       .plain_script = says("HTTP/1.1 20"),
       .stream_script = says("HTTP/1.1 20")},
      {.name = "half_the_headers",
       .plain = kBroken,
       .stream = kBroken,
       .connections = 1,
       .requests = 1,
       .cause = "closed the connection",
       .body = "",
       .plain_script = says("HTTP/1.1 200 OK\r\nContent-Type: applic"),
       .stream_script = says("HTTP/1.1 200 OK\r\nContent-Type: text/ev")},
      // The head of a stream goes out at once where nobody else can be asked.
      {.name = "headers_and_hang",
       .plain = kTooSlow,
       .stream = {200, "", Ending::kErrorEvent, "error"},
       .connections = 1,
       .requests = 1,
       .cause = "timeout",
       .body = "",
       .plain_script = says_and_hangs(kHeadOfJson),
       .stream_script = says_and_hangs(kHeadOfStream)},
  };
}

// Once an event has gone out there is no way back; a plain answer is held while there is.
std::vector<Fault> faults_within_an_answer() {
  return {
      {.name = "reset_in_a_chunk",
       .plain = {200, "", Ending::kCut, "error"},
       .stream = {200, "", Ending::kErrorEvent, ""},
       .connections = 1,
       .requests = 1,
       .cause = "the connection",  // closed or reset, whichever is noticed first
       .body = "cho",
       .plain_script = says_then(std::string(kHeadOfJson) + "100\r\n{\"cho", "", &Talk::reset),
       .stream_script = says_then(std::string(kHeadOfStream) + chunk(event("one")),
                                  "100\r\ndata: {\"cho", &Talk::reset),
       .seen_before = "one",
       .seen_before_plain = "cho"},
      {.name = "bad_chunk_size",
       .plain = kBroken,
       .stream = {200, "", Ending::kErrorEvent, "error"},
       .connections = 1,
       .requests = 1,
       .cause = "the upstream broke its chunk framing",
       .body = "",
       .plain_script = says(std::string(kHeadOfJson) + "zz\r\n{}\r\n"),
       .stream_script = says_then(std::string(kHeadOfStream), "zz\r\ndata: {}\r\n", &Talk::close),
       .seen_before = "\r\n\r\n"},
      {.name = "short_content_length",
       .plain = {200, "", Ending::kCut, "error"},
       .stream = {200, "", Ending::kCut, ""},
       .connections = 1,
       .requests = 1,
       .cause = "closed the connection in the middle",
       .body = "choices",
       .plain_script =
           says("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
                "{\"choices\":[]"),
       .stream_script = says(
           "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 1000\r\n\r\n" +
           event("one"))},
      {.name = "error_under_200",
       .plain = {200, "", Ending::kWhole, "context"},
       .stream = {200, "", Ending::kWhole, "context"},
       .connections = 1,
       .requests = 1,
       .cause = "",
       .body = "exceeds the available context size",
       .plain_script = plainly(answers(200, std::string(kContextError))),
       .stream_script = plainly(streams("data: " + std::string(kContextError) + "\n\n"))},
  };
}

std::vector<Fault> refusals() {
  return {
      answered(500, "error"),
      answered(502, "error"),
      answered(503, "error"),
      answered(504, "error"),
      answered(401, ""),
      answered(429, "", kOwnError, "Retry-After: 7\r\n"),
      answered(400, "context", kContextError),
  };
}

}  // namespace

std::vector<Fault> all_faults() {
  std::vector<Fault> all;
  for (auto* part :
       {faults_before_a_connection, faults_before_an_answer, faults_within_an_answer, refusals}) {
    for (Fault& fault : part()) {
      all.push_back(std::move(fault));
    }
  }
  return all;
}

}  // namespace weir::flow
