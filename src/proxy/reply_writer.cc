#include "reply_writer.h"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "header_rules.h"
#include "weir/base/text.h"
#include "weir/http/reason_phrase.h"
#include "weir/openai/error_reply.h"

namespace weir::proxy {
namespace {

constexpr std::string_view kRetryAfterSeconds = "2";

bool has_field(const upstream::Exchange& exchange, std::string_view name) {
  const auto& fields = exchange.fields();
  return std::any_of(fields.begin(), fields.end(), [&](const http::RawField& field) {
    return base::equal_ignoring_case(field.name, name);
  });
}

}  // namespace

void ReplyWriter::begin_head(int status, std::string_view reason_phrase) {
  head_.clear();
  head_.reserve(1024);
  head_.append("HTTP/1.1 ")
      .append(std::to_string(status))
      .append(" ")
      .append(reason_phrase)
      .append("\r\n");
  record_.status = status;
}

void ReplyWriter::add(std::string_view name, std::string_view value) {
  head_.append(name).append(": ").append(value).append("\r\n");
}

void ReplyWriter::end_head() {
  if (framing_ == Framing::kClose) {
    sink_.close_after();
  }
  if (!sink_.keeps_alive()) {
    add("Connection", "close");
  } else if (request_.http_1_0) {
    add("Connection", "keep-alive");
  }
  head_.append("\r\n");
}

void ReplyWriter::start(const upstream::Exchange& exchange, const ExtraHeaders& extra) {
  begin_head(exchange.status(), exchange.reason_phrase());
  const std::string_view connection = exchange.value_of("Connection");
  for (const http::RawField& field : exchange.fields()) {
    if (passes_to_client(field.name, connection)) {
      head_.append(field.line).append("\r\n");
    }
  }
  for (const auto& [name, value] : extra) {
    if (base::starts_with_ignoring_case(name, "X-Weir-") || !has_field(exchange, name)) {
      add(name, value);
    }
  }
  has_body_ = exchange.has_body();
  if (const auto length = exchange.content_length()) {
    framing_ = Framing::kLength;
    add("Content-Length", std::to_string(*length));
  } else if (has_body_) {
    framing_ = request_.http_1_0 ? Framing::kClose : Framing::kChunked;
    if (framing_ == Framing::kChunked) {
      add("Transfer-Encoding", "chunked");
    }
  }
  end_head();
}

bool ReplyWriter::send(std::span<const std::string_view> pieces) {
  sent_ = true;
  if (!record_.first_byte) {
    record_.first_byte = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - request_.received);
  }
  return sink_.write(pieces);
}

bool ReplyWriter::piece(std::string_view bytes) {
  if (bytes.empty()) {
    return true;
  }
  record_.bytes += bytes.size();
  const std::string head = std::move(head_);
  head_.clear();
  if (framing_ != Framing::kChunked) {
    const std::string_view pieces[] = {head, bytes};
    return send(pieces);
  }
  char mark[24];
  char* end = std::to_chars(mark, mark + 16, bytes.size(), 16).ptr;
  *end++ = '\r';
  *end++ = '\n';
  const std::string_view pieces[] = {
      head, {mark, static_cast<std::size_t>(end - mark)}, bytes, "\r\n"};
  return send(pieces);
}

bool ReplyWriter::flush() {
  if (head_.empty()) {
    return true;
  }
  const std::string head = std::move(head_);
  head_.clear();
  const std::string_view pieces[] = {head};
  return send(pieces);
}

bool ReplyWriter::finish() {
  if (framing_ != Framing::kChunked || !has_body_) {
    return flush();
  }
  const std::string head = std::move(head_);
  head_.clear();
  const std::string_view pieces[] = {head, "0\r\n\r\n"};
  return send(pieces);
}

void ReplyWriter::abort(std::string_view last_words) {
  sink_.close_after();
  if (!last_words.empty() && framing_ != Framing::kLength) {
    static_cast<void>(piece(last_words));
  } else {
    static_cast<void>(flush());
  }
}

bool ReplyWriter::whole(int status, std::string_view content_type, const ExtraHeaders& extra,
                        std::string_view body) {
  begin_head(status, http::reason_phrase(status));
  if (!content_type.empty()) {
    add("Content-Type", content_type);
  }
  for (const auto& [name, value] : extra) {
    add(name, value);
  }
  framing_ = Framing::kLength;
  add("Content-Length", std::to_string(body.size()));
  end_head();
  return body.empty() || request_.method == "HEAD" ? flush() : piece(body);
}

bool ReplyWriter::error(const base::Error& error, const ExtraHeaders& extra) {
  const openai::ErrorReply reply = openai::error_reply(error);
  ExtraHeaders headers = extra;
  headers.emplace_back("X-Weir-Error", std::string(reply.code));
  if (reply.status == 503) {
    headers.emplace_back("Retry-After", std::string(kRetryAfterSeconds));
  }
  return whole(reply.status, "application/json", headers, reply.body);
}

}  // namespace weir::proxy
