#pragma once

// A chat request as weir sees it: a view of the few members that decide its way. The body itself
// stays as received and goes on byte for byte; only the model's name may be replaced.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/result.h"

namespace weir::openai {

// Borrows the body, which must outlive it and stay where it is. Movable and copyable. Nothing
// changes after `parse`, so any thread may read it.
class ChatRequest {
 public:
  // Strict JSON; but a byte order mark at the start, half surrogate pairs and numbers of any size
  // are accepted, as clients send them. Of equal keys the last one counts. Members that weir need
  // not understand may be of any type: the upstream will complain.
  //
  // Errors, each with a message that can go to the client (it quotes nothing of the body):
  // kBadJson: no JSON, invalid UTF-8, or nested more than 256 levels deep; names the byte.
  // kBadRequest: no object; `messages` missing, no array, or holding something else than objects;
  //   `model` neither string nor null; `stream` neither true, false nor null. An empty `messages`
  //   passes.
  static base::Result<ChatRequest> parse(std::string_view body);

  std::string_view body() const { return body_; }

  // As the client wrote it, decoded; nullopt when missing or null.
  const std::optional<std::string>& model() const { return model_; }
  bool stream() const { return stream_; }

  // What may be written as an answer at most: max_completion_tokens, else max_tokens. nullopt when
  // there is none, or it is null, negative or no number.
  std::optional<std::uint64_t> output_tokens() const { return output_tokens_; }

  // "timeout", in seconds; nullopt when missing, negative or no number.
  std::optional<double> timeout_seconds() const { return timeout_seconds_; }

  // Content parts of all messages: pictures, sound, and what else is no text (files, videos).
  std::size_t images() const { return images_; }
  std::size_t audios() const { return audios_; }
  std::size_t files() const { return files_; }

  // The body with the value of every top-level "model" replaced by `json_model`, which must be a
  // JSON value (see json_quoted); without one it is added as the first member. Slices for one
  // gathered write, in order: they point into the body, `json_model` and constants.
  std::vector<std::string_view> with_model(std::string_view json_model) const;

  // The raw JSON text of the members that reach the prompt; "" when missing. For render_prompt and
  // for the size of pictures.
  std::string_view messages_json() const { return messages_; }
  std::string_view tools_json() const { return tools_; }
  std::string_view template_kwargs_json() const { return template_kwargs_; }
  std::string_view reasoning_effort_json() const { return reasoning_effort_; }
  std::string_view add_generation_prompt_json() const { return add_generation_prompt_; }
  std::string_view continue_final_message_json() const { return continue_final_message_; }
  std::string_view tool_choice_json() const { return tool_choice_; }
  std::string_view response_format_json() const { return response_format_; }
  std::string_view json_schema_json() const { return json_schema_; }

 private:
  ChatRequest() = default;
  friend class ChatRequestReader;

  std::string_view body_;
  std::size_t first_member_at_ = 0;             // offset behind the opening brace
  std::vector<std::string_view> model_values_;  // every top-level "model", in order
  std::optional<std::string> model_;
  bool stream_ = false;
  std::optional<std::uint64_t> output_tokens_;
  std::optional<double> timeout_seconds_;
  std::size_t images_ = 0;
  std::size_t audios_ = 0;
  std::size_t files_ = 0;
  std::string_view messages_;
  std::string_view tools_;
  std::string_view template_kwargs_;
  std::string_view reasoning_effort_;
  std::string_view add_generation_prompt_;
  std::string_view continue_final_message_;
  std::string_view tool_choice_;
  std::string_view response_format_;
  std::string_view json_schema_;
};

// `text` as a JSON string literal with its quotes.
std::string json_quoted(std::string_view text);

}  // namespace weir::openai
