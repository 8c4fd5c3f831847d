#include <gtest/gtest.h>

#include "loading.h"

namespace weir::config {
namespace {

TEST(Value, WrongTypesSayWhatWasFoundAndWhatIsRight) {
  for (const auto& [line, found] : std::vector<std::pair<std::string, std::string>>{
           {"timeout = \"30\"",
            "found text in quotes where a number is needed; write it without "
            "quotes: timeout = 30"},
           {"timeout = \"30s\"", "for example timeout = 600"},
           {"timeout = true", "found true or false where a number is needed"},
           {"timeout = 1979-05-27", "found a date or time"},
           {"timeout = {}", "found a table"},
           {"model = 35", "found a whole number where text in quotes is needed"},
           {"model = 3.5", "found a number with a fraction"},
           {"model = [\"x\"]", "found a list"},
           {"max_concurrent = 1.5", "found a number with a fraction where a whole number"},
           {"vision = 1", "found a whole number where true or false is needed"},
           {"ca_file = 1", "where text in quotes is needed; for example ca_file = \"ca.pem\""}}) {
    EXPECT_TRUE(contains(fault(with_least(line + "\n")), found)) << fault(with_least(line + "\n"));
  }
}

TEST(Value, KeysAreCheckedWithoutBeingShown) {
  for (const auto& [key, part] : std::vector<std::pair<std::string, std::string>>{
           {"canary 1", "white space"},
           {"canary\\t1", "white space"},
           {"canary\\u00011", "control character"},
           {"'canary1'", "quotes"},
           {"canary\xE4\xBD\xA0", "not ASCII"},
           {"Bearer canary1", "Bearer"},
           {"Bearer Bearer canary1", "Bearer"},
           {"Authorization: canary1", "header name"}}) {
    const std::string found = fault(with_least("api_key = \"" + key + "\"\n"));
    EXPECT_TRUE(contains(found, "3:11: local.a.api_key: ")) << found;
    EXPECT_TRUE(contains(found, part)) << found;
    EXPECT_FALSE(contains(found, "canary")) << found;
  }
}

TEST(Value, AHomeSignInAPathIsExplained) {
  EXPECT_TRUE(contains(fault(with_least("ca_file = \"~/ca.pem\"\n")), "~ is not replaced"));
}

TEST(Value, PathsAreUtf8) {
  const auto loaded = parse(with_least("ca_file = \"\xE8\xAF\x81/ca.pem\"\n"));
  ASSERT_TRUE(loaded);
  EXPECT_TRUE(loaded->config.upstreams[0].ca_file.u8string() == u8"/etc/weir/\u8bc1/ca.pem");
}

TEST(Value, TokenizerModelIsAPathWhenItIsAGguf) {
  const auto name = parse(with_least("[tokenizer]\nmodel = \"qwen3.5\"\n"));
  ASSERT_TRUE(name);
  EXPECT_EQ(name->config.tokenizer.model, "qwen3.5");
  const auto file = parse(with_least("[tokenizer]\nmodel = \"m/q.GGUF\"\n"));
  ASSERT_TRUE(file);
  EXPECT_EQ(file->config.tokenizer.model, "/etc/weir/m/q.GGUF");
}

TEST(Value, LogSettingsAreRead) {
  const auto loaded =
      parse(with_least("[log]\nlevel = \"debug\"\nformat = \"json\"\nrotate_mb = 1\nkeep = 0\n"));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.log.level, "debug");
  EXPECT_EQ(loaded->config.log.format, LogFormat::kJson);
  EXPECT_EQ(loaded->config.log.rotate_mb, 1U);
  EXPECT_EQ(loaded->config.log.keep, 0U);
  EXPECT_TRUE(contains(fault(with_least("[log]\nlevel = \"INFO\"\n")), "write \"info\""));
}

TEST(Paths, ADriveLetterIsAFaultWhereThereAreNoDrives) {
  for (const std::string_view line :
       {"[log]\nfile = \"C:\\\\temp\\\\weir.log\"\n", "[log]\nfile = 'c:\\temp\\weir.log'\n",
        "[log]\nfile = \"D:/weir.log\"\n", "ca_file = 'C:\\ca.pem'\n",
        "[tokenizer]\nmodel = 'C:\\m.gguf'\n", "[tokenizer]\nmmproj = 'C:\\m.gguf'\n",
        "[local.a.launch]\nserver = 'C:\\llama-server.exe'\n",
        "[local.a.launch]\nmodel = 'C:\\m.gguf'\n"}) {
    EXPECT_TRUE(contains(fault(with_least(line)), "a path with a drive letter")) << line;
  }
}

std::string file_faults(std::string_view more) {
  Environment environment = environment_with({});
  environment.file_fault = [](const std::filesystem::path& file) {
    return std::string(file.filename() == "there.pem" ? "" : "there is no such file");
  };
  const auto loaded = parse_config(with_least(more), "/etc/weir/config.toml", environment);
  return loaded ? "" : loaded.error().message;
}

TEST(Files, OneThatIsNotThereIsAFaultWithItsPlace) {
  EXPECT_EQ(file_faults("ca_file = \"ca.pem\"\n"),
            "/etc/weir/config.toml:3:11: local.a.ca_file: \"/etc/weir/ca.pem\": there is no such "
            "file");
  EXPECT_EQ(file_faults("[tokenizer]\nmodel = \"/m/x.gguf\"\nmmproj = \"p.gguf\"\n"),
            "/etc/weir/config.toml:4:9: tokenizer.model: \"/m/x.gguf\": there is no such file\n"
            "/etc/weir/config.toml:5:10: tokenizer.mmproj: \"/etc/weir/p.gguf\": there is no such "
            "file");
  EXPECT_EQ(file_faults("[server]\ntls_cert = \"there.pem\"\ntls_key = \"gone.pem\"\n"),
            "/etc/weir/config.toml:5:11: server.tls_key: \"/etc/weir/gone.pem\": there is no such "
            "file");
}

TEST(Files, WhatIsThereOrIsNoFileToReadIsFine) {
  EXPECT_EQ(file_faults("ca_file = \"there.pem\"\n"), "");
  EXPECT_EQ(file_faults("[tokenizer]\nmodel = \"qwen3\"\n[log]\nfile = \"new.log\"\n"), "");
}

}  // namespace
}  // namespace weir::config
