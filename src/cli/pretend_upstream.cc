#include "pretend_upstream.h"

#include <array>

#include "weir/base/json_text.h"
#include "weir/openai/chat_request.h"
#include "weir/openai/error_reply.h"
#include "weir/os/wait.h"

namespace weir::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenEvents{25};

std::string json_text(std::string_view text) {
  std::string out;
  base::append_json_string(out, text);
  return out;
}

std::string event(std::string_view model, std::string_view delta, std::string_view finish) {
  return R"(data: {"id":"demo","object":"chat.completion.chunk","created":0,"model":)" +
         json_text(model) + R"(,"choices":[{"index":0,"delta":)" + std::string(delta) +
         R"(,"finish_reason":)" + std::string(finish) + "}]}\n\n";
}

void write(proxy::ClientSink& sink, std::string_view bytes) {
  const std::string_view pieces[] = {bytes};
  static_cast<void>(sink.write(pieces));
}

}  // namespace

base::Result<std::unique_ptr<PretendUpstream>> PretendUpstream::start(std::string name,
                                                                      log::Logger& logger) {
  std::unique_ptr<PretendUpstream> upstream(new PretendUpstream(std::move(name)));
  upstream->settings_.listen = {{"127.0.0.1", 0}};
  PretendUpstream* raw = upstream.get();
  server::Endpoints endpoints;
  endpoints.relays = {{"POST", "/v1/chat/completions",
                       [raw](const proxy::ClientRequest& request, proxy::ClientSink& sink) {
                         raw->answer(request, sink);
                       }}};
  endpoints.pages = {{"GET", "/health", true, [](const proxy::ClientRequest&) {
                        return server::Page{.body = R"({"status":"ok"})"};
                      }}};
  auto server = server::Server::start(upstream->settings_, std::move(endpoints), logger);
  if (!server) {
    return server.error();
  }
  upstream->server_ = std::move(*server);
  return upstream;
}

std::uint16_t PretendUpstream::port() const {
  return server_->addresses().front().port();
}

void PretendUpstream::answer(const proxy::ClientRequest& request, proxy::ClientSink& sink) const {
  const auto chat = openai::ChatRequest::parse(request.body);
  sink.close_after();
  if (!chat) {
    const openai::ErrorReply reply = openai::error_reply(chat.error());
    write(sink, "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: " +
                    std::to_string(reply.body.size()) + "\r\nConnection: close\r\n\r\n" +
                    reply.body);
    return;
  }
  const std::array<std::string, 5> words{"This ", "answer ", "comes ", "from ",
                                         name_ + " \xE2\x9C\x93"};
  if (!chat->stream()) {
    std::string text;
    for (const std::string& word : words) {
      text += word;
    }
    const std::string body =
        R"({"id":"demo","object":"chat.completion","created":0,"model":)" + json_text(name_) +
        R"(,"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":)" +
        json_text(text) + "}}]}";
    write(sink, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
                    std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + body);
    return;
  }
  write(sink, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
  for (const std::string& word : words) {
    write(sink, event(name_, "{\"content\":" + json_text(word) + "}", "null"));
    static_cast<void>(os::wait_for(os::kNoSocket, os::Interest::kNothing,
                                   std::chrono::steady_clock::now() + kBetweenEvents, {}));
  }
  write(sink, event(name_, "{}", "\"stop\"") + "data: [DONE]\n\n");
}

}  // namespace weir::cli
