#include <gtest/gtest.h>

#include "loading.h"

namespace weir::config {
namespace {

std::string utf16le(std::string_view ascii, bool with_mark) {
  std::string out = with_mark ? "\xFF\xFE" : "";
  for (const char c : ascii) {
    out += c;
    out += '\0';
  }
  return out;
}

std::string provider_with_key(std::string_view key) {
  return "[provider.p]\nbase_url = \"https://h\"\napi_key = \"" + std::string(key) + "\"\n";
}

std::string loaded_key(const base::Result<Loaded>& loaded) {
  return loaded ? loaded->config.upstreams[0].api_key.reveal() : loaded.error().message;
}

TEST(FieldCases, S16_BaseValuesLeadToOneAddress) {
  for (const std::string_view written : {"https://h", "https://h/", "https://h/v1", "https://h/v1/",
                                         "https://h/v1/chat/completions"}) {
    const auto loaded = parse("[local.a]\nbase_url = \"" + std::string(written) + "\"\n");
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->config.upstreams[0].base_url.path + "/chat/completions",
              "/v1/chat/completions")
        << written;
  }
}

TEST(FieldCases, S32_MisspeltKeyIsNotSilent) {
  EXPECT_EQ(fault(with_least("[routing]\ntreshold = 8000\n")),
            "4:1: routing.treshold: unknown key; nearest is threshold_tokens in [routing]");
  EXPECT_EQ(fault("treshold = 8000\n" + std::string(kLeast)),
            "1:1: treshold: unknown key; nearest is threshold_tokens in [routing]");
}

TEST(FieldCases, S32_MisplacedKeySaysWhereItBelongs) {
  EXPECT_EQ(fault("base_url = \"https://x\"\n" + std::string(kLeast)),
            "1:1: base_url: does not belong here; it belongs in [provider.NAME] or in "
            "[local.NAME]");
}

TEST(FieldCases, S32_WrongTypeAndRangeAreNotSilent) {
  EXPECT_EQ(fault(with_least("[routing]\nthreshold_tokens = \"8000\"\n")),
            "4:20: routing.threshold_tokens: found text in quotes where a whole number is needed; "
            "write it without quotes: threshold_tokens = 8000");
  EXPECT_EQ(fault(with_least("[routing]\nthreshold_tokens = -1\n")),
            "4:20: routing.threshold_tokens: -1 is out of range; write a whole number from 0 to "
            "1000000000");
  EXPECT_EQ(fault(with_least("[server]\nport = 70000\n")),
            "4:1: server.port: unknown key; nearest is listen in [server]");
}

TEST(FieldCases, S32_TwoTablesOfTheSameName) {
  EXPECT_EQ(fault(with_least("[local.a]\nbase_url = \"http://h\"\n")),
            "3:1: local.a: this table is in the file already; put its keys together under one "
            "header");
}

TEST(FieldCases, S33_ByteOrderMarkAndCrlfAreFine) {
  std::string crlf;
  for (const char c : kSkeleton) {
    crlf += c == '\n' ? "\r\n" : std::string(1, c);
  }
  EXPECT_TRUE(parse("\xEF\xBB\xBF" + std::string(kSkeleton)));
  EXPECT_TRUE(parse(crlf));
  EXPECT_TRUE(parse("\xEF\xBB\xBF" + crlf));
}

TEST(FieldCases, S33_Utf16IsNamed) {
  EXPECT_EQ(fault(utf16le(kSkeleton, true)),
            "1:1: the file is UTF-16 (little endian); save it as UTF-8");
  EXPECT_EQ(fault(utf16le(kSkeleton, false)),
            "1:1: the file is UTF-16 (little endian); save it as UTF-8");
}

TEST(FieldCases, S33_ByteOrderMarkInLineTwo) {
  EXPECT_EQ(fault("# first\n\xEF\xBB\xBF" + std::string(kSkeleton)),
            "2:1: a byte order mark inside the file; delete it");
}

TEST(FieldCases, S34_BackslashesInAPath) {
  const std::string escape = fault(with_least("[log]\nfile = \"C:\\Users\\x\\a.log\"\n"));
  EXPECT_TRUE(contains(escape, "log.file")) << escape;
  EXPECT_TRUE(contains(escape, "single quotes")) << escape;
  const std::string control = fault(with_least("[log]\nfile = \"C:\\new\\table.log\"\n"));
  EXPECT_TRUE(contains(control, "log.file: a control character")) << control;
  EXPECT_TRUE(contains(control, "single quotes")) << control;
}

TEST(FieldCases, S34_OtherFormsOfAPathWork) {
  Environment windows = environment_with({});
  windows.platform = Platform::kWindows;
  const auto load = [&windows](std::string_view line) {
    return parse_config(with_least(line), "/etc/weir/config.toml", windows);
  };
  const auto single = load("[log]\nfile = 'C:\\new\\table.log'\n");
  ASSERT_TRUE(single) << single.error().message;
  EXPECT_EQ(single->config.log.file, "C:\\new\\table.log");
  const auto slashes = load("[log]\nfile = \"C:/new/table.log\"\n");
  ASSERT_TRUE(slashes) << slashes.error().message;
  EXPECT_EQ(slashes->config.log.file, "C:/new/table.log");
}

TEST(FieldCases, S35_WhiteSpaceAtTheEndsOfAKeyIsTakenOff) {
  const TemporaryFolder folder;
  const std::string text = provider_with_key("${file:key.txt}");
  for (const std::string_view contents : {"cloud-key-canary-2\r\n", " cloud-key-canary-2\t",
                                          "\xEF\xBB\xBF"
                                          "cloud-key-canary-2\xC2\xA0\n"}) {
    folder.write("key.txt", contents);
    EXPECT_EQ(loaded_key(parse_config(text, folder.path() / "config.toml", environment_with({}))),
              "cloud-key-canary-2");
  }
}

TEST(FieldCases, S35_WhiteSpaceInsideAKeyIsRefused) {
  const TemporaryFolder folder;
  folder.write("key.txt", "cloud-key\ncanary-2");
  const auto loaded = parse_config(provider_with_key("${file:key.txt}"),
                                   folder.path() / "config.toml", environment_with({}));
  ASSERT_FALSE(loaded);
  EXPECT_TRUE(contains(loaded.error().message, "white space")) << loaded.error().message;
  EXPECT_TRUE(contains(loaded.error().message, "file key.txt")) << loaded.error().message;
  EXPECT_FALSE(contains(loaded.error().message, "canary")) << loaded.error().message;
}

TEST(FieldCases, S35_AnEmptyKeyIsRefused) {
  EXPECT_EQ(fault(provider_with_key("")),
            "3:11: provider.p.api_key: the key is empty; write the key of this server");
}

TEST(FieldCases, S36_AVariableIsReplaced) {
  EXPECT_EQ(loaded_key(parse(provider_with_key("${CLOUD_KEY}"), {{"CLOUD_KEY", " canary-7\n"}})),
            "canary-7");
}

TEST(FieldCases, S36_AnUnsetVariableIsNamed) {
  EXPECT_TRUE(fault(provider_with_key("${CLOUD_KEY}"))
                  .starts_with("3:11: provider.p.api_key: the environment variable CLOUD_KEY is "
                               "not set; "));
}

TEST(FieldCases, S36_AnEmptyVariableIsRefused) {
  EXPECT_EQ(fault(provider_with_key("${CLOUD_KEY}"), {{"CLOUD_KEY", ""}}),
            "3:11: provider.p.api_key: the key is empty; write the key of this server (from "
            "variable CLOUD_KEY)");
  EXPECT_TRUE(contains(
      fault("[local.a]\nbase_url = \"http://h\"\napi_key = \"${K}\"\n", {{"K", ""}}), "empty"));
}

TEST(FieldCases, S36_AKeyThatLooksLikeAVariableIsRefused) {
  for (const std::string_view key : {"$CLOUD_KEY", "$${CLOUD_KEY}", "%CLOUD_KEY%"}) {
    EXPECT_TRUE(contains(fault(provider_with_key(key)), "looks like a variable")) << key;
  }
}

TEST(FieldCases, S36_ADollarInAnotherTextStays) {
  const auto loaded = parse("[local.a]\nbase_url = \"http://h\"\nmodel = \"costs $5\"\n");
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->config.upstreams[0].model, "costs $5");
}

// Broken in every way that came to mind, with the key in the broken place.
TEST(FieldCases, S38_NoFaultShowsAKey) {
  const std::string canary = "sk-canary-0123456789";
  const std::string head = "[provider.p]\nbase_url = \"https://h\"\n";
  for (const std::string& text : {
           head + "api_key = " + canary + "\n",
           head + "api_key = \"" + canary + "\n",
           head + "api_key = '" + canary + "\n",
           head + "api_key = \"" + canary + "\" x\n",
           head + "api_key = \"" + canary + "\\q\"\n",
           head + "api_key \"" + canary + "\"\n",
           head + "api_key = [\"" + canary + "\"]\n",
           head + "api_key = { x = \"" + canary + "\" }\n",
           head + "api_key = \"" + canary + " " + canary + "\"\n",
           head + "api_key = \"Bearer " + canary + "\"\n",
           head + "api_key = \"'" + canary + "'\"\n",
           head + "api_key = \"$" + canary + "\"\n",
           head + "api_key = \"${" + canary + "}\"\n",
           head + "apikey = \"" + canary + "\"\n",
           head + "api_key = \"" + canary + "\"\napi_key = \"" + canary + "\"\n",
           head + canary + "\n",
           head + canary + " = \"x\"\n",
           head + "\"" + canary + "\" = 1\n",
           "[" + canary + "]\nx = 1\n",
           "[provider." + canary + "]\nbase_url = \"" + canary + "\"\n",
           "[provider.p]\nbase_url = \"https://u:" + canary + "@h\"\napi_key = \"x y\"\n",
           "[provider.p]\nbase_url = \"https://h?key=" + canary + "\"\napi_key = \"x\"\n",
           with_least("proxy = \"http://u:" + canary + "@h:1\"\n"),
           with_least("headers = { X-A = \"" + canary + "\\n\", \"a b\" = \"" + canary + "\" }\n"),
           with_least("headers = { \"" + canary + " x\" = \"x\" }\n"),
           with_least("timeout = \"" + canary + "\"\n"),
           with_least("[routing]\nlong_route = \"" + canary + "\"\nfallback = [\"" + canary +
                      "\"]\n"),
           with_least("[log]\nlevel = \"" + canary + "\"\n"),
           with_least("[[server.keys]]\nname = \"a\"\nkey = \"" + canary + "\"\nkay = \"" + canary +
                      "\"\n[[server.keys]]\nname = \"a\"\nkey = \"" + canary + "\"\n"),
           with_least("[server]\nlisten = \"" + canary + "\"\n"),
           with_least("[server]\nlisten = \"" + canary + ":80\"\n"),
           with_least("x = \"\"\"\n" + canary + "\n"),
           with_least("[routing]\nx = [\n\"" + canary + "\"\n\"" + canary + "\"]\n"),
           "\xEF\xBB\xBF\xEF\xBB\xBF" + canary,
           canary,
           canary + "\xFF",
       }) {
    const auto loaded = parse(text);
    ASSERT_FALSE(loaded) << text;
    EXPECT_FALSE(contains(loaded.error().message, "canary")) << loaded.error().message;
  }
}

TEST(FieldCases, S38_PrintShowsNoKey) {
  const auto loaded = parse(
      "[provider.p]\n"
      "base_url = \"https://h\"\n"
      "api_key = \"${K}\"\n"
      "headers = { X-Key = \"canary-header\" }\n"
      "[provider.p.models]\n"
      "a = \"x-canary-1-from-variable\"\n"
      "[local.a]\n"
      "base_url = \"http://h\"\n"
      "api_key = \"canary-local-key\"\n"
      "[local.a.launch]\n"
      "extra_args = [\"--api-key\", \"canary-argument\", \"--api-key=canary-other\"]\n"
      "[[server.keys]]\n"
      "name = \"laptop\"\n"
      "key = \"canary-client\"\n",
      {{"K", "canary-1-from-variable"}});
  ASSERT_TRUE(loaded) << loaded.error().message;
  const std::string printed = print_config(*loaded);
  EXPECT_FALSE(contains(printed, "canary")) << printed;
  EXPECT_TRUE(contains(printed, "api_key = \"***\"")) << printed;
}

TEST(FieldCases, S54_RelativePathsAreFromTheFile) {
  const auto loaded = parse(with_least("[log]\nfile = \"p.log\"\n"));
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->config.log.file, "/etc/weir/p.log");
}

TEST(FieldCases, S57_Ipv6InBracketsIsAnAddress) {
  const auto loaded = parse(
      "[server]\nlisten = [\"127.0.0.1:8090\", \"[::1]:8090\"]\n[local.a]\n"
      "base_url = \"http://[::1]:9001\"\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.server.listen[1].host, "::1");
  EXPECT_EQ(loaded->config.upstreams[0].base_url.authority(), "[::1]:9001");
}

}  // namespace
}  // namespace weir::config
