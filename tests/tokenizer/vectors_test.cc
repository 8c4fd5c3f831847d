// Token counts and ids that llama.cpp and tiktoken give (tests/data/vectors/README.md).

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "test_support.h"
#include "weir/base/text.h"

namespace weir::tokenizer::test {
namespace {

using Json = nlohmann::json;

std::string expand(const Json& rule);

std::string expand_lcg(const Json& rule) {
  Random random(rule["seed"].get<std::uint64_t>());
  const auto pieces = rule["pieces"].get<std::vector<std::string>>();
  std::string text;
  for (std::size_t n = rule["n"]; n > 0; --n) {
    text += pieces[random.below(pieces.size())];
  }
  return text;
}

std::string expand_code_points(const Json& rule) {
  const std::string separator = rule.value("sep", "");
  const std::uint32_t step = rule.value("step", 1U);
  std::string text;
  for (std::uint32_t c = rule["from"]; c <= rule["to"].get<std::uint32_t>(); c += step) {
    if (c < 0xD800 || c > 0xDFFF) {
      base::append_utf8(text, c);
      text += separator;
    }
  }
  return text;
}

std::string repeat(const std::string& text, std::size_t times) {
  std::string all;
  for (; times > 0; --times) {
    all += text;
  }
  return all;
}

// The text of a "gen" rule.
std::string expand(const Json& rule) {
  if (rule.is_string()) {
    return rule;
  }
  const std::string kind = rule.begin().key();
  const Json& argument = rule.begin().value();
  if (kind == "repeat") {
    return repeat(argument[0], argument[1]);
  }
  if (kind == "lcg") {
    return expand_lcg(argument);
  }
  if (kind == "cps") {
    return expand_code_points(argument);
  }
  std::string text;
  for (const Json& part : argument) {  // "cat"
    text += expand(part);
  }
  return text;
}

void check(const Tokenizer& tokenizer, const Json& vector, SpecialText special) {
  const std::string text =
      vector.contains("text") ? vector["text"].get<std::string>() : expand(vector["gen"]);
  EXPECT_EQ(tokenizer.count(text, special), vector["count"].get<std::uint64_t>());
  const std::vector<std::uint32_t> ids = tokenizer.encode(text, special);
  EXPECT_EQ(ids.size(), vector["count"].get<std::uint64_t>());
  if (vector.contains("ids")) {
    EXPECT_EQ(ids, vector["ids"].get<std::vector<std::uint32_t>>());
  }
}

void check_file(const Tokenizer& tokenizer, const std::string& name, std::size_t expected = 248) {
  std::ifstream lines(WEIR_TEST_DATA "/vectors/" + name);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const Json vector = Json::parse(line);
    SCOPED_TRACE(vector["name"].get<std::string>());
    const bool both = !vector.contains("special");
    if (both || vector["special"].get<bool>()) {
      check(tokenizer, vector, SpecialText::kParse);
    }
    if (both || !vector["special"].get<bool>()) {
      check(tokenizer, vector, SpecialText::kPlain);
    }
  }
  EXPECT_EQ(count, expected);
}

TEST(Vectors, Qwen35AsLlamaCpp) {
  check_file(builtin("qwen3.5"), "tokens.qwen35.jsonl");
}

TEST(Vectors, Qwen2AsLlamaCpp) {
  check_file(*llama_qwen2(), "tokens.qwen2.jsonl");
}

TEST(Vectors, GptOssAsLlamaCpp) {
  check_file(builtin("gpt-oss"), "tokens.gpt-oss.jsonl");
}

TEST(Vectors, DeepSeekV3AsLlamaCpp) {
  check_file(builtin("deepseek-v3"), "tokens.deepseek-v3.jsonl");
}

TEST(Vectors, O200kAsTiktoken) {
  check_file(builtin("o200k"), "tokens.o200k.jsonl");
  check_file(builtin("o200k"), "random_tokens.o200k.jsonl", 60);
}

TEST(Vectors, Cl100kAsTiktoken) {
  check_file(builtin("cl100k"), "tokens.cl100k.jsonl");
  check_file(builtin("cl100k"), "random_tokens.cl100k.jsonl", 60);
}

}  // namespace
}  // namespace weir::tokenizer::test
