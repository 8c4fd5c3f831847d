#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "loading.h"

namespace weir::config {
namespace {

std::string file_text(const std::string& name) {
  std::ifstream in(std::filesystem::path(WEIR_SOURCE_DIR) / name, std::ios::binary);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

std::string full_key(const KeyDoc& doc) {
  return doc.table.empty() ? doc.key : doc.table + "." + doc.key;
}

std::map<std::string, KeyDoc> keys_by_name() {
  std::map<std::string, KeyDoc> keys;
  for (const KeyDoc& doc : known_keys()) {
    keys[full_key(doc)] = doc;
  }
  return keys;
}

// "provider.taotoken" as "provider.NAME".
std::string pattern_of(const std::string& table) {
  return std::regex_replace(table, std::regex("^(provider|local)\\.[a-z]+"), "$1.NAME");
}

// The example with the # taken off each key, or off those with a default only.
std::string uncommented(bool examples_too) {
  std::string out;
  for (const std::string& line : lines_of(file_text("config/config.toml"))) {
    const bool is_off = std::regex_search(line, std::regex("^#[a-z\\[]"));
    const bool is_example = line.ends_with("  # example") || line.starts_with("#[[server.keys");
    out += (is_off && (examples_too || !is_example) ? line.substr(1) : line) + "\n";
  }
  return out;
}

TEST(ExampleConfig, IsTheFileInTheTree) {
  EXPECT_EQ(example_config(), file_text("config/config.toml"));
}

TEST(ExampleConfig, LoadsAsItStands) {
  const auto loaded = parse(example_config());
  ASSERT_TRUE(loaded) << loaded.error().message;
  ASSERT_EQ(loaded->warnings.size(), 1U);
  EXPECT_TRUE(contains(loaded->warnings[0], "provider.taotoken.api_key: "));
}

TEST(ExampleConfig, ContainsTheSkeleton) {
  const auto example = parse(example_config());
  const auto skeleton = parse(kSkeleton);
  ASSERT_TRUE(example && skeleton);
  ASSERT_EQ(example->settings.size(), skeleton->settings.size());
  for (std::size_t i = 0; i < example->settings.size(); ++i) {
    EXPECT_EQ(example->settings[i].value, skeleton->settings[i].value) << example->settings[i].key;
  }
}

TEST(ExampleConfig, EveryDefaultThatItStatesIsTheOneInTheCode) {
  const auto loaded = parse(uncommented(false));
  ASSERT_TRUE(loaded) << loaded.error().message;
  const std::set<std::string> live{"base_url", "api_key", "models", "long_route", "short_route"};
  const auto keys = keys_by_name();
  for (const Setting& setting : loaded->settings) {
    const std::string name =
        (setting.table.empty() ? "" : pattern_of(setting.table) + ".") + setting.key;
    ASSERT_TRUE(keys.contains(name)) << name;
    const bool is_live = live.contains(setting.key) || name == "local.NAME.model";
    if (!is_live) {
      EXPECT_EQ(setting.value, keys.at(name).default_text) << name;
    }
  }
}

TEST(ExampleConfig, LoadsWithEverythingSwitchedOn) {
  const auto loaded = parse(uncommented(true), {{"WEIR_CLIENT_KEY", "k"}});
  ASSERT_TRUE(loaded) << loaded.error().message;
  for (const Setting& setting : loaded->settings) {
    EXPECT_NE(setting.origin, "default") << setting.table << "." << setting.key;
  }
}

TEST(ExampleConfig, HasEveryKnownKey) {
  std::set<std::string> found{"provider.NAME.models.ALIAS"};
  std::string table;
  std::smatch match;
  for (const std::string& line : lines_of(file_text("config/config.toml"))) {
    if (std::regex_search(line, match, std::regex("^#?\\[+([a-z.]+)\\]"))) {
      table = pattern_of(match[1]);
      found.insert(table);
    } else if (std::regex_search(line, match, std::regex("^#?([a-z_]+) = "))) {
      found.insert(table.empty() ? match[1].str() : table + "." + match[1].str());
    }
  }
  for (const auto& [name, doc] : keys_by_name()) {
    EXPECT_TRUE(found.contains(name)) << name;
  }
}

struct DocumentedKey {
  std::string type;
  std::string unit;
  std::string default_text;
  std::string example;
};

std::map<std::string, DocumentedKey> documented_keys() {
  std::map<std::string, DocumentedKey> keys;
  const std::regex row(R"(^\| `([A-Za-z_.]+)` \| ([a-z ]+) \| (\S+) \| (.+) \| `(.+)` \| .+ \|$)");
  std::smatch match;
  for (const std::string& line : lines_of(file_text("docs/configuration.md"))) {
    if (std::regex_match(line, match, row)) {
      keys[match[1]] = {match[2], match[3], match[4], match[5]};
    }
  }
  return keys;
}

std::string documented_default(const KeyDoc& doc) {
  if (doc.is_required) {
    return "required";
  }
  return doc.default_text.empty() ? "not set" : "`" + doc.default_text + "`";
}

TEST(Documentation, HasEveryKeyWithTypeUnitAndDefault) {
  const auto documented = documented_keys();
  for (const auto& [name, doc] : keys_by_name()) {
    ASSERT_TRUE(documented.contains(name)) << name;
    EXPECT_EQ(documented.at(name).type, doc.type) << name;
    EXPECT_EQ(documented.at(name).unit, doc.unit.empty() ? "-" : doc.unit) << name;
    EXPECT_EQ(documented.at(name).default_text, documented_default(doc)) << name;
    EXPECT_EQ(documented.at(name).example, doc.example) << name;
  }
}

TEST(Documentation, HasNoKeyThatIsUnknown) {
  const auto known = keys_by_name();
  for (const auto& [name, key] : documented_keys()) {
    EXPECT_TRUE(known.contains(name)) << name;
  }
}

TEST(Documentation, EveryBaseUrlOfTheTableIsRight) {
  const std::regex row(R"(^\| `(https?://\S+)` \| `(https?://\S+)/chat/completions` \|$)");
  std::smatch match;
  int rows = 0;
  for (const std::string& line : lines_of(file_text("docs/configuration.md"))) {
    if (std::regex_match(line, match, row)) {
      const auto loaded = parse("[local.a]\nbase_url = \"" + match[1].str() + "\"\n");
      ASSERT_TRUE(loaded) << line;
      EXPECT_EQ(loaded->config.upstreams[0].base_url.text(), match[2].str()) << line;
      ++rows;
    }
  }
  EXPECT_EQ(rows, 8);
}

// The summaries of the rows and the documented defaults come from the structs; this pins the
// structs to the design.
TEST(Defaults, AreThoseOfTheDesign) {
  const std::map<std::string, std::string> wanted{
      {"timeout", "600"},
      {"server.listen", "\"127.0.0.1:8090\""},
      {"server.body_bytes_max", "67108864"},
      {"server.connections_max", "1024"},
      {"server.header_timeout", "10"},
      {"server.body_timeout", "60"},
      {"server.send_timeout", "60"},
      {"server.drain", "30"},
      {"server.watch", "true"},
      {"server.allow_origins", "[]"},
      {"provider.NAME.connect_timeout", "5"},
      {"local.NAME.connect_timeout", "2"},
      {"local.NAME.idle_timeout", "600"},
      {"local.NAME.queue_wait", "0"},
      {"routing.cloud_model", "\"long_context\""},
      {"routing.reserve_output", "true"},
      {"routing.reserve_tokens", "1024"},
      {"routing.margin_tokens", "0"},
      {"routing.fallback",
       "[\"down\", \"loading\", \"busy\", \"context\", \"content\", \"error\"]"},
      {"routing.fallback_long", "false"},
      {"routing.hold", "5"},
      {"tokenizer.model", "\"auto\""},
      {"tokenizer.image_tokens", "1024"},
      {"tokenizer.image_min_tokens", "0"},
      {"tokenizer.image_max_tokens", "0"},
      {"log.level", "\"info\""},
      {"log.format", "\"text\""},
      {"log.rotate_mb", "20"},
      {"log.keep", "5"}};
  const auto keys = keys_by_name();
  for (const auto& [name, value] : wanted) {
    ASSERT_TRUE(keys.contains(name)) << name;
    EXPECT_EQ(keys.at(name).default_text, value) << name;
  }
}

}  // namespace
}  // namespace weir::config
