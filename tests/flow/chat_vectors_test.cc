// Reader, templates and tokenizer together against what a real llama-server counted
// (tests/data/vectors/README.md).

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "weir/openai/chat_request.h"
#include "weir/openai/prompt.h"
#include "weir/tokenizer/builtin.h"
#include "weir/tokenizer/tokenizer.h"

namespace weir {
namespace {

using openai::ChatTemplate;
using tokenizer::SpecialText;
using tokenizer::SpecialToken;
using tokenizer::Tokenizer;

// Those of the server that counted.
constexpr openai::ServerRules kRules{openai::TextParts::kLines, openai::Fractions::kShort};

void expect_counts(const std::string& file, const Tokenizer& tokenizer, ChatTemplate templ) {
  std::ifstream lines(std::string(WEIR_TEST_DATA) + "/vectors/" + file);
  int seen = 0;
  for (std::string line; std::getline(lines, line); ++seen) {
    const auto vector = nlohmann::ordered_json::parse(line);
    const std::string body = vector["request"].dump();
    const auto request = openai::ChatRequest::parse(body);
    ASSERT_TRUE(request.has_value()) << vector["name"];
    const auto prompt = openai::render_prompt(*request, templ, kRules);
    EXPECT_EQ(tokenizer.count(prompt.text, SpecialText::kParse), vector["prompt_tokens"])
        << vector["name"] << "\n"
        << prompt.text;
    EXPECT_FALSE(prompt.is_estimate) << vector["name"] << ": " << prompt.why_estimate;
  }
  EXPECT_EQ(seen, 52);
}

TEST(ChatVectors, Qwen35) {
  const tokenizer::Builtins builtins;
  expect_counts("chat_prompt_tokens.qwen35.jsonl", *builtins.find("qwen3.5"),
                ChatTemplate::kQwen35);
}

TEST(ChatVectors, Qwen25) {
  const tokenizer::Builtins builtins;
  expect_counts("chat_prompt_tokens.qwen2.jsonl", *builtins.find("qwen2"), ChatTemplate::kQwen25);
}

// A vocabulary that no published model has: the merges of Qwen2, split as Qwen3.5.
TEST(ChatVectors, Qwen35WithTheMergesOfQwen2) {
  std::ifstream file(std::string(WEIR_SOURCE_DIR) + "/src/tokenizer/data/qwen3.bpe",
                     std::ios::binary);
  const std::string bpe{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  auto model = tokenizer::build_model(bpe, "qwen35");
  ASSERT_TRUE(model.has_value());
  const auto control = SpecialToken::Kind::kControl;
  const Tokenizer mixed("mixed", *model,
                        {{151643, control, "<|endoftext|>"},
                         {151644, control, "<|im_start|>"},
                         {151645, control, "<|im_end|>"}});
  expect_counts("chat_prompt_tokens.qwen35-vocab151936.jsonl", mixed, ChatTemplate::kQwen35);
}

}  // namespace
}  // namespace weir
