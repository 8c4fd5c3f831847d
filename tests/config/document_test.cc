#include <gtest/gtest.h>

#include "loading.h"

namespace weir::config {
namespace {

TEST(ParseDocument, SyntaxFaultsAreInPlainWords) {
  for (const auto& [line, part] : std::vector<std::pair<std::string, std::string>>{
           {"model = qwen", "text needs quotes"},
           {"model = ", "text needs quotes"},
           {"model = tru", "text needs quotes"},
           {"model = \"a", "no closing quote"},
           {"model = 'a", "no closing quote"},
           {"model = \"a\x01\"", "control character; delete"},
           {"model = \xE2\x80\x9C"
            "a\xE2\x80\x9D",
            "straight ones"},
           {"model = \"a\\q\"", "backslash"},
           {"model = \"a\" b", "after the value"},
           {"model", "name without a value"},
           {"headers = { X-A = \"1\" X-B = \"2\" }", "table in braces"},
           {"timeout = 010", "must not begin with 0"},
           {"timeout = 99999999999999999999", "too large"},
           {"[local.a", "not closed"},
           {"[]", "header is empty"},
           {"[!]", "need quotes"},
           {"timeout \xEF\xBC\x9D 5", "not ASCII (full-width?)"},
           {"\xE6\xA8\xA1\xE5\x9E\x8B = 5", "not ASCII (full-width?)"},
           {"vision = true\xE3\x80\x81", "not ASCII (full-width?)"},
           {"timeout = 99\"9\xEF\xBB\xAF", "text needs quotes"},
           {"[[[", "need quotes"},
           {"base_url = \"http://h\"", "in the file already"},
           {"!", "is not TOML"}}) {
    const auto lines = faults(with_least(line + "\n"));
    ASSERT_EQ(lines.size(), 1U) << line;
    EXPECT_TRUE(contains(lines[0], "config.toml:3:")) << lines[0];
    EXPECT_TRUE(contains(lines[0], part)) << lines[0];
  }
}

TEST(ParseDocument, TextThatIsNotAsciiIsFineInQuotesAndComments) {
  const auto loaded =
      parse(with_least("# \xE3\x80\x81\n"
                       "model = 'it\"s \xE3\x80\x81'  # \xE3\x80\x81 \"\n"
                       "[local.a.launch]\n"
                       "cache_type_k = \"a\\\"\xE3\x80\x81\"\n"
                       "cache_type_v = '''a '' \xE3\x80\x81'''\n"
                       "extra_args = [\"\"\"b\\\"\"\" \xE3\x80\x81\"\"\", '']\n"));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.upstreams[0].launch->cache_type_k, "a\"\xE3\x80\x81");
}

TEST(ParseDocument, ReadsOnAfterABrokenLine) {
  const auto lines =
      faults(with_least("model = qwen\n"
                        "timeout = -5\n"
                        "[local.a]\n"
                        "x = 1\n"
                        "[routing]\n"
                        "hold = tru\n"
                        "hald = 1\n"));
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_TRUE(contains(lines[0], ":3:")) << lines[0];
  EXPECT_TRUE(contains(lines[1], ":4:11: local.a.timeout: -5 is out of range")) << lines[1];
  EXPECT_TRUE(contains(lines[2], ":5:1: local.a: this table")) << lines[2];
  EXPECT_TRUE(contains(lines[3], ":8:")) << lines[3];
  EXPECT_TRUE(contains(lines[4], ":9:1: routing.hald: unknown key; nearest is hold")) << lines[4];
}

TEST(ParseDocument, WhatMayBeInABrokenLineIsNotMissed) {
  EXPECT_EQ(faults("[local.a]\nbase_url = http://h\n").size(), 1U);
}

TEST(ParseDocument, UpstreamsKeepTheOrderOfTheFile) {
  const auto loaded = parse(
      "[local.z]\nbase_url = \"http://h\"\n[provider.b]\nbase_url = \"https://h\"\n"
      "api_key = \"k\"\n[local.a]\nbase_url = \"http://h\"\n[routing]\nshort_route = \"a\"\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.upstreams[0].name, "z");
  EXPECT_EQ(loaded->config.upstreams[1].name, "b");
  EXPECT_EQ(loaded->config.upstreams[2].name, "a");
}

TEST(ParseDocument, VeryDeepNamesAreRefused) {
  std::string name = "a";
  for (int i = 0; i < 100000; ++i) {
    name += ".a";
  }
  EXPECT_TRUE(contains(fault(name + " = 1\n"), "dots"));
  EXPECT_FALSE(parse(std::string(100000, '[') + "\n"));
  EXPECT_FALSE(parse("x = " + std::string(100000, '[') + "\n"));
}

}  // namespace
}  // namespace weir::config
