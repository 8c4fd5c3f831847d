// Each splitter against its definition: the regular expressions of the models' own tokenizers, one
// pass after the other, as llama.cpp runs them. std::regex knows no classes of Unicode, so each
// character becomes one byte that says its class.

#include "splitter.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <regex>
#include <sstream>

#include "pre_tokenizers.h"
#include "test_support.h"
#include "weir/base/text.h"

namespace weir::tokenizer::test {
namespace {

// What stands for a character outside ASCII in the regular expressions below.
// H Han or kana; J, K in DeepSeek Coder's middle; U capital, W small, F the small U+017F, B either.
constexpr std::string_view kNames = "LMNPYHJKCUWFB";
char stand_in(char name) {
  return static_cast<char>(0xC0 + kNames.find(name));
}

class Classes {
 public:
  explicit Classes(std::string_view file) : names_(0x110000, 'C') {
    std::istringstream ranges(data_file(file));
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::string name;
    while (ranges >> std::hex >> first >> last >> name) {
      const char shown = name == "Lu" || name == "Lt" ? 'U' : name == "Ll" ? 'W' : name[0];
      std::fill(names_.begin() + first, names_.begin() + last + 1, shown);
    }
    names_[0x17F] = names_[0x17F] == 'W' ? 'F' : 'L';
  }
  char name(std::uint32_t c) const { return names_[c]; }

 private:
  std::string names_;
};

// {X} becomes the characters of class X, for use within brackets.
std::string expand(std::string_view pattern) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool is_class = pattern[i] == '{' && i + 2 < pattern.size() && pattern[i + 2] == '}' &&
                          kNames.find(pattern[i + 1]) != std::string_view::npos;
    if (!is_class) {
      out += pattern[i];
      continue;
    }
    const char name = pattern[i + 1];
    i += 2;
    out += stand_in(name);
    switch (name) {
      case 'L':
        out += "A-Za-z";
        for (const char letter : {'H', 'J', 'U', 'W', 'F'}) {
          out += stand_in(letter);
        }
        break;
      case 'U':
        out += "A-Z";
        break;
      case 'W':
        out += std::string("a-z") + stand_in('F');
        break;
      case 'B':
        for (const char either : {'L', 'H', 'J', 'M'}) {
          out += stand_in(either);
        }
        break;
      case 'N':
        out += "0-9";
        break;
      case 'P':
        out += std::string("!-#%-*,-/:;?@\\[\\\\\\]_{}") + stand_in('K');
        break;
      case 'Y':
        out += "$+<=>^`|~";
        break;
      default:
        break;
    }
  }
  return out;
}

using Passes = std::vector<std::string>;

const std::string kContractions = "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])";
const std::string kFoldedContractions =
    "(?:'[sS{F}]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])";
const std::string kSpaces = "|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const std::string kGpt2 =
    "'s|'t|'re|'ve|'m|'ll|'d| ?[{L}]+| ?[{N}]+| ?[^\\s{L}{N}]+|\\s+(?!\\S)|\\s+";

std::string words(std::string_view word, std::string_view digits, std::string_view tail) {
  return "[^\\r\\n{L}{N}]?" + std::string(word) + "|" + std::string(digits) + "| ?" +
         std::string(tail) + kSpaces;
}

std::string o200k_word(const std::string& ending, const std::string& letters = "{L}") {
  const std::string capital = "(?:(?=[" + letters + "])[^a-z])";
  const std::string small = "(?:(?=[" + letters + "])[^A-Z])";
  const std::string before = "[^\\r\\n{L}{N}]?";
  return before + capital + "*" + small + "+" + ending + "|" + before + capital + "+" + small +
         "*" + ending;
}

Passes passes_of(std::string_view pre) {
  const std::string other = "[^\\s{L}{N}]+[\\r\\n]*";
  if (pre == "qwen2") {
    return {kContractions + "|" + words("[{L}]+", "[{N}]", other)};
  }
  if (pre == "qwen35") {
    return {kContractions + "|" + words("[{L}{M}]+", "[{N}]", "[^\\s{L}{M}{N}]+[\\r\\n]*")};
  }
  if (pre == "llama-bpe") {
    return {kContractions + "|" + words("[{L}]+", "[{N}]{1,3}", other)};
  }
  if (pre == "minicpm5") {
    return {"[{N}]{1,3}", kContractions + "|" + words("[{L}]+", "[{N}]+", other)};
  }
  if (pre == "seed-coder") {
    return {kContractions + "|" + words("[{L}]+", "[{N}]", "[^\\s{L}{N}\\r\\n]+")};
  }
  if (pre == "ufakzeka") {
    return {words("[{L}]+", "[{N}]", other)};
  }
  if (pre == "gpt-2") {
    return {kGpt2};
  }
  if (pre == "starcoder") {
    return {"[{N}]", kGpt2};
  }
  if (pre == "falcon") {
    return {"[{P}$+<=>^~|`]+", kGpt2, "[0-9][0-9][0-9]"};
  }
  if (pre == "default") {
    return {"[{P}$+<=>^~|]+", kGpt2, "[{N}]+", "[0-9][0-9][0-9]"};
  }
  const std::string o200k_tail = "| ?[^\\s{L}{N}]+[\\r\\n/]*" + kSpaces;
  if (pre == "gpt-4o") {
    return {o200k_word(kContractions + "?") + "|[{N}]{1,3}" + o200k_tail};
  }
  if (pre == "o200k") {
    const std::string ending = kFoldedContractions + "?";
    return {"[^\\r\\n{L}{N}]?[{U}{B}]*[{W}{B}]+" + ending + "|[^\\r\\n{L}{N}]?[{U}{B}]+[{W}{B}]*" +
            ending + "|[{N}]{1,3}" + o200k_tail};
  }
  if (pre == "cl100k") {
    return {kFoldedContractions + "|" + words("[{L}]+", "[{N}]{1,3}", other)};
  }
  if (pre == "tekken") {
    return {o200k_word("") + "|[{N}]" + o200k_tail};
  }
  if (pre == "deepseek-v3") {
    return {
        "[{N}]{1,3}", "[{H}]+",
        "[!-/:-@\\[-`{-~][A-Za-z]+|[^\\r\\n{L}{P}{Y}]?[{L}{M}]+| ?[{P}{Y}]+[\\r\\n]*" + kSpaces};
  }
  if (pre == "jais-2") {
    std::string spaces = "|\\s*[\\r\\n]+";
    for (const int size : {512, 256, 128, 64, 32, 16, 8, 4}) {
      spaces += "|\\s{" + std::to_string(size) + "}(?!\\S)";
    }
    return {kContractions + "|[^\\r\\n{L}{N}]?[{L}]+|[{N}]{1,3}| ?" + other + spaces +
            "|\\s{1,2}(?!\\S)|\\s"};
  }
  if (pre == "laguna") {
    return {"[^\\n]+|\\n+", kContractions + "|" + words("[{L}]+", "[{N}]", other)};
  }
  if (pre == "exaone-moe") {
    return {kContractions + "|" +
            words("(?:[{L}][{M}]*(?: [{L}][{M}]*)*)+", "[{N}]", "[^\\s{L}{N}]+[\\r\\n/]?")};
  }
  if (pre == "granite-embed-multi-97m") {
    return {o200k_word(kContractions + "?", "{L}{M}") + "|[{N}]{1,3}" + o200k_tail};
  }
  if (pre == "spark2_5") {
    return {"[{N}]{1,3}", "[{H}]+",
            "[!-/:-@\\[-`{-~][A-Za-z]+|[^\\r\\n{L}{P}{Y}]?[{L}{M}]+| ?[{P}{Y}]+|[\\r\\n]|"
            "\\s+(?!\\S)|\\s+",
            "[{N}]"};
  }
  if (pre == "superbpe") {
    return {"[{N}]+", "(?=(\\d{3})+(?!\\d))"};
  }
  if (pre == "chameleon") {
    return {"IMGIMG(A|B|C|D|E|F|G|H|I){1,4}Z", "[\\t\\n]|    |  ", "[{N}]", "[{P}!-/:-@\\[-`{-~]",
            kGpt2};
  }
  return {"[\\r\\n]", "\\s?[{L}]+", "\\s?[{P}]+", "[{H}{J}{K}]+", "[{N}]"};  // deepseek-coder
}

// Ends of the pieces, in characters.
std::vector<std::size_t> split_by_regex(const std::string& text,
                                        const std::vector<std::regex>& passes) {
  std::vector<std::size_t> ends = {text.size()};
  for (const std::regex& pass : passes) {
    std::vector<std::size_t> next;
    std::size_t from = 0;
    for (const std::size_t end : ends) {
      const auto begin = text.begin() + static_cast<std::ptrdiff_t>(from);
      const auto stop = text.begin() + static_cast<std::ptrdiff_t>(end);
      for (std::sregex_iterator it(begin, stop, pass), none; it != none; ++it) {
        for (const auto place : {it->position(), it->position() + it->length()}) {
          const std::size_t at = from + static_cast<std::size_t>(place);
          if (at > (next.empty() ? 0 : next.back())) {
            next.push_back(at);
          }
        }
      }
      if (end > (next.empty() ? 0 : next.back())) {
        next.push_back(end);
      }
      from = end;
    }
    ends = std::move(next);
  }
  return ends;
}

struct Text {
  std::string utf8;
  std::string stand_ins;          // one byte a character
  std::vector<std::size_t> ends;  // of the characters, in bytes of utf8
};

class TextMaker {
 public:
  TextMaker(std::uint64_t seed, const std::string& classes) : random_(seed), classes_(classes) {}

  Text make() {
    Text text;
    std::uint32_t c = 0;
    for (std::size_t n = 1 + random_.below(16); n > 0; --n) {
      c = c != 0 && random_.below(6) == 0 ? c : character();  // runs, too
      base::append_utf8(text.utf8, c);
      text.ends.push_back(text.utf8.size());
      text.stand_ins += stand_in_for(c);
    }
    return text;
  }

 private:
  std::uint32_t character() {
    static constexpr std::u32string_view kNasty =
        U"  \n\r\t\v\u00A0\u3000\u0085'''strevmldSTREVMLDaAzZ019/.,!$+<=>`^|~_-(){}[]\\"
        U"\u00E9\u00C9\u0661\u00BD\u2163\u3007\u0301\u093F\u0E31\u4F60\u597D\u9FA5\u9FA6\u3042"
        U"\u30A2\u30FB\u3001\u3002\uFF0C\u20AC\u00A7\u0001\u0002\u007F\u00AD\uE000\uAC00\u0E01"
        U"\u01C5\u01C6\u02B0\u017F\u017F\u00DF\u0905\u07FF\u0800\u2028\U0001F600\U00010400"
        U"\U000E0001\U0001D7CE\u3099\u3280\u2019";
    switch (random_.below(8)) {
      case 0:
        return static_cast<std::uint32_t>(random_.below(128));
      case 1: {
        const auto c = static_cast<std::uint32_t>(random_.below(0x30000));
        return c >= 0xD800 && c < 0xE000 ? 'x' : c;
      }
      default:
        return kNasty[random_.below(kNasty.size())];
    }
  }

  char stand_in_for(std::uint32_t c) const {
    if (c < 0x80) {
      return static_cast<char>(c);
    }
    const char name = classes_.name(c);
    if (name == 'S') {
      return '\v';
    }
    const bool is_han = (c >= 0x4E00 && c <= 0x9FA5) || (c >= 0x3040 && c <= 0x30FF);
    const bool is_middle = (c >= 0x800 && c <= 0x9FA5) || (c >= 0xAC00 && c <= 0xD7FF);
    if (name == 'L' && (is_han || is_middle)) {
      return stand_in(is_han ? 'H' : 'J');
    }
    return stand_in(name == 'P' && is_middle && !is_han ? 'K' : name);
  }

  Random random_;
  Classes classes_;
};

// The splitters that a model file may name, and tiktoken's two.
struct Tested {
  Splitter splitter;
  std::string classes_file = "classes.unicode15.1.tsv";
  Letters letters = Letters::kAlike;
};

Tested tested(std::string_view name) {
  const bool is_o200k = name == "o200k";
  if (is_o200k || name == "cl100k") {
    return {is_o200k ? split_o200k : split_cl100k, "classes.unicode16.0.tsv",
            is_o200k ? Letters::kByCase : Letters::kAlike};
  }
  const PreTokenizer* pre = find_pre_tokenizer(name);
  return {pre != nullptr && pre->is_exact ? pre->splitter : nullptr};
}

// Some characters that a pass takes by their numbers are of a class that has no stand-in of its
// own: the texts for those two splitters are without them.
bool has_doubtful_character(std::string_view pre, const Text& text) {
  if (pre != "deepseek-v3" && pre != "spark2_5" && pre != "deepseek-coder") {
    return false;
  }
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.ends.size(); ++i) {
    const bool is_letter = text.stand_ins[i] == stand_in('H') || text.stand_ins[i] == stand_in('J');
    const bool is_known = is_letter || text.stand_ins[i] == stand_in('K') ||
                          text.stand_ins[i] == '\v' || text.ends[i] - from != 3;
    const auto lead = static_cast<std::uint8_t>(text.utf8[from]);
    if (!is_known && lead < 0xEE && (pre == "deepseek-coder" || lead == 0xE3)) {
      return true;
    }
    from = text.ends[i];
  }
  return false;
}

// WEIR_TOKENIZER_TEXTS sets another number of texts, for a long run by hand.
int number_of_texts() {
  const char* wanted = std::getenv("WEIR_TOKENIZER_TEXTS");
  return wanted == nullptr ? 12000 : std::atoi(wanted);
}

class SplitterIs : public testing::TestWithParam<std::string_view> {};

TEST_P(SplitterIs, TheSameAsItsRegularExpressions) {
  const Tested given = tested(GetParam());
  ASSERT_NE(given.splitter, nullptr);
  std::vector<std::regex> passes;
  for (const std::string& pass : passes_of(GetParam())) {
    passes.emplace_back(expand(pass));
  }
  const auto classes = CharClasses::read(data_file(given.classes_file), given.letters);
  ASSERT_TRUE(classes);
  TextMaker maker(7, given.classes_file);
  int compared = 0;
  for (int round = 0; round < number_of_texts(); ++round) {
    const Text text = maker.make();
    if (has_doubtful_character(GetParam(), text)) {
      continue;
    }
    ++compared;
    std::vector<std::uint32_t> expected;
    for (const std::size_t end : split_by_regex(text.stand_ins, passes)) {
      expected.push_back(static_cast<std::uint32_t>(text.ends[end - 1]));
    }
    std::vector<std::uint32_t> ends(text.utf8.size());
    ends.resize(given.splitter(*classes, text.utf8, 0, ends));
    ASSERT_EQ(ends, expected) << round << ": " << text.utf8;
    // Going on after the first piece, as after a full batch, changes nothing.
    std::vector<std::uint32_t> rest(text.utf8.size());
    rest.resize(given.splitter(*classes, text.utf8, ends[0], rest));
    ASSERT_TRUE(std::equal(rest.begin(), rest.end(), ends.begin() + 1, ends.end())) << text.utf8;
  }
  EXPECT_GT(compared, 1000);
}

INSTANTIATE_TEST_SUITE_P(All, SplitterIs,
                         testing::Values("qwen2", "qwen35", "llama-bpe", "minicpm5", "seed-coder",
                                         "ufakzeka", "gpt-2", "starcoder", "falcon", "default",
                                         "gpt-4o", "tekken", "deepseek-v3", "deepseek-coder",
                                         "jais-2", "laguna", "exaone-moe",
                                         "granite-embed-multi-97m", "spark2_5", "superbpe",
                                         "chameleon", "o200k", "cl100k"),
                         [](const auto& test) {
                           std::string name(test.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace weir::tokenizer::test
