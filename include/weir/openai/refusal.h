#pragma once

// Why an upstream refused, as far as that changes the way of a request. One condition comes in
// several shapes, by version and moment; the table of them is in refusal.cc.

#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::openai {

enum class Refusal {
  kNone,     // an answer, or an error that is nobody's cue for another upstream
  kLoading,  // the model is not there yet
  kContext,  // the prompt does not fit
  kContent,  // a picture, audio or file part that the model cannot take
};

// `body` may be cut: then only a complete error object at its start is recognised. An error object
// under status 200 counts too; an answer that merely talks about such things does not.
Refusal classify_answer(int status, std::string_view body);

// The data of the first event of a stream that began with status 200.
Refusal classify_first_event(std::string_view event_data);

// What the server counted, where a refusal of kContext says so (n_prompt_tokens of llama-server, as
// a body or as an event).
std::optional<std::uint64_t> refused_prompt_tokens(std::string_view refusal);

}  // namespace weir::openai
