// Keeps what README and docs say about the command line and the configuration true.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "markdown.h"
#include "weir/base/text.h"
#include "weir/cli/run.h"
#include "weir/config/load.h"

namespace weir::docs {
namespace {

namespace fs = std::filesystem;

using Names = std::set<std::string>;

constexpr std::string_view kReadmes[] = {"README.md", "README.zh-CN.md"};

// docs/configuration.md speaks of commands that are still to come, and says so.
constexpr std::string_view kCommandPages[] = {
    "README.md",        "README.zh-CN.md",    "docs/architecture.md", "docs/development.md",
    "docs/http-api.md", "docs/operations.md", "docs/tokenizer.md",    "docs/changelog.md"};

std::string help_of(const std::string& command) {
  std::vector<std::string> words{"weir", "--help"};
  if (!command.empty()) {
    words.insert(words.begin() + 1, command);
  }
  std::vector<char*> arguments;
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  testing::internal::CaptureStdout();
  const int exit_code = cli::run(static_cast<int>(arguments.size()), arguments.data());
  std::string help = testing::internal::GetCapturedStdout();
  EXPECT_EQ(exit_code, 0) << command;
  return help;
}

// The words in the first column below "Subcommands:".
Names commands_of(const std::string& help) {
  Names commands;
  const auto at = help.find("Subcommands:");
  EXPECT_NE(at, std::string::npos);
  for (const std::string& line : lines_of(std::string_view(help).substr(at))) {
    if (line.starts_with("  ") && line.size() > 2 && line[2] != ' ') {
      commands.insert(line.substr(2, line.find(' ', 2) - 2));
    }
  }
  return commands;
}

Names options_in(const std::string& text) {
  static const std::regex kOption("--[a-z][a-z-]*");
  Names options;
  for (std::sregex_iterator at(text.begin(), text.end(), kOption), end; at != end; ++at) {
    options.insert(at->str());
  }
  return options;
}

// One use of the program in a page: "weir count --text" is {"count", {"--text"}}.
struct Use {
  std::string command;  // empty: weir alone
  Names options;
};

bool is_program(std::string_view word) {
  return word == "weir" || word.ends_with("/weir") || word.ends_with("scripts/run.sh");
}

bool ends_a_command(std::string_view word) {
  constexpr std::string_view kEnds[] = {"|", ">", "<", "&&", ";", "#", "&"};
  return std::find(std::begin(kEnds), std::end(kEnds), word) != std::end(kEnds);
}

std::vector<std::string> words_of(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '[' || c == ']' || c == '\t'; }, ' ');
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find(' ', at), text.size());
    if (end > at) {
      words.push_back(text.substr(at, end - at));
    }
    at = end + 1;
  }
  return words;
}

std::vector<Use> uses_in(const std::string& line) {
  static const std::regex kCommand("[a-z]+");
  std::vector<Use> uses;
  const std::vector<std::string> words = words_of(line);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_place = i > 0 && (words[i - 1] == "cd" || words[i - 1] == "--target");
    if (!is_program(words[i]) || is_place) {
      continue;
    }
    Use use;
    if (i + 1 < words.size() && std::regex_match(words[i + 1], kCommand)) {
      use.command = words[++i];
    }
    while (i + 1 < words.size() && !ends_a_command(words[i + 1])) {
      if (words[++i].starts_with("--")) {
        use.options.insert(words[i].substr(0, words[i].find('=')));
      }
    }
    uses.push_back(std::move(use));
  }
  return uses;
}

// Code lines of a page that a reader may type: single spans and blocks marked as shell.
std::vector<std::string> code_of(const std::string& page) {
  std::vector<std::string> code = code_spans_of(page);
  for (const Fence& fence : fences_of(page)) {
    if (fence.language == "sh") {
      for (std::string& line : lines_of(fence.text)) {
        code.push_back(std::move(line));
      }
    }
  }
  return code;
}

std::string skeleton_of(const std::string& page) {
  for (const Fence& fence : fences_of(page)) {
    if (fence.language == "toml") {
      return fence.text;
    }
  }
  ADD_FAILURE() << "no toml block";
  return "";
}

TEST(Readme, SkeletonLoadsAsItStands) {
  const auto loaded = config::parse_config(skeleton_of(file_text("README.md")), "config.toml", {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  ASSERT_EQ(loaded->warnings.size(), 1U);
  EXPECT_NE(loaded->warnings[0].find("provider.taotoken.api_key: "), std::string::npos);
  const config::Config& config = loaded->config;
  EXPECT_EQ(config.routing.short_route, "local.llamacpp");
  EXPECT_EQ(config.routing.long_route, "provider.taotoken");
  EXPECT_EQ(config.routing.threshold_tokens, 32768U);
  EXPECT_EQ(config.find("provider.taotoken")->models.size(), 3U);
  EXPECT_EQ(config.find("local.llamacpp")->base_url.text(), "http://127.0.0.1:8080/v1");
}

TEST(Readme, ChineseShowsTheSameSkeleton) {
  EXPECT_EQ(skeleton_of(file_text("README.zh-CN.md")), skeleton_of(file_text("README.md")));
}

TEST(Readme, ChineseShowsTheSameShellBlocks) {
  const auto commands_only = [](std::string_view page) {
    std::string all;
    for (const Fence& fence : fences_of(file_text(page))) {
      if (fence.language == "sh") {
        for (const std::string& line : lines_of(fence.text)) {
          all += std::string(base::trim_ascii(line.substr(0, line.find(" #")))) + "\n";
        }
      }
    }
    return all;
  };
  EXPECT_EQ(commands_only("README.zh-CN.md"), commands_only("README.md"));
}

TEST(Docs, CommandsAndOptionsExist) {
  const Names commands = commands_of(help_of(""));
  for (const std::string_view page : kCommandPages) {
    for (const std::string& line : code_of(file_text(page))) {
      for (const Use& use : uses_in(line)) {
        if (!use.command.empty() && !commands.contains(use.command)) {
          ADD_FAILURE() << page << ": " << line << ": there is no sub-command " << use.command;
          continue;
        }
        const Names known = options_in(help_of(use.command));
        for (const std::string& option : use.options) {
          EXPECT_TRUE(known.contains(option)) << page << ": " << line << ": no option " << option;
        }
      }
    }
  }
}

TEST(Readme, CommandTableIsWhole) {
  for (const std::string_view readme : kReadmes) {
    const std::string page = file_text(readme);
    std::string rows;
    for (const Table& table : tables_of(page)) {
      for (const auto& row : table.rows) {
        rows += row.front().starts_with("`weir ") ? row.front() + "\n" : "";
      }
    }
    for (const std::string& command : commands_of(help_of(""))) {
      const auto at = rows.find("`weir " + command);
      ASSERT_NE(at, std::string::npos) << readme << " does not list " << command;
      const std::string row = rows.substr(at, rows.find('\n', at) - at);
      for (const std::string& option : options_in(help_of(command))) {
        EXPECT_TRUE(option == "--help" || row.find(option) != std::string::npos)
            << readme << ": the row of " << command << " lacks " << option;
      }
    }
  }
}

// "## Keys and `base_url`" is "keys-and-base_url", as GitHub makes it.
std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char c : base::trim_ascii(heading.substr(heading.find_first_not_of('#')))) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || std::isalnum(byte) != 0 || c == '_' || c == '-') {
      anchor.push_back(base::ascii_lower(c));
    } else if (c == ' ') {
      anchor.push_back('-');
    }
  }
  return anchor;
}

bool has_anchor(const std::string& page, const std::string& anchor) {
  for (const std::string& line : lines_of(page)) {
    if (line.starts_with('#') && anchor_of(line) == anchor) {
      return true;
    }
  }
  return false;
}

TEST(Docs, LinksLeadSomewhere) {
  static const std::regex kLink(R"(\]\(([^)#: ]*)(#[^) ]*)?\))");
  const fs::path root = WEIR_SOURCE_DIR;
  std::vector<fs::path> pages{"README.md", "README.zh-CN.md"};
  for (const auto& entry : fs::directory_iterator(root / "docs")) {
    pages.push_back(entry.path().lexically_relative(root));
  }
  for (const fs::path& page : pages) {
    const std::string text = file_text(page);
    for (std::sregex_iterator at(text.begin(), text.end(), kLink), end; at != end; ++at) {
      const std::string target = (*at)[1];
      const fs::path file = target.empty() ? page : page.parent_path() / target;
      ASSERT_TRUE(fs::exists(root / file)) << page << " links to " << target;
      const std::string anchor = (*at)[2];
      EXPECT_TRUE(anchor.empty() || has_anchor(file_text(file), anchor.substr(1)))
          << page << " links to " << target << anchor;
    }
  }
}

}  // namespace
}  // namespace weir::docs
