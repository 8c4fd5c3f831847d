#include "thinking_tags.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::openai {
namespace {

// A template by hand: what it writes around a thought, and where an answer begins.
struct Written {
  std::string open, close;
  std::string thinking_on, thinking_off;
  bool only_with_calls = false;
};

ThinkingTags found(const Written& written, std::string_view template_text = "") {
  return find_thinking_tags(template_text, true, [&](const Trial& trial) {
    std::string text;
    for (const Json& message : trial.messages) {
      text += "<" + message.value("role", "") + ">:";
      const bool shows = !written.only_with_calls || message.contains("tool_calls");
      if (message.contains("reasoning_content") && shows) {
        text += written.open + message.value("reasoning_content", "") + written.close;
      }
      text += message["content"].is_string() ? message.value("content", "") : "";
      text += "<end>\n";
    }
    if (trial.adds_generation_prompt) {
      text += "<assistant>";
      text += trial.enables_thinking ? written.thinking_on : written.thinking_off;
    }
    return std::optional(text);
  });
}

TEST(ThinkingTags, InTheHistoryWithTheSpaceAroundThem) {
  const ThinkingTags tags = found({"<think>\n", "\n</think>\n\n", "", ""});
  EXPECT_TRUE(tags.thinks);
  EXPECT_EQ(tags.open, "<think>\n");
  EXPECT_EQ(tags.close, "\n</think>\n\n");
}

TEST(ThinkingTags, ACloseAloneIsEnough) {
  const ThinkingTags tags = found({"", "\n[BEGIN]\n", "", ""});
  EXPECT_TRUE(tags.thinks);
  EXPECT_EQ(tags.close, "[BEGIN]\n");
}

TEST(ThinkingTags, WhereAnAnswerBegins) {
  EXPECT_EQ(found({"", "", "<think>", ""}).open, "<think>");
  EXPECT_EQ(found({"", "", "<think>\n", ""}).open, "");  // the server does not see it either
}

TEST(ThinkingTags, AClosedThoughtWhenThinkingIsOff) {
  const ThinkingTags tags = found({"", "", "<think>", "<think></think>"});
  EXPECT_TRUE(tags.thinks);
  EXPECT_EQ(tags.open, "<think>");
  EXPECT_EQ(tags.close, "</think>");
}

TEST(ThinkingTags, BesideCallsOnly) {
  const ThinkingTags tags = found({"<t>", "</t>", "", "", true});
  EXPECT_TRUE(tags.thinks);
  EXPECT_EQ(tags.open, "<t>");
  EXPECT_EQ(tags.close, "</t>");
}

TEST(ThinkingTags, ATemplateThatKnowsNoThinkingHasNone) {
  const ThinkingTags tags = find_thinking_tags("", true, [](const Trial& trial) {
    std::string text;
    for (const Json& message : trial.messages) {
      text += message["content"].is_string() ? message.value("content", "") : "";
    }
    return std::optional(text);
  });
  EXPECT_FALSE(tags.thinks);
  EXPECT_EQ(tags.open + tags.close, "");
}

TEST(ThinkingTags, ATemplateThatRefusesEverythingHasNone) {
  EXPECT_FALSE(find_thinking_tags("", true, [](const Trial&) { return std::nullopt; }).thinks);
}

TEST(ThinkingTags, AnOldTemplateThatCutsThoughtsOut) {
  EXPECT_EQ(found({}, "{{ content.split('</think>') }}").open, "<think>");
  EXPECT_EQ(found({}, "{{ content.split('</think>') }} reasoning_content").open, "");
}

}  // namespace
}  // namespace weir::openai
