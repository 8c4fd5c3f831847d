#include "gguf_header.h"

#include <gtest/gtest.h>

#include <sstream>

#include "gguf_writer.h"

namespace weir::tokenizer::test {
namespace {

base::Result<GgufHeader> read(const std::string& file) {
  std::istringstream in(file);
  return read_gguf_header(in, file.size());
}

void expect_error(const std::string& file, std::string_view part) {
  const auto header = read(file);
  ASSERT_FALSE(header);
  EXPECT_EQ(header.error().code, base::ErrorCode::kBadConfig);
  EXPECT_NE(header.error().message.find(part), std::string::npos) << header.error().message;
}

GgufWriter small() {
  GgufWriter writer;
  writer.key_text("general.architecture", "llama");
  writer.key("general.unknown", GgufType::kU32).number<std::uint32_t>(7);
  writer.key_texts("general.tags", {"a", "bc"});
  writer.array("general.bytes", GgufType::kU8, 3).number<std::uint8_t>(1);
  writer.number<std::uint8_t>(2).number<std::uint8_t>(3);
  writer.key_text("tokenizer.ggml.model", "gpt2");
  writer.key_text("tokenizer.ggml.pre", "llama-bpe");
  writer.key_texts("tokenizer.ggml.tokens", {"a", "b", "ab", ""});
  writer.key_types("tokenizer.ggml.token_type", {1, 1, 1, 3});
  writer.key_texts("tokenizer.ggml.merges", {"a b"});
  writer.key("tokenizer.ggml.bos_token_id", GgufType::kU32).number<std::uint32_t>(3);
  writer.key("tokenizer.ggml.add_bos_token", GgufType::kBool).number<std::uint8_t>(1);
  writer.key_text("tokenizer.chat_template", "{{ x }}");
  return writer;
}

TEST(GgufHeader, ReadsWhatATokenizerNeeds) {
  for (const std::uint32_t version : {2U, 3U}) {
    const auto header = read(small().file(version));
    ASSERT_TRUE(header) << header.error().message;
    EXPECT_EQ(header->architecture, "llama");
    EXPECT_EQ(header->model, "gpt2");
    EXPECT_EQ(header->pre, "llama-bpe");
    ASSERT_EQ(header->tokens.size(), 4U);
    EXPECT_EQ(header->tokens[2], "ab");
    EXPECT_EQ(header->tokens[3], "");
    EXPECT_EQ(header->token_types, (std::vector<std::int32_t>{1, 1, 1, 3}));
    ASSERT_EQ(header->merges.size(), 1U);
    EXPECT_EQ(header->merges[0], "a b");
    EXPECT_EQ(header->bos_id, 3U);
    EXPECT_EQ(header->eos_id, std::nullopt);
    EXPECT_EQ(header->add_bos, true);
    EXPECT_EQ(header->chat_template, "{{ x }}");
  }
}

TEST(GgufHeader, WhatFollowsTheHeaderIsNotRead) {
  EXPECT_TRUE(read(small().file() + std::string(1000, '\xFF')));
}

TEST(GgufHeader, AFileCutAnywhereIsAnError) {
  const std::string whole = small().file();
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    ASSERT_FALSE(read(whole.substr(0, bytes))) << bytes;
  }
}

// The size that the system told was larger than what can be read.
TEST(GgufHeader, AFileThatEndsEarlyIsAnError) {
  const std::string whole = small().file();
  for (std::size_t bytes = 4; bytes < whole.size(); ++bytes) {
    std::istringstream in(whole.substr(0, bytes));
    ASSERT_FALSE(read_gguf_header(in, 1 << 20)) << bytes;
  }
}

TEST(GgufHeader, OtherFilesAreRefused) {
  expect_error("", "no GGUF");
  expect_error("GGML and so on, long enough", "no GGUF");
  expect_error(GgufWriter().file(1), "version 1 is not known");
  expect_error(GgufWriter().file(0x03000000), "little endian");
}

TEST(GgufHeader, HugeNumbersAreErrors) {
  const std::uint64_t huge = std::uint64_t{1} << 62;
  const std::string head = std::string("GGUF\3\0\0\0", 8) + std::string(8, '\0');
  expect_error(head + std::string(8, '\xFF'), "keys");
  expect_error(GgufWriter().key("k", GgufType::kString).number(huge).file(), "longer");
  expect_error(GgufWriter().key("k", GgufType::kString).number<std::uint64_t>(99).file(),
               "cut off");
  expect_error(GgufWriter().array("k", GgufType::kU32, huge).file(), "more elements");
  expect_error(GgufWriter().array("k", GgufType::kString, huge).file(), "more elements");
  expect_error(GgufWriter().array("tokenizer.ggml.tokens", GgufType::kString, huge).file(),
               "more elements");
  expect_error(GgufWriter()
                   .array("tokenizer.ggml.tokens", GgufType::kString, 1)
                   .number(kGgufListBytesMax + 1)
                   .file(),
               "longer than");
  expect_error(GgufWriter()
                   .key("tokenizer.ggml.pre", GgufType::kString)
                   .number(kGgufTextBytesMax + 1)
                   .file(),
               "longer than");
}

TEST(GgufHeader, TooManyElementsAreAnError) {
  const std::uint64_t elements = kGgufElementsMax + 1;
  const auto file =
      GgufWriter().array("tokenizer.ggml.token_type", GgufType::kI32, elements).file();
  expect_error(file + std::string(elements * 4, '\0'), "more than 2097152 elements");
}

TEST(GgufHeader, WrongTypesAreErrors) {
  expect_error(GgufWriter().key_texts("tokenizer.ggml.pre", {"a"}).file(), "is no string");
  expect_error(GgufWriter().key_text("tokenizer.ggml.tokens", "a").file(), "is no list");
  expect_error(GgufWriter().key_types("tokenizer.ggml.tokens", {1}).file(), "list of strings");
  expect_error(GgufWriter().key_texts("tokenizer.ggml.token_type", {"a"}).file(), "list of i32");
  expect_error(GgufWriter().key_text("tokenizer.ggml.bos_token_id", "a").file(), "is no number");
  expect_error(GgufWriter().key_text("tokenizer.ggml.add_bos_token", "a").file(), "is no bool");
  expect_error(GgufWriter().key("k", static_cast<GgufType>(13)).file(), "does not exist");
  expect_error(GgufWriter().array("k", static_cast<GgufType>(77), 0).file(), "no place in a list");
}

// No reader of ours recurses: llama.cpp writes no lists of lists.
TEST(GgufHeader, ListsOfListsAreErrors) {
  expect_error(GgufWriter().array("k", GgufType::kArray, 1).file(), "no place in a list");
}

TEST(GgufHeader, TheSameKeyTwiceIsAnError) {
  expect_error(small().key_text("tokenizer.ggml.pre", "gpt-2").file(), "there twice");
}

TEST(GgufHeader, TooFewTokenTypesAreAnError) {
  GgufWriter writer;
  writer.key_texts("tokenizer.ggml.tokens", {"a", "b"});
  expect_error(writer.key_types("tokenizer.ggml.token_type", {1}).file(), "fewer elements");
}

TEST(GgufHeader, AKeyCannotForgeAMessage) {
  const auto header = read(GgufWriter().key("a\nb\x1B[31m", static_cast<GgufType>(13)).file());
  ASSERT_FALSE(header);
  EXPECT_EQ(header.error().message.find_first_of("\n\x1B"), std::string::npos);
}

}  // namespace
}  // namespace weir::tokenizer::test
