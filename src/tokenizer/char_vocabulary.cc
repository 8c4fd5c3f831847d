#include "char_vocabulary.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <utility>

#include "char_tokens.h"
#include "merge_choice.h"
#include "score_merge.h"
#include "utf8_length.h"
#include "weir/base/text.h"

namespace weir::tokenizer {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;
// Comparisons in merging tokens by the definition. Gemma 4 needs 20 million.
constexpr std::uint64_t kStepsMax = 2'000'000'000;

base::Error bad(std::string what) {
  return {base::ErrorCode::kBadConfig, std::move(what)};
}

// A merge that comes to be; numbers are those of CharTokens.
struct RealMerge {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint32_t product = 0;
  std::uint32_t time = 0;  // equal: at the same time
};

class Builder {
 public:
  explicit Builder(const CharTokens& tokens) : tokens_(tokens), number_of_(tokens.size(), kNone) {
    for (std::uint32_t byte = 0; byte < kByteTokens; ++byte) {
      out_.vocabulary.bytes[byte] = static_cast<std::uint8_t>(byte);
      char name[8];
      std::snprintf(name, sizeof name, "<0x%02X>", byte);
      const std::uint32_t token = tokens.find(name);
      out_.byte_ids[byte] = token == kNone ? CharVocabulary::kNoId : tokens.id(token);
      add(CharVocabulary::kNoId, byte);
    }
    for (const CharTokens::Character& character : tokens.all_characters()) {
      add_character(character);
    }
  }

  // `merges` by their time, of equal ones parts first.
  base::Result<CharVocabulary> build(const std::vector<RealMerge>& merges) {
    if (out_.vocabulary.size() + merges.size() > kTokensMax) {
      return bad("the vocabulary has more than " + std::to_string(kTokensMax) + " tokens");
    }
    std::uint32_t number = out_.vocabulary.size();
    for (const RealMerge& merge : merges) {
      number_of_[merge.product] = number++;
    }
    const std::uint32_t first = out_.vocabulary.size();
    for (const RealMerge& merge : merges) {
      add_merge({number_of_[merge.left], number_of_[merge.right]}, tokens_.id(merge.product),
                first + merge.time);
    }
    find_ties(merges);
    find_newlines();
    return std::move(out_);
  }

 private:
  void add(std::uint32_t id, std::uint32_t order) {
    out_.ids.push_back(id);
    out_.order.push_back(order);
  }
  std::uint32_t add_merge(Pair parts, std::uint32_t id, std::uint32_t order) {
    out_.vocabulary.merges.push_back(parts);
    add(id, order);
    return out_.vocabulary.size() - 1;
  }

  // Its bytes, merged from the left; characters share their first bytes.
  void add_character(const CharTokens::Character& character) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(character.text[i]); };
    std::uint32_t number = byte(0);
    for (std::size_t i = 1; i < character.text.size(); ++i) {
      std::uint32_t& next =
          starts_.try_emplace(std::string(character.text.substr(0, i + 1)), kNone).first->second;
      if (next == kNone) {
        next = add_merge({number, byte(i)}, CharVocabulary::kNoId, out_.vocabulary.size());
      }
      number = next;
    }
    if (character.token < tokens_.size()) {
      out_.ids[number] = tokens_.id(character.token);
    } else {
      number_of_.resize(std::max<std::size_t>(number_of_.size(), character.token + 1), kNone);
    }
    number_of_[character.token] = number;
  }

  void find_ties(const std::vector<RealMerge>& merges) {
    for (std::size_t from = 0; from < merges.size();) {
      std::size_t end = from + 1;
      while (end < merges.size() && merges[end].time == merges[from].time) {
        ++end;
      }
      if (end - from > 1) {
        out_.ties.push_back(ties_of(merges, from, end));
      }
      from = end;
    }
  }

  CharVocabulary::Ties ties_of(const std::vector<RealMerge>& merges, std::size_t from,
                               std::size_t end) const {
    CharVocabulary::Ties ties;
    for (std::size_t i = from; i < end; ++i) {  // shorter ones come first
      const std::string_view text = tokens_.text(merges[i].product);
      const bool has_another =
          ties.texts.size() <= kTiesMax &&
          std::any_of(ties.texts.begin(), ties.texts.end(), [text](const std::string& other) {
            return text.find(other) != std::string_view::npos;
          });
      if (has_another) {
        ties.one_is_enough = true;
      } else {
        ties.texts.emplace_back(text);
      }
    }
    return ties;
  }

  void find_newlines() {
    for (std::string newlines = "\n"; newlines.size() <= kTokenBytesMax; newlines += '\n') {
      const std::uint32_t token = tokens_.find(newlines);
      out_.newline_ids.resize(newlines.size() + 1, kNone);
      out_.newline_ids.back() = token == kNone ? CharVocabulary::kNoId : tokens_.id(token);
    }
    while (!out_.newline_ids.empty() && out_.newline_ids.back() == CharVocabulary::kNoId) {
      out_.newline_ids.pop_back();
    }
  }

  static constexpr std::size_t kTiesMax = 256;  // above it nobody compares the texts any more

  const CharTokens& tokens_;
  std::vector<std::uint32_t> number_of_;         // by CharTokens' numbers
  std::map<std::string, std::uint32_t> starts_;  // the first two, three, four bytes of characters
  CharVocabulary out_;
};

// Every pair of tokens that stands for a third one makes it, the one with the highest score first.
class ScoreMerges {
 public:
  ScoreMerges(const CharTokens& tokens, const std::vector<float>& scores)
      : tokens_(tokens), scores_(scores) {}

  std::vector<RealMerge> list() const {
    std::vector<RealMerge> merges;
    std::uint64_t steps = kStepsMax;
    for (std::uint32_t token = 0; token < tokens_.size(); ++token) {
      if (const auto parts = last_parts(token, steps)) {
        merges.push_back({parts->left, parts->right, token, 0});
      }
    }
    std::sort(merges.begin(), merges.end(), [this](const RealMerge& a, const RealMerge& b) {
      const auto key = [this](const RealMerge& merge) {
        return std::make_tuple(-score(merge.product), tokens_.text(merge.product).size(),
                               merge.product);
      };
      return key(a) < key(b);
    });
    for (std::uint32_t i = 0; i < merges.size(); ++i) {
      const bool is_tie = i > 0 && score(merges[i].product) == score(merges[i - 1].product);
      merges[i].time = is_tie ? merges[i - 1].time : i;
    }
    return merges;
  }

 private:
  float score(std::uint32_t token) const { return scores_[tokens_.id(token)]; }

  // What the token is made of at last when its own characters are merged.
  std::optional<Pair> last_parts(std::uint32_t token, std::uint64_t& steps) const {
    const std::string_view text = tokens_.text(token);
    std::vector<std::uint32_t> parts = tokens_.characters(text);
    if (parts.size() < 2 || text.size() > kTokenBytesMax) {
      return std::nullopt;
    }
    return last_parts_by_score(
        text, std::move(parts), steps, [this](std::string_view t) { return tokens_.find(t); },
        [this](std::uint32_t t) { return score(t); });
  }

  const CharTokens& tokens_;
  const std::vector<float>& scores_;
};

class ListedMerges {
 public:
  ListedMerges(const CharTokens& tokens, const StringList& merges) : tokens_(tokens) {
    for (std::size_t i = 0; i < merges.size(); ++i) {
      listed_.push_back(read(merges[i]));
      unknown_ += listed_.back().product == kNone ? 1 : 0;
    }
  }

  std::uint32_t unknown() const { return unknown_; }

  std::vector<RealMerge> list() const {
    const MergeChoice choice(listed_);
    std::vector<RealMerge> merges;
    std::uint64_t steps = kStepsMax;
    for (std::uint32_t token = 0; token < tokens_.size(); ++token) {
      const std::string_view text = tokens_.text(token);
      if (text.size() > kTokenBytesMax) {
        continue;
      }
      const std::uint32_t last = choice.last_merge(tokens_.characters(text), steps);
      if (last != MergeChoice::kNone) {
        merges.push_back({listed_[last].left, listed_[last].right, token, last});
      }
    }
    std::sort(merges.begin(), merges.end(),
              [](const RealMerge& a, const RealMerge& b) { return a.time < b.time; });
    return merges;
  }

 private:
  ListedMerge read(std::string_view text) const {
    const std::size_t space = text.find(' ', 1);
    if (space == std::string_view::npos || space + 1 == text.size()) {
      return {kNone, kNone, kNone};
    }
    const std::string left = with_spaces(text.substr(0, space));
    const std::string right = with_spaces(text.substr(space + 1));
    const ListedMerge merge{number_of(left), number_of(right), tokens_.find(left + right)};
    return merge.left == kNone || merge.right == kNone ? ListedMerge{kNone, kNone, kNone} : merge;
  }
  // A part may be a character that is no token.
  std::uint32_t number_of(const std::string& text) const {
    const bool is_character = text.size() == utf8_length(text[0]) &&
                              base::find_invalid_utf8(text) == std::string_view::npos;
    return is_character ? tokens_.characters(text)[0] : tokens_.find(text);
  }

  const CharTokens& tokens_;
  std::vector<ListedMerge> listed_;
  std::uint32_t unknown_ = 0;
};

}  // namespace

std::string with_spaces(std::string_view text) {
  constexpr std::string_view kSpace = "\u2581";
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = text.find(kSpace); at != std::string_view::npos; at = text.find(kSpace)) {
    out.append(text.substr(0, at)) += ' ';
    text.remove_prefix(at + kSpace.size());
  }
  return out.append(text);
}

base::Result<CharVocabulary> scored_vocabulary(const GgufHeader& header) {
  if (header.tokens.size() == 0 || header.scores.size() < header.tokens.size()) {
    return bad("the file has no tokens or not a score for each (tokenizer.ggml.tokens, .scores)");
  }
  if (std::any_of(header.scores.begin(), header.scores.end(),
                  [](float score) { return std::isnan(score); })) {
    return bad("tokenizer.ggml.scores has one that is no number");
  }
  const CharTokens tokens(header);
  if (tokens.is_damaged()) {
    return bad("tokenizer.ggml.tokens is damaged");
  }
  return Builder(tokens).build(ScoreMerges(tokens, header.scores).list());
}

base::Result<CharVocabulary> merged_vocabulary(const GgufHeader& header) {
  if (header.tokens.size() == 0 || header.merges.size() == 0) {
    return bad("the file has no tokens or no merges (tokenizer.ggml.tokens, .merges)");
  }
  const CharTokens tokens(header);
  if (tokens.is_damaged()) {
    return bad("tokenizer.ggml.tokens is damaged");
  }
  const ListedMerges merges(tokens, header.merges);
  auto vocabulary = Builder(tokens).build(merges.list());
  if (vocabulary) {
    vocabulary->unknown_merges = merges.unknown();
  }
  return vocabulary;
}

}  // namespace weir::tokenizer
