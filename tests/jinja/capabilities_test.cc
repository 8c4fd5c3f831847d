#include "weir/jinja/capabilities.h"

#include <gtest/gtest.h>

namespace weir::jinja {
namespace {

Capabilities of(std::string_view source) {
  return probe(*Template::parse(source));
}

TEST(Capabilities, OfATemplateThatOnlyPrintsContents) {
  Capabilities expected;
  expected.tools = false;
  expected.tool_calls = false;
  expected.parallel_tool_calls = false;
  EXPECT_EQ(of("{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"), expected);
}

TEST(Capabilities, TheSystemRoleIsMissingWhenItsContentIsNotRead) {
  EXPECT_FALSE(
      of("{% for m in messages if m.role != 'system' %}{{ m.content }}{% endfor %}").system_role);
}

TEST(Capabilities, AContentThatIsGoneThroughIsTyped) {
  const Capabilities found = of(
      "{% for m in messages %}{% for part in m.content %}{{ part.text }}{% endfor %}{% endfor %}");
  EXPECT_TRUE(found.typed_content);
  EXPECT_FALSE(found.string_content);
}

TEST(Capabilities, AContentThatIsAskedForItsKindIsBoth) {
  const Capabilities found =
      of("{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}"
         "{% for part in m.content %}{{ part.text }}{% endfor %}{% endif %}{% endfor %}");
  EXPECT_TRUE(found.typed_content);
  EXPECT_TRUE(found.string_content);
}

TEST(Capabilities, ToolsAreReadAtTheirNames) {
  EXPECT_TRUE(of("{% for t in tools %}{{ t.function.name }}{% endfor %}").tools);
  EXPECT_TRUE(of("{% for t in tools %}{{ t | tojson }}{% endfor %}").tools);
  EXPECT_FALSE(of("{% for t in tools %}x{% endfor %}").tools);
}

TEST(Capabilities, ArgumentsAreObjectsWhenOneIsRead) {
  const std::string_view begin =
      "xx{% for m in messages %}{% for c in m.tool_calls or [] %}{{ c.function.name }}";
  const std::string_view end = "{% endfor %}{% endfor %}";
  const std::string head(begin);
  const Capabilities object = of(head + "{{ c.function.arguments | tojson }}" + std::string(end));
  EXPECT_TRUE(object.tool_calls && object.object_arguments && object.parallel_tool_calls);
  const Capabilities text = of(head + "{{ c.function.arguments + '' }}" + std::string(end));
  EXPECT_TRUE(text.tool_calls && text.parallel_tool_calls);
  EXPECT_FALSE(text.object_arguments);
}

TEST(Capabilities, OnlyOneCallAtATimeIsNotParallel) {
  EXPECT_FALSE(of("xx{% for m in messages %}{% if m.tool_calls %}{% if m.tool_calls|length > 1 %}"
                  "{{ raise_exception('one') }}{% endif %}{{ m.tool_calls[0].function.name }}"
                  "{% endif %}{% endfor %}")
                   .parallel_tool_calls);
}

TEST(Capabilities, ReasoningOfOldTurnsIsLookedForInTheText) {
  EXPECT_TRUE(of("{% for m in messages %}{% if preserve_thinking %}{{ m.reasoning_content }}"
                 "{% endif %}{% endfor %}")
                  .preserve_reasoning);
  EXPECT_FALSE(of("{{ messages[-2].reasoning_content }}").preserve_reasoning);
}

TEST(Capabilities, ReasoningEffortHasTwoNames) {
  EXPECT_TRUE(of("{{ reasoning_effort }}").reasoning_effort);
  EXPECT_TRUE(of("{{ reasoning_strength }}").reasoning_effort);
  EXPECT_FALSE(of("{{ effort }}{{ missing }}").reasoning_effort);
}

TEST(Capabilities, ATemplateThatAlwaysRaisesHasSome) {
  const Capabilities found = of("{{ raise_exception('no') }}");
  EXPECT_FALSE(found.tools || found.tool_calls || found.parallel_tool_calls);
  EXPECT_FALSE(found.string_content || found.typed_content || found.system_role);
}

}  // namespace
}  // namespace weir::jinja
