#include <gtest/gtest.h>

#include "loading.h"

namespace weir::config {
namespace {

std::string model(std::string_view written, Variables variables = {}) {
  const std::string text = with_least("model = '" + std::string(written) + "'\n");
  const auto loaded = parse(text, variables);
  return loaded ? *loaded->config.upstreams[0].model : fault(text, variables);
}

TEST(Placeholders, TakeVariables) {
  EXPECT_EQ(model("a-${B}-${C}", {{"B", "x"}, {"C", "y"}}), "a-x-y");
  EXPECT_EQ(model("${ProgramFiles(x86)}", {{"ProgramFiles(x86)", "x"}}), "x");
}

TEST(Placeholders, WhatTheyGiveIsNotLookedThroughAgain) {
  EXPECT_EQ(model("${B}", {{"B", "${C}"}, {"C", "y"}}), "${C}");
}

TEST(Placeholders, DoubledDollarIsALiteral) {
  EXPECT_EQ(model("$${B} $5 $B {B}"), "${B} $5 $B {B}");
}

TEST(Placeholders, FaultsNameTheLineAndTheVariable) {
  EXPECT_TRUE(contains(model("${B} ${C}", {{"C", "y"}}),
                       "3:9: local.a.model: the environment variable B is not set"));
  EXPECT_TRUE(contains(model("${B"), "is not closed"));
  EXPECT_TRUE(contains(model("${}"), "no name of a variable"));
  EXPECT_TRUE(contains(model("${A B}"), "no name of a variable"));
}

TEST(Placeholders, EveryUnsetVariableIsReported) {
  EXPECT_EQ(faults(with_least("model = \"${B} ${C}\"\n")).size(), 2U);
}

TEST(Placeholders, WorkInListsTablesAndAddresses) {
  const auto loaded = parse(
      "[server]\nlisten = [\"127.0.0.1:${PORT}\"]\n[provider.p]\nbase_url = \"${BASE}\"\n"
      "api_key = \"k\"\nheaders = { X-A = \"${A}\" }\n[provider.p.models]\nx = \"${A}\"\n",
      {{"PORT", "81"}, {"BASE", "https://h"}, {"A", "b"}});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.server.listen[0].port, 81);
  EXPECT_EQ(loaded->config.upstreams[0].base_url.host, "h");
  EXPECT_EQ(loaded->config.upstreams[0].headers[0].second, "b");
  EXPECT_EQ(loaded->config.upstreams[0].models.at("x"), "b");
}

TEST(Placeholders, FilesAreRelativeToTheConfig) {
  const TemporaryFolder folder;
  folder.write("secrets/name", "  qwen\r\n");
  const auto loaded = parse_config(with_least("model = \"${file:secrets/name}\"\n"),
                                   folder.path() / "config.toml", environment_with({}));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.upstreams[0].model, "qwen");
}

struct Credentials {
  TemporaryFolder folder;
  TemporaryFolder handed_over;
  std::string written = "${credential:cloud.key}";

  base::Result<Loaded> load() const {
    return parse_config(with_least("model = \"" + written + "\"\n"), folder.path() / "config.toml",
                        environment_with({{"CREDENTIALS_DIRECTORY", handed_over.path().string()}}));
  }
};

TEST(Placeholders, ACredentialIsWhatTheServiceWasHandedOver) {
  const Credentials at;
  at.folder.write("cloud.key", "beside");
  at.handed_over.write("cloud.key", " handed-over\n");
  const auto loaded = at.load();
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.upstreams[0].model, "handed-over");
  EXPECT_EQ(loaded->credentials, std::vector<std::string>{"cloud.key"});
}

TEST(Placeholders, ACredentialThatWasNotHandedOverStandsBesideTheConfig) {
  const Credentials at;
  at.folder.write("cloud.key", "beside\n");
  const auto in_service = at.load();
  ASSERT_TRUE(in_service) << in_service.error().message;
  EXPECT_EQ(in_service->config.upstreams[0].model, "beside");
  const auto by_hand = parse_config(with_least("model = \"${credential:cloud.key}\"\n"),
                                    at.folder.path() / "config.toml", environment_with({}));
  ASSERT_TRUE(by_hand) << by_hand.error().message;
  EXPECT_EQ(by_hand->config.upstreams[0].model, "beside");
}

TEST(Placeholders, ACredentialThatIsNowhereIsNamed) {
  const Credentials at;
  const auto loaded = at.load();
  ASSERT_FALSE(loaded);
  EXPECT_TRUE(contains(loaded.error().message, "${credential:...}")) << loaded.error().message;
  EXPECT_TRUE(contains(loaded.error().message, "cloud.key")) << loaded.error().message;
}

TEST(Placeholders, ACredentialIsNoPath) {
  for (const char* name : {"../x", "a/b", "", "..", "c:x"}) {
    Credentials at;
    at.written = "${credential:" + std::string(name) + "}";
    const auto loaded = at.load();
    ASSERT_FALSE(loaded) << name;
    EXPECT_TRUE(contains(loaded.error().message, "no plain file name")) << loaded.error().message;
  }
}

TEST(Placeholders, WhatAFileTakesFromOutsideIsKnown) {
  const auto loaded =
      parse(with_least("model = '${B}${A}'\n"), {{"A", "x"}, {"B", "y"}, {"C", "z"}});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->variables, (std::vector<std::string>{"A", "B"}));
}

TEST(Placeholders, AFileThatCannotBeTakenIsNamed) {
  const TemporaryFolder folder;
  folder.write("utf16", std::string("\xFF\xFEk\0", 4));
  folder.write("large", std::string(70000, 'x'));
  for (const auto& [name, part] :
       std::vector<std::pair<std::string, std::string>>{{"none", "cannot read"},
                                                        {".", "cannot read"},
                                                        {"utf16", "UTF-16"},
                                                        {"large", "64 KiB"}}) {
    const auto loaded = parse_config(with_least("model = \"${file:" + name + "}\"\n"),
                                     folder.path() / "config.toml", environment_with({}));
    ASSERT_FALSE(loaded);
    EXPECT_TRUE(contains(loaded.error().message, ":3:9: local.a.model: "))
        << loaded.error().message;
    EXPECT_TRUE(contains(loaded.error().message, part)) << loaded.error().message;
  }
}

}  // namespace
}  // namespace weir::config
