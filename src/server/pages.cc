#include "pages.h"

#include <algorithm>
#include <exception>

#include "front_limits.h"
#include "page_stream.h"
#include "weir/base/text.h"
#include "weir/openai/error_reply.h"

namespace weir::server {
namespace {

constexpr std::size_t kRequestsPerConnectionShown =
    100000;  // there is no such limit; the library must name one

// The request that this thread is serving: a handler of the library is given no context of ours.
thread_local const proxy::ClientRequest* current_request = nullptr;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : ", ") + word;
  }
  return text;
}

// A path is matched as a regular expression by the library.
std::string quoted_pattern(std::string_view path) {
  std::string pattern;
  for (const char c : path) {
    if (c == '.') {
      pattern.push_back('\\');
    }
    pattern.push_back(c);
  }
  return pattern;
}

}  // namespace

struct Pages::State {
  std::vector<Endpoints::Plain> pages;
  std::vector<std::string> relay_paths;
  log::Logger& logger;
  PageServer server;

  void add(const Endpoints::Plain& page);
  void show_error(httplib::Response& response) const;
  std::vector<std::string> methods_of(std::string_view path) const;
};

void Pages::State::add(const Endpoints::Plain& page) {
  const auto show = [this, handler = page.handler](const httplib::Request&,
                                                   httplib::Response& response) {
    try {
      const Page shown = handler(*current_request);
      response.status = shown.status;
      response.set_content(shown.body, shown.content_type.c_str());
      if (!shown.error_code.empty()) {
        response.set_header("X-Weir-Error", shown.error_code.c_str());
      }
    } catch (const std::exception& error) {
      logger.error("a page met a bug of weir", {{"what", error.what()}});
      response.status = 500;
    }
  };
  const std::string pattern = quoted_pattern(page.path);
  if (page.method == "POST") {
    server.Post(pattern, show);
  } else {
    server.Get(pattern, show);
  }
}

std::vector<std::string> Pages::State::methods_of(std::string_view path) const {
  std::vector<std::string> methods;
  for (const Endpoints::Plain& page : pages) {
    if (page.path == path) {
      methods.push_back(page.method);
    }
  }
  if (std::find(relay_paths.begin(), relay_paths.end(), path) != relay_paths.end()) {
    methods.emplace_back("POST");
  }
  return methods;
}

// What the library answers without a body of its own: no such path, a wrong method, a handler that
// failed.
void Pages::State::show_error(httplib::Response& response) const {
  if (!response.body.empty()) {
    return;
  }
  base::Error error{base::ErrorCode::kInternal, "weir met an error of its own; its log says more"};
  const std::string& path = current_request->path;
  if (response.status == 404) {
    const auto methods = methods_of(path);
    if (!methods.empty()) {
      error = {base::ErrorCode::kMethodNotAllowed, base::printable(current_request->method, 20) +
                                                       " does not work here; use " +
                                                       joined(methods)};
      response.set_header("Allow", joined(methods));
    } else {
      std::vector<std::string_view> known(relay_paths.begin(), relay_paths.end());
      std::transform(pages.begin(), pages.end(), std::back_inserter(known),
                     [](const Endpoints::Plain& page) { return std::string_view(page.path); });
      const std::string_view nearest = base::nearest_of(path, known);
      std::string hint =
          nearest.empty() ? "there are:" : "did you mean " + std::string(nearest) + "? There are:";
      for (const std::string_view name : known) {
        hint.append(" ").append(name);
      }
      error = {base::ErrorCode::kNotFound,
               "there is no " + base::printable(path, 100) + "; " + hint};
    }
  }
  const openai::ErrorReply reply = openai::error_reply(error, openai::error_shape_of(path));
  response.status = reply.status;
  response.set_header("X-Weir-Error", std::string(reply.code).c_str());
  response.set_content(reply.body, "application/json");
}

Pages::Pages(std::vector<Endpoints::Plain> pages, std::vector<std::string> relay_paths,
             log::Logger& logger)
    : state_(new State{std::move(pages), std::move(relay_paths), logger, {}}) {
  for (const Endpoints::Plain& page : state_->pages) {
    state_->add(page);
  }
  state_->server.set_keep_alive_timeout(
      kIdleConnectionMax.count());  // only what it says in a header
  state_->server.set_keep_alive_max_count(kRequestsPerConnectionShown);
  state_->server.set_error_handler([this](const httplib::Request&, httplib::Response& response) {
    state_->show_error(response);
    response.set_header("X-Request-Id", current_request->id.c_str());
  });
}

Pages::~Pages() = default;

bool Pages::is_public(std::string_view path) const {
  return std::any_of(state_->pages.begin(), state_->pages.end(), [&](const Endpoints::Plain& page) {
    return page.is_public && page.path == path;
  });
}

void Pages::serve(const proxy::ClientRequest& request, proxy::ClientSink& sink) {
  // The library knows these methods; another one is like a wrong one for it.
  constexpr std::string_view kKnown[] = {"GET",    "HEAD",    "POST", "PUT",
                                         "DELETE", "OPTIONS", "PATCH"};
  const bool known =
      std::find(std::begin(kKnown), std::end(kKnown), request.method) != std::end(kKnown);
  const bool plain = base::printable(request.path, request.path.size()) == request.path;
  std::string input(known ? request.method : std::string_view("PUT"));
  input.append(" ").append(plain ? request.path : "/").append(" HTTP/1.1\r\nHost: weir\r\n");
  input.append("Content-Length: ")
      .append(std::to_string(request.body.size()))
      .append("\r\n\r\n")
      .append(request.body);
  PageStream stream(input, sink);
  current_request = &request;
  state_->server.serve(stream, !sink.keeps_alive());
  current_request = nullptr;
}

}  // namespace weir::server
