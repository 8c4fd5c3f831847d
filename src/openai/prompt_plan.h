#pragma once

// What llama-server decides about a request before it renders: how to think, where to end, which
// message is the last question.

#include <cstddef>
#include <optional>

#include "chat_message.h"
#include "json_reader.h"
#include "weir/openai/prompt.h"

namespace weir::openai {

// How the prompt ends.
enum class Ending {
  kNothing,    // behind the last message
  kAnswer,     // where an answer begins
  kContent,    // in the last message, whose content goes on
  kReasoning,  // in the last message, whose reasoning goes on
};

struct PromptPlan {
  JsonView messages;
  JsonView tools;                 // an array that is not empty, or absent
  std::size_t message_count = 0;  // without the one that goes on
  JsonView continued;             // that one
  Ending ending = Ending::kAnswer;
  bool thinking = true;

  // Index of the last message of a user that is no tool result in disguise.
  std::optional<std::size_t> last_query;
};

// `trims` says whether the template trims contents before it looks at them.
PromptPlan plan_prompt(const ChatRequest& request, bool trims, PromptDraft& prompt);

// Reads the messages of a plan one after the other, and knows who speaks before and after.
class MessageWalk {
 public:
  MessageWalk(const PromptPlan& plan, PromptDraft& prompt);

  bool next();
  const ChatMessage& message() const { return message_; }
  std::size_t index() const { return index_; }
  bool is_first() const { return index_ == 0; }
  bool is_last() const { return index_ + 1 == plan_.message_count; }
  Role previous_role() const { return previous_; }
  Role next_role() const { return is_last() ? Role::kNone : role_of(next_view_); }

 private:
  const PromptPlan& plan_;
  PromptDraft& prompt_;
  ElementCursor ahead_;  // one message further
  ChatMessage message_;
  JsonView next_view_;
  std::size_t index_ = 0;
  std::size_t taken_ = 0;
  Role previous_ = Role::kNone;
};

// The templates' `trim`, and their strip('\n').
std::string_view trimmed(std::string_view text);
std::string_view without_newlines_before(std::string_view text);
std::string_view without_newlines_around(std::string_view text);

// The thinking that an assistant's content holds between think tags, and what is behind them.
struct SplitThinking {
  bool has_thinking = false;
  std::string_view reasoning;
  std::string_view content;
};
SplitThinking split_thinking(std::string_view content);

}  // namespace weir::openai
