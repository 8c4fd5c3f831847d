#include "thinking_tags.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "text_difference.h"

namespace weir::openai {
namespace {

constexpr std::string_view kSpace = " \t\n\v\f\r";

// They stand in no template, and none begins or ends with the letter of another.
constexpr std::string_view kQuestion = "QUESTION asked Q";
constexpr std::string_view kReply = "ANSWER given A";
constexpr std::string_view kThought = "THOUGHT mused T";

std::string_view trimmed_view(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(kSpace) + 1 - first);
}

std::string trimmed_text(std::string_view text) {
  return std::string(trimmed_view(text));
}

std::size_t behind_space(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kSpace, at), text.size());
}

// Where the tag at the front of `text` from `at` on ends; npos when no tag is there.
std::size_t behind_tag(std::string_view text, std::size_t at) {
  if (at >= text.size() || (text[at] != '<' && text[at] != '[')) {
    return std::string_view::npos;
  }
  const std::size_t close = text.find(text[at] == '<' ? '>' : ']', at + 1);
  return close == std::string_view::npos ? close : close + 1;
}

// The tag that ends at `end`, as far to the left as it may begin; npos when there is none.
std::size_t before_tag(std::string_view text, std::size_t end) {
  if (end == 0 || (text[end - 1] != '>' && text[end - 1] != ']')) {
    return std::string_view::npos;
  }
  const char closer = text[end - 1];
  const std::size_t previous = end < 2 ? std::string_view::npos : text.rfind(closer, end - 2);
  const std::size_t from = previous == std::string_view::npos ? 0 : previous + 1;
  const std::size_t open = text.find(closer == '>' ? '<' : '[', from);
  return open < end ? open : std::string_view::npos;
}

// What stands around a thought in a rendering: a tag with white space on either side. Empty where
// there is no tag.
struct Surroundings {
  std::string before;
  std::string behind;
};

Surroundings around(std::string_view text, std::string_view thought, bool space_before_close) {
  const std::size_t at = text.find(thought);
  if (at == std::string_view::npos) {
    return {};
  }
  Surroundings found;
  const std::size_t end_of_open = text.find_last_not_of(kSpace, at == 0 ? 0 : at - 1) + 1;
  const std::size_t open = at == 0 ? std::string_view::npos : before_tag(text, end_of_open);
  if (open != std::string_view::npos) {
    found.before = text.substr(open, at - open);
  }
  const std::size_t end = at + thought.size();
  const std::size_t close = behind_space(text, end);
  const std::size_t close_end = behind_tag(text, close);
  if (close_end != std::string_view::npos) {
    const std::size_t from = space_before_close && open != std::string_view::npos ? end : close;
    found.behind = text.substr(from, behind_space(text, close_end) - from);
  }
  return found;
}

Json user() {
  return {{"role", "user"}, {"content", kQuestion}};
}

Json reply(bool with_thought) {
  Json message = {{"role", "assistant"}, {"content", kReply}};
  if (with_thought) {
    message["reasoning_content"] = kThought;
  }
  return message;
}

Json trial_tool(const char* name) {
  const Json text = {{"type", "string"}, {"description", "an argument"}};
  Json parameters = {{"type", "object"}};
  parameters["properties"] = {{"first_argument", text}, {"second_argument", text}};
  parameters["required"] = Json::array();
  Json function = {{"name", name}, {"description", "a function"}};
  function["parameters"] = std::move(parameters);
  return {{"type", "function"}, {"function", std::move(function)}};
}

Json thought_with_call() {
  Json function = {{"name", "first_function"}};
  function["arguments"] = {{"first_argument", "one"}, {"second_argument", "two"}};
  Json call = {{"id", "call00001"}, {"type", "function"}, {"function", std::move(function)}};
  Json message = {{"role", "assistant"}, {"content", nullptr}, {"reasoning_content", kThought}};
  message["tool_calls"] = Json::array({std::move(call)});
  return message;
}

class Search {
 public:
  explicit Search(const TrialRendering& render) : render_(render) {}

  ThinkingTags tags;

  // In the history: a reply with a thought beside one without.
  void look_at_history() {
    const auto without = render_({Json::array({user(), reply(false)}), nullptr});
    const auto with = render_({Json::array({user(), reply(true)}), nullptr});
    if (!without || !with ||
        text_difference(*without, *with).right.find(kThought) == std::string::npos) {
      return;
    }
    Surroundings found = around(*with, kThought, true);
    if (found.behind.empty()) {
      return;
    }
    tags = {true, std::move(found.before), std::move(found.behind)};
  }

  // Where an answer begins: thinking off beside thinking on.
  void look_at_answer() {
    const auto off = render_({Json::array({user()}), nullptr, true, false});
    const auto on = render_({Json::array({user()}), nullptr, true, true});
    if (!off || !on) {
      return;
    }
    const TextDifference difference = text_difference(*off, *on);
    const std::string only_off = trimmed_text(difference.left);
    const std::string only_on = trimmed_text(difference.right);
    if (only_off.empty() && !difference.right.empty()) {
      if (!only_on.empty() && on->ends_with(only_on) && tags.open.empty()) {
        tags.open = difference.right;
        tags.thinks = true;
      }
    } else if (only_on.empty() && !difference.left.empty()) {
      if (!only_off.empty() && off->ends_with(only_off) && tags.close.empty()) {
        close_at_the_end(*off, difference.left, only_off);
      }
    } else if (!only_off.empty() && !only_on.empty()) {
      compare_ends(*off, *on) || compare_ends(*on, *off);
    }
    tags.thinks = tags.thinks || (tags.open.empty() && !tags.close.empty());
  }

  // Templates that show thoughts beside calls only.
  void look_at_calls() {
    const Json tools = Json::array({trial_tool("first_function"), trial_tool("second_function")});
    const auto plain = render_({Json::array({user(), reply(true)}), tools});
    const auto calls = render_({Json::array({user(), thought_with_call()}), tools});
    if (!plain || !calls || plain->find(kThought) != std::string::npos ||
        calls->find(kThought) == std::string::npos) {
      return;
    }
    Surroundings found = around(*calls, kThought, false);
    tags.thinks = true;
    tags.close = std::move(found.behind);
    if (!found.before.empty() && !tags.close.empty()) {
      tags.open = std::move(found.before);
    }
  }

 private:
  // The answer begins with a closed thought when thinking is off.
  void close_at_the_end(std::string_view off, std::string_view only,
                        std::string_view only_visible) {
    const std::vector<TagPiece> pieces = visible_tag_pieces(off);
    if (pieces.size() >= 2 && pieces.back().text == only_visible &&
        pieces[pieces.size() - 2].is_tag) {
      tags.open = pieces[pieces.size() - 2].text;
    }
    tags.close = only;
    tags.thinks = true;
  }

  // Both differ in more than the end: the end of one stands in the other, with two tags behind it.
  bool compare_ends(std::string_view extended, std::string_view base) {
    constexpr std::size_t kAnchorBytes = 64;
    const std::string_view anchor = base.substr(base.size() - std::min(base.size(), kAnchorBytes));
    const std::size_t at = extended.rfind(anchor);
    if (at == std::string_view::npos || at + anchor.size() >= extended.size()) {
      return false;
    }
    const std::vector<TagPiece> pieces =
        visible_tag_pieces(trimmed_view(extended.substr(at + anchor.size())));
    if (pieces.size() != 2 || !pieces[0].is_tag || !pieces[1].is_tag) {
      return false;
    }
    tags.open = tags.open.empty() ? std::string(pieces[0].text) : tags.open;
    tags.close = tags.close.empty() ? std::string(pieces[1].text) : tags.close;
    tags.thinks = true;
    return true;
  }

  const TrialRendering& render_;
};

bool has(std::string_view text, std::string_view mark) {
  return text.find(mark) != std::string_view::npos;
}

// What the server knows better than its search, for four old templates.
void correct(std::string_view text, ThinkingTags& tags) {
  const ThinkingTags plain = {true, "<think>", "</think>"};
  if (has(text, "content.split('</think>')") && !has(text, "reasoning_content") &&
      !has(text, "<SPECIAL_12>") && !tags.thinks) {
    tags = plain;
  }
  if (has(text,
          "Write your thoughts between <think></think> and write your response between "
          "<response></response>")) {
    tags = plain;
  }
  if (has(text, "<SPECIAL_10>") && has(text, "<SPECIAL_11>") && has(text, "<SPECIAL_12>") &&
      has(text, "<TOOL_RESPONSE>")) {
    tags = {true, "<think>\n", "</think>"};
  }
  if (has(text, "laguna_glm_thinking")) {
    tags.open = trimmed_text(tags.open);
    tags.close = trimmed_text(tags.close);
  }
}

}  // namespace

ThinkingTags find_thinking_tags(std::string_view template_text, bool has_tool_calls,
                                const TrialRendering& render) {
  Search search(render);
  search.look_at_history();
  search.look_at_answer();
  if (has_tool_calls) {
    search.look_at_calls();
  }
  correct(template_text, search.tags);
  return std::move(search.tags);
}

}  // namespace weir::openai
