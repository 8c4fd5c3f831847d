// The command line: what is answered to one that is not right, and what the small commands print.

#include "weir/cli/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "../config/loading.h"

namespace weir::cli {
namespace {

struct Ran {
  int exit_code = 0;
  std::string out;
  std::string err;
};

Ran run_with(std::vector<std::string> words) {
  words.insert(words.begin(), "weir");
  std::vector<char*> arguments;
  std::transform(words.begin(), words.end(), std::back_inserter(arguments),
                 [](std::string& word) { return word.data(); });
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Ran ran;
  ran.exit_code = run(static_cast<int>(arguments.size()), arguments.data());
  ran.out = testing::internal::GetCapturedStdout();
  ran.err = testing::internal::GetCapturedStderr();
  return ran;
}

// One line that begins with "weir: " and `text`.
void expect_wrong(const std::vector<std::string>& words, const std::string& text) {
  const Ran ran = run_with(words);
  EXPECT_EQ(ran.exit_code, 2) << ran.err;
  EXPECT_TRUE(ran.err.starts_with("weir: " + text)) << ran.err;
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  EXPECT_EQ(ran.out, "");
}

TEST(Run, AMistypedCommandIsAnsweredWithTheNearest) {
  expect_wrong({"sevre"}, "there is no command \"sevre\"; did you mean serve? (weir --help ");
  expect_wrong({"cout"}, "there is no command \"cout\"; did you mean count?");
  expect_wrong({"sevre", "--config", "x"}, "there is no command \"sevre\"; did you mean serve?");
}

TEST(Run, AMistypedOptionIsAnsweredWithTheNearest) {
  expect_wrong({"serve", "--confg", "x"},
               "there is no option \"--confg\"; did you mean --config? (weir serve --help ");
  expect_wrong({"--lisen=127.0.0.1:1"}, "there is no option \"--lisen\"; did you mean --listen?");
  expect_wrong({"count", "--tokenisr", "o200k"},
               "there is no option \"--tokenisr\"; did you mean --tokenizer?");
}

TEST(Run, WhatIsNearNothingIsNamedOnly) {
  expect_wrong({"frobnicate"}, "there is no command \"frobnicate\" (weir --help ");
  expect_wrong({""}, "there is no command \"\" (");
  expect_wrong({"route", "a.json", "b.json"}, "\"b.json\" is one argument too many (weir route ");
  expect_wrong({"count", "--tokenizer"}, "--tokenizer");
  expect_wrong({"service", "instal"}, "ACTION");
}

TEST(Run, OddBytesAndLengthsAreShownInShort) {
  expect_wrong({"\xFF\xFE\x1B[2J"}, "there is no command \"???[2J\"");
  const Ran ran = run_with({std::string(100000, 'x')});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_LT(ran.err.size(), 300U);
}

TEST(Run, HelpIsNoFault) {
  for (const char* command : {"serve", "demo", "count", "route", "config", "service"}) {
    const Ran ran = run_with({command, "--help"});
    EXPECT_EQ(ran.exit_code, 0) << command;
    EXPECT_NE(ran.out.find("Usage"), std::string::npos) << command;
  }
}

class WithConfig : public testing::Test {
 protected:
  static std::string config_text(const std::string& model) {
    return "[local.a]\nbase_url = \"http://127.0.0.1:1\"\n[tokenizer]\nmodel = \"" + model + "\"\n";
  }
  std::string write(std::string_view name, std::string_view contents) const {
    return folder_.write(name, contents).string();
  }
  const config::TemporaryFolder folder_;
};

TEST_F(WithConfig, CountTakesTheTokenizerOfAConfiguration) {
  const std::string text = write("text", "你好，世界！Tokenizers differ in how they split text.");
  for (const std::string model : {"qwen2.5", "cl100k"}) {
    const std::string config = write("config.toml", config_text(model));
    const Ran named = run_with({"count", "--text", "--tokenizer", model, text});
    const Ran configured = run_with({"count", "--text", "--config", config, text});
    EXPECT_EQ(configured.exit_code, 0) << configured.err;
    EXPECT_EQ(configured.out, named.out);
  }
}

TEST_F(WithConfig, CountReadsNoConfigurationUnlessOneIsNamed) {
  const std::string text = write("text", "hello");
  EXPECT_EQ(run_with({"count", "--text", text}).out, "1\n");
  const Ran missing = run_with({"count", "--text", "--config", text + ".toml", text});
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_EQ(missing.out, "");
  expect_wrong({"count", "--config", text, "--tokenizer", "qwen3"}, "--");
}

TEST_F(WithConfig, RouteSaysWhatItAssumes) {
  const std::string config = write("config.toml", config_text("qwen3.5"));
  const std::string body = write("body", R"({"messages":[{"role":"user","content":"hello"}]})");
  const Ran ran = run_with({"route", "--config", config, body});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("\"route\":\"local.a\""), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\"assumes\":\"every upstream is ready\""), std::string::npos) << ran.out;
}

TEST_F(WithConfig, AMissingModelFileIsAFaultOfTheConfigurationForEveryCommand) {
  const std::string config = write("config.toml", config_text("gone.gguf"));
  const std::string gone = (folder_.path() / "gone.gguf").string();
  for (const char* command : {"config", "route", "serve"}) {
    expect_wrong({command, "--config", config},
                 config + ":4:9: tokenizer.model: \"" + gone + "\": there is no such file\n");
  }
}

}  // namespace
}  // namespace weir::cli
