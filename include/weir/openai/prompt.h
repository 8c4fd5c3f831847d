#pragma once

// Renders the prompt that llama-server would make of a chat request: the same bytes, so that the
// tokenizer's count of them is the server's own usage.prompt_tokens. The rules are those of the
// model's chat template and of what llama-server does to a request before it; docs/tokenizer.md.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "weir/openai/chat_request.h"

namespace weir::openai {

enum class ChatTemplate {
  kQwen35,  // Qwen3.5, Qwen3.6
  kQwen3,
  kQwen25,

  // By rule, always an estimate; for vocabularies whose template is not known.
  kOpenAi,    // marks of o200k and cl100k
  kDeepSeek,  // marks of DeepSeek V3
};

// How several text parts of one message become one text. llama-server decides it by probing the
// template, and its versions come to different results for Qwen3.5: /props says which
// (chat_template_caps.supports_typed_content, see ServerProps).
enum class TextParts {
  kUnknown,  // taken as kLines; an estimate where it matters
  kLines,    // joined by a line feed
  kJoined,   // put together without anything between
};

// How a number with a fraction in tools and arguments is written.
enum class Fractions {
  kUnknown,  // taken as kExact; an estimate where it matters
  kShort,    // six digits: 40.0 is 40 (llama.cpp 0.5.0 and before)
  kExact,    // as Python writes it: 40.0 is 40.0 (llama.cpp 0.7.0)
};

// What versions of llama-server do differently.
struct ServerRules {
  TextParts parts = TextParts::kUnknown;
  Fractions fractions = Fractions::kUnknown;

  // Whether the server puts the token BOS before a prompt, or EOS behind it. Then it takes the same
  // text away where the template writes it. By the vocabulary.
  bool adds_bos = false;
  bool adds_eos = false;
};

// A chat template as a model file or the server's /props names it.
struct TemplateSource {
  std::string text;       // "" or "chatml": ChatML
  std::string tool_text;  // for requests that have tools, when the model has two; else ""
  std::string bos;        // texts of the tokens, "" when the model has none
  std::string eos;

  bool operator==(const TemplateSource&) const = default;
};

// A content part that is no text.
struct MediaPart {
  enum class Kind { kPicture, kSound, kVideo, kFile };
  Kind kind = Kind::kFile;
  // What stands between the quotes of the JSON string that holds it or names its address, escapes
  // and all; borrows the body. "" when there is none.
  std::string_view source;
  std::string_view detail;  // of a picture: "low", "high", "auto", ...
};

// Stands in a prompt where llama-server puts a picture, a sound or a video. (A noncharacter of
// Unicode: nobody writes it.)
inline constexpr std::string_view kMediaMark = "\xEF\xB7\x90weir-media\xEF\xB7\x90";

struct PromptText {
  // Special tokens stand in it as text, so it must be tokenized with them parsed. A text of the
  // client that looks like one is one for llama-server, too. See text_pieces.
  std::string text;

  // In the order of the request; their tokens come on top.
  std::vector<MediaPart> media;
  std::string model;  // that the request names; "" without media

  // Whether the count of `text` may differ from the server's: the server would refuse this request.
  // Then `why_estimate` is one line that says why.
  bool is_estimate = false;
  std::string why_estimate;
};

// Never fails: what cannot be rendered exactly is rendered as well as it goes. Linear in the size
// of the body. Of equal keys deep inside tools or arguments all are rendered.
PromptText render_prompt(const ChatRequest& request, ChatTemplate chat_template,
                         const ServerRules& rules = {});

// Puts the request's parts that are no text into `prompt`, whose text is rendered. When the marks
// in it are not as many as llama-server has media, it would refuse the request: an estimate.
void add_media(const ChatRequest& request, PromptText& prompt);

// The texts between the media. llama-server tokenizes each for itself.
std::vector<std::string_view> text_pieces(const PromptText& prompt);

}  // namespace weir::openai
