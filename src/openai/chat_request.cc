#include "weir/openai/chat_request.h"

#include <algorithm>

#include "json_reader.h"
#include "json_scan.h"
#include "weir/base/json_text.h"

namespace weir::openai {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

// Nobody sends two; a body full of them would make the list of slices larger than the body.
constexpr std::size_t kModelMembersMax = 16;

// Where llama-server keeps them too: a whole number, or one with a fraction that is cut.
std::optional<std::uint64_t> count_of(JsonView view) {
  constexpr double kLimit = 9.0e15;  // exact as a double
  const std::optional<double> number = view.number();
  if (!number || *number < 0) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(std::min(*number, kLimit));
}

bool is_absent_or_null(JsonView view) {
  return view.is_absent() || view.is(JsonKind::kNull);
}

}  // namespace

// Fills a ChatRequest step by step; each step is one rule of `parse`.
class ChatRequestReader {
 public:
  explicit ChatRequestReader(std::string_view body) { request_.body_ = body; }

  Result<ChatRequest> read();

 private:
  void take_member(JsonView key, JsonView value);
  std::optional<Error> take_model();
  std::optional<Error> take_stream();
  std::optional<Error> take_messages();
  void take_limits();
  void count_parts(JsonView content);

  static Error refuse(std::string message) { return {ErrorCode::kBadRequest, std::move(message)}; }

  ChatRequest request_;
  JsonView messages_;
  JsonView stream_;
  JsonView max_tokens_;
  JsonView max_completion_tokens_;
  JsonView timeout_;
  bool has_input_ = false;
};

Result<ChatRequest> ChatRequest::parse(std::string_view body) {
  return ChatRequestReader(body).read();
}

Result<ChatRequest> ChatRequestReader::read() {
  const Result<JsonView> whole = read_json(request_.body_, "The request body");
  if (!whole) {
    return whole.error();
  }
  if (!whole->is(JsonKind::kObject)) {
    return refuse("The request body must be a JSON object with \"model\" and \"messages\".");
  }
  request_.first_member_at_ =
      static_cast<std::size_t>(whole->raw().data() - request_.body_.data()) + 1;
  for (MemberCursor at(*whole); at.next();) {
    take_member(at.key(), at.value());
  }
  using Step = std::optional<Error> (ChatRequestReader::*)();
  for (const Step step : {&ChatRequestReader::take_model, &ChatRequestReader::take_stream,
                          &ChatRequestReader::take_messages}) {
    if (std::optional<Error> error = (this->*step)()) {
      return *std::move(error);
    }
  }
  take_limits();
  return std::move(request_);
}

void ChatRequestReader::take_member(JsonView key, JsonView value) {
  std::string storage;
  const std::string_view name = key.text(storage);
  const struct {
    std::string_view name;
    JsonView* view;
  } views[] = {{"messages", &messages_},
               {"stream", &stream_},
               {"max_tokens", &max_tokens_},
               {"max_completion_tokens", &max_completion_tokens_},
               {"timeout", &timeout_}};
  const struct {
    std::string_view name;
    std::string_view* raw;
  } raws[] = {{"tools", &request_.tools_},
              {"chat_template_kwargs", &request_.template_kwargs_},
              {"reasoning_effort", &request_.reasoning_effort_},
              {"add_generation_prompt", &request_.add_generation_prompt_},
              {"continue_final_message", &request_.continue_final_message_},
              {"tool_choice", &request_.tool_choice_},
              {"response_format", &request_.response_format_},
              {"json_schema", &request_.json_schema_}};
  for (const auto& [known, view] : views) {
    if (name == known) {
      *view = value;
    }
  }
  for (const auto& [known, raw] : raws) {
    if (name == known) {
      *raw = value.raw();
    }
  }
  if (name == "model" && request_.model_values_.size() <= kModelMembersMax) {
    request_.model_values_.push_back(value.raw());
  }
  has_input_ = has_input_ || name == "input";
}

std::optional<Error> ChatRequestReader::take_model() {
  if (request_.model_values_.empty()) {
    return std::nullopt;
  }
  if (request_.model_values_.size() > kModelMembersMax) {
    return refuse("\"model\" is there more than 16 times; give it once.");
  }
  static_assert(kModelMembersMax == 16, "the message names it");
  const JsonView model(request_.model_values_.back());
  if (model.is(JsonKind::kString)) {
    model.append_text(request_.model_.emplace());
  } else if (!model.is(JsonKind::kNull)) {
    return refuse("\"model\" must be a string: the name of a model, or \"auto\".");
  }
  return std::nullopt;
}

std::optional<Error> ChatRequestReader::take_stream() {
  if (!is_absent_or_null(stream_) && !stream_.is(JsonKind::kBool)) {
    return refuse("\"stream\" must be true or false, without quotes.");
  }
  request_.stream_ = stream_.is_true();
  return std::nullopt;
}

std::optional<Error> ChatRequestReader::take_messages() {
  if (messages_.is_absent() && has_input_) {
    return refuse(
        "\"messages\" is missing, but there is \"input\": this looks like a body of the Responses "
        "API. Send it to /v1/responses, or set the client to Chat Completions.");
  }
  if (messages_.is_absent()) {
    return refuse("\"messages\" is missing: an array of objects with \"role\" and \"content\".");
  }
  if (!messages_.is(JsonKind::kArray)) {
    return refuse("\"messages\" must be an array of objects with \"role\" and \"content\".");
  }
  std::size_t index = 0;
  for (ElementCursor at(messages_); at.next(); ++index) {
    if (!at.value().is(JsonKind::kObject)) {
      return refuse("\"messages[" + std::to_string(index) +
                    "]\" must be an object with \"role\" and \"content\".");
    }
    count_parts(at.value().member("content"));
  }
  request_.messages_ = messages_.raw();
  return std::nullopt;
}

void ChatRequestReader::count_parts(JsonView content) {
  const struct {
    std::string_view type;
    std::size_t* count;
  } kinds[] = {{"image_url", &request_.images_},   {"image", &request_.images_},
               {"input_audio", &request_.audios_}, {"audio_url", &request_.audios_},
               {"file", &request_.files_},         {"input_file", &request_.files_},
               {"input_video", &request_.files_},  {"video_url", &request_.files_}};
  for (ElementCursor at(content); at.next();) {
    const JsonView type = at.value().member("type");
    for (const auto& kind : kinds) {
      *kind.count += type.equals(kind.type) ? 1 : 0;
    }
  }
}

void ChatRequestReader::take_limits() {
  request_.output_tokens_ = count_of(max_completion_tokens_);
  if (!request_.output_tokens_) {
    request_.output_tokens_ = count_of(max_tokens_);
  }
  const std::optional<double> timeout = timeout_.number();
  if (timeout && *timeout >= 0) {
    request_.timeout_seconds_ = timeout;
  }
}

std::vector<std::string_view> ChatRequest::with_model(std::string_view json_model) const {
  std::vector<std::string_view> slices;
  std::size_t done = 0;
  if (model_values_.empty()) {
    const char* const end = body_.data() + body_.size();
    const char* const next = skip_json_space(body_.data() + first_member_at_, end);
    slices = {body_.substr(0, first_member_at_), "\"model\":", json_model};
    if (*next != '}') {
      slices.push_back(",");
    }
    done = first_member_at_;
  }
  for (const std::string_view value : model_values_) {
    const auto at = static_cast<std::size_t>(value.data() - body_.data());
    slices.push_back(body_.substr(done, at - done));
    slices.push_back(json_model);
    done = at + value.size();
  }
  slices.push_back(body_.substr(done));
  return slices;
}

std::string json_quoted(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  base::append_json_string(out, text);
  return out;
}

}  // namespace weir::openai
