// Templates that want too much: each ends with a plain error, soon, and in bounded memory.

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "rendered.h"

namespace weir::jinja {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

TEST(Limits, AnEndlessRecursionEnds) {
  EXPECT_EQ(outcome("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"), "limit");
  EXPECT_EQ(outcome("{% macro m() %}{% call m() %}{{ caller() }}{% endcall %}{% endmacro %}"
                    "{{ m() }}"),
            "limit");
}

TEST(Limits, LoopsInLoopsEnd) {
  EXPECT_EQ(outcome("{% set r = range(3000) %}" + repeated("{% for x in r %}", 5) + "a" +
                    repeated("{% endfor %}", 5)),
            "limit");
}

TEST(Limits, AHugeRangeIsRefused) {
  EXPECT_EQ(outcome("{{ range(9223372036854775807) | length }}"), "limit");
  EXPECT_EQ(outcome("{{ range(-9223372036854775807, 9223372036854775807) }}"), "limit");
}

TEST(Limits, ADoublingStringIsRefused) {
  EXPECT_EQ(outcome("{% set ns = namespace(s='ab') %}{% for i in range(60) %}"
                    "{% set ns.s = ns.s ~ ns.s %}{% endfor %}"),
            "limit");
  EXPECT_EQ(outcome("{{ 'abc' * 9223372036854775807 }}"), "limit");
  EXPECT_EQ(outcome("{% set s = 'a' * 100000 %}{{ s | replace('', s) }}"), "limit");
  EXPECT_EQ(outcome("{{ 'a\\nb' | indent(9000000000) }}"), "limit");
  EXPECT_EQ(outcome("{{ 'a' | indent(-1) }}"), "limit");
  EXPECT_EQ(outcome("{{ [[[1]]] | tojson(indent=2000000000) }}"), "limit");
}

TEST(Limits, ADoublingListIsRefused) {
  EXPECT_EQ(outcome("{% set ns = namespace(l=[1]) %}{% for i in range(60) %}"
                    "{% set ns.l = ns.l + ns.l %}{% endfor %}"),
            "limit");
}

TEST(Limits, AListInsideOfItselfIsRefused) {
  for (const std::string_view use :
       {"{{ l }}", "{{ l ~ '' }}", "{{ l | tojson }}", "{{ l == l }}x"}) {
    const std::string result =
        outcome("{% set l = [1] %}{{ l.append(l) and '' }}" + std::string(use));
    EXPECT_TRUE(result == "limit" || result == "Falsex") << use << ": " << result;
  }
}

TEST(Limits, ATupleOfTuplesOfTuplesIsRefused) {
  EXPECT_EQ(outcome("{% set ns = namespace(t=(1, 2)) %}{% for i in range(50) %}"
                    "{% set ns.t = (ns.t, ns.t) %}{% endfor %}{{ ns.t == ns.t }}"),
            "limit");
  EXPECT_EQ(outcome("{% set ns = namespace(t=(1, 2)) %}{% for i in range(50000) %}"
                    "{% set ns.t = (ns.t, 1) %}{% endfor %}{{ {ns.t: 1} }}"),
            "limit");
}

TEST(Limits, ASlowSearchIsRefused) {
  EXPECT_EQ(outcome("{% set s = 'a' * 4000000 %}{{ ('a' * 2000000 ~ 'b') in s }}"), "limit");
}

TEST(Limits, ALongOutputIsRefused) {
  RenderLimits limits;
  limits.output_bytes_max = 10;
  EXPECT_EQ(outcome("0123456789", "{}", limits), "0123456789");
  EXPECT_EQ(outcome("01234567890", "{}", limits), "limit");
}

TEST(Limits, StepsAreCounted) {
  RenderLimits limits;
  limits.steps_max = 1000;
  EXPECT_EQ(outcome("{% for i in range(10) %}{{ i }}{% endfor %}", "{}", limits), "0123456789");
  EXPECT_EQ(outcome("{% for i in range(1000) %}{{ i }}{% endfor %}", "{}", limits), "limit");
}

TEST(Limits, DeepVariablesAreRefused) {
  const std::string deep = R"({"a": )" + repeated("[", 5000) + repeated("]", 5000) + "}";
  EXPECT_EQ(outcome("{{ a }}", deep), "limit");
  EXPECT_EQ(outcome("nothing of it", deep), "nothing of it");
}

TEST(Limits, DeepNestingIsNoTemplate) {
  constexpr std::size_t kDeep = 100000;
  EXPECT_EQ(outcome("{{ " + repeated("(", kDeep)), "no template");
  EXPECT_EQ(outcome("{{ " + repeated("[", kDeep)), "no template");
  EXPECT_EQ(outcome("{{ " + repeated("{1:", kDeep)), "no template");
  EXPECT_EQ(outcome("{{ " + repeated("not ", kDeep) + "1 }}"), "no template");
  EXPECT_EQ(outcome("{{ " + repeated("- ", kDeep) + "1 }}"), "no template");
  EXPECT_EQ(outcome("{{ a" + repeated("[a", kDeep)), "no template");
  EXPECT_EQ(outcome("{{ a" + repeated("(a", kDeep)), "no template");
  EXPECT_EQ(outcome("{{ " + repeated("a if b else ", kDeep) + "1 }}"), "no template");
  EXPECT_EQ(outcome(repeated("{% if a %}", kDeep)), "no template");
  EXPECT_EQ(outcome(repeated("{% for a in b %}", kDeep)), "no template");
}

TEST(Limits, LongChainsAreNoTemplate) {
  constexpr std::size_t kLong = 100000;
  EXPECT_EQ(outcome("{{ 1" + repeated(" + 1", kLong) + " }}"), "no template");
  EXPECT_EQ(outcome("{{ a" + repeated(".a", kLong) + " }}"), "no template");
  EXPECT_EQ(outcome("{{ a" + repeated("()", kLong) + " }}"), "no template");
  EXPECT_EQ(outcome("{{ a" + repeated("|a", kLong) + " }}"), "no template");
  EXPECT_EQ(outcome("{{ a" + repeated(" is a", kLong) + " }}"), "no template");
}

TEST(Limits, ManyBranchesAreFine) {
  EXPECT_EQ(rendered("xy{% if a %}1" + repeated("{% elif a %}2", 5000) + "{% else %}3{% endif %}"),
            "xy3");
}

TEST(Limits, ATemplateThatIsTooLongIsRefused) {
  EXPECT_EQ(outcome(std::string(kTemplateBytesMax + 1, 'a')), "no template");
}

// Every beginning of a template that uses everything is a template, or is said to be none.
TEST(Limits, CutTemplatesEndInAPlainError) {
  const std::string whole =
      "xx{# c #}{%- macro m(a, b='c') -%}{{ '' ~ a ~ b }}{%- endmacro %}{% set x = {'k': [1, (2, "
      "3)]} %}"
      "{% for k, v in x.items() if v is iterable %}{% if loop.first and not v[1:] %}{% break %}"
      "{% elif v|length > 1 %}{{ m(v[0], b=-1.5) | tojson(indent=2) }}{% else %}{% continue %}"
      "{% endif %}{% endfor %}{% call(z) m(1) %}q{% endcall %}{% filter upper %}a{% endfilter %}"
      "{% set y %}b{% endset %}{{ y if y is eq 'b' else \"n\\n\" }}";
  EXPECT_EQ(outcome(whole), "xx\"1-1.5\"1cAb");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string result = rendered(std::string_view(whole).substr(0, size));
    EXPECT_EQ(result.find("another error"), std::string::npos) << size;
  }
}

TEST(Templates, ASyntaxErrorSaysWhere) {
  EXPECT_EQ(rendered("ab\n{{ 1 + }}"), "no template: chat template 2:8: expected a value");
  EXPECT_EQ(rendered("ab\n\n {% strange %}"),
            "no template: chat template 3:5: an unknown statement");
  EXPECT_EQ(rendered("{% if x %}"),
            "no template: chat template 1:11: expected text or a tag, but the template ends");
}

TEST(Templates, ACopyRendersTheSame) {
  const auto parsed = Template::parse("{{ x }}");
  const Template copy = *parsed;
  EXPECT_EQ(copy.render(Json{{"x", 1}}).value(), "1");
  EXPECT_EQ(copy.source(), "{{ x }}");
}

TEST(Templates, VariablesMustBeAnObject) {
  EXPECT_EQ(Template::parse("a")->render(Json::array()).error().code, base::ErrorCode::kBadRequest);
}

}  // namespace
}  // namespace weir::jinja
