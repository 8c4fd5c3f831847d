#include "unigram_model.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <utility>

#include "plain_tokens.h"
#include "utf8_length.h"
#include "weir/base/text.h"

namespace weir::tokenizer {
namespace {

constexpr std::string_view kSpace = "\u2581";
constexpr std::string_view kReplacement = "\uFFFD";
constexpr float kUnknownPenalty = 10;  // below the worst token, as in llama.cpp
constexpr double kUnreached = std::numeric_limits<double>::lowest();
constexpr std::uint64_t kTokensPerByteMin = 16;  // what others say, enough for a space before

// The first character of `text`, which is not empty, or 0 when it is no valid UTF-8.
std::size_t valid_length(std::string_view text) {
  const std::string_view first = text.substr(0, utf8_length(text[0]));
  return base::find_invalid_utf8(first) == std::string_view::npos ? first.size() : 0;
}

// The best way to a place: its score, and what `count` needs of it. A place that nothing leads to,
// which takes scores that are no numbers, is one unknown token from the start of the text.
struct Best {
  double score = kUnreached;
  std::uint64_t tokens = 1;
  bool ends_unknown = true;
};

// The same for `encode`.
struct Step {
  double score = kUnreached;
  std::size_t from = 0;
  std::uint32_t token = 0;
};

}  // namespace

base::Result<std::shared_ptr<const UnigramModel>> UnigramModel::build(const GgufHeader& header) {
  auto tokens = plain_tokens(header);
  if (!tokens) {
    return std::move(tokens).error();
  }
  if (!header.scores.empty() && header.scores.size() < header.tokens.size()) {
    return base::Error{base::ErrorCode::kBadConfig,
                       "the file has not a score for each token (tokenizer.ggml.scores)"};
  }
  auto charsmap = Charsmap::read(header.charsmap);
  if (!charsmap) {
    return std::move(charsmap).error();
  }
  std::vector<float> scores = header.scores;
  scores.resize(header.tokens.size());
  float lowest = std::numeric_limits<float>::max();
  for (std::size_t id = 0; id < header.tokens.size(); ++id) {
    if (type_of(header, id) == GgufHeader::kNormal) {
      lowest = std::min(lowest, scores[id]);
    } else if (type_of(header, id) == GgufHeader::kUserDefined) {
      scores[id] = 0;
    }
  }
  std::vector<TextTrie::Entry> user_tokens;
  std::copy_if(tokens->begin(), tokens->end(), std::back_inserter(user_tokens),
               [&](const TextTrie::Entry& entry) {
                 return type_of(header, entry.value) == GgufHeader::kUserDefined;
               });
  std::erase_if(*tokens, [&](const TextTrie::Entry& entry) {
    const std::int32_t type = type_of(header, entry.value);
    return type != GgufHeader::kNormal && type != GgufHeader::kUserDefined &&
           type != GgufHeader::kUnused;
  });
  Rules rules;
  rules.adds_space = header.add_space_prefix.value_or(false);
  rules.merges_spaces = header.remove_extra_whitespaces.value_or(false);
  rules.unknown_id = header.unknown_id.value_or(rules.unknown_id);
  rules.unknown_score = lowest - kUnknownPenalty;
  return std::shared_ptr<const UnigramModel>(
      new UnigramModel(*std::move(charsmap), TextTrie(*std::move(tokens)),
                       TextTrie(std::move(user_tokens)), std::move(scores), rules));
}

UnigramModel::UnigramModel(Charsmap charsmap, TextTrie tokens, TextTrie user_tokens,
                           std::vector<float> scores, Rules rules)
    : charsmap_(std::move(charsmap)),
      tokens_(std::move(tokens)),
      user_tokens_(std::move(user_tokens)),
      scores_(std::move(scores)),
      rules_(rules),
      tokens_per_byte_max_(std::max<std::uint64_t>(
          kTokensPerByteMin, charsmap_.replacement_bytes_max() + kSpace.size())) {
}

std::string_view UnigramModel::normalized(std::string_view text, Work& work) const {
  std::string& out = work.buffer;
  out.clear();
  out.reserve(text.size() + text.size() / 2);
  bool is_space_added = false;
  bool is_in_word = false;
  const auto add = [&](std::string_view part) {
    for (const char c : part) {
      if (c == ' ') {
        is_in_word = false;
        out += rules_.merges_spaces ? "" : kSpace;
        continue;
      }
      if (!is_in_word) {
        is_in_word = true;
        if ((rules_.adds_space && !is_space_added) || rules_.merges_spaces) {
          out += kSpace;
          is_space_added = true;
        }
      }
      out += c;
    }
  };
  while (!text.empty()) {
    // Whole user-defined tokens were cut out before; llama.cpp looks for them here again, and stops
    // at what only begins like one of them, too.
    std::size_t used = user_tokens_.common_bytes(text.data(), text.data() + text.size());
    if (used > 0) {
      add(text.substr(0, used));
      text.remove_prefix(used);
      continue;
    }
    used = 1;
    if (const Charsmap::Match match = charsmap_.longest(text); match.bytes > 0) {
      add(match.replacement);
      used = match.bytes;
    } else if (const std::size_t valid = valid_length(text); valid > 0) {
      add(text.substr(0, valid));
      used = valid;
    } else {
      add(kReplacement);
    }
    text.remove_prefix(used);
  }
  return out;
}

template <class OnPlace, class OnStep>
void UnigramModel::walk(std::string_view text, OnPlace on_place, OnStep on_step) const {
  const char* end = text.data() + text.size();
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t bytes = std::min(utf8_length(text[from]), text.size() - from);
    on_place(from, bytes);
    bool is_known = false;
    tokens_.for_each_match(text.data() + from, end, [&](std::uint32_t token, std::size_t length) {
      if (length < bytes) {
        return;  // ends within a character, where none begins
      }
      is_known = is_known || length == bytes;
      on_step(from, from + length, token, double{scores_[token]});
    });
    if (!is_known) {
      on_step(from, from + bytes, rules_.unknown_id, rules_.unknown_score);
    }
    from += bytes;
  }
}

// Only the places that a token can reach from here are kept, in a ring.
std::uint64_t UnigramModel::count(std::string_view text, Work& work) const {
  text = normalized(text, work);
  if (text.empty()) {
    return 0;
  }
  constexpr std::size_t kCharBytesMax = 4;
  std::vector<Best> ring(std::bit_ceil(std::max(tokens_.longest_bytes(), kCharBytesMax) + 1));
  const std::size_t mask = ring.size() - 1;
  ring[0] = {0, 0, false};
  Best here;
  walk(
      text,
      [&](std::size_t from, std::size_t bytes) {
        here = ring[from & mask];
        for (std::size_t i = 0; i < bytes; ++i) {
          ring[(from + i) & mask] = {};
        }
      },
      [&](std::size_t, std::size_t to, std::uint32_t token, double score) {
        Best& best = ring[to & mask];
        if (here.score + score > best.score) {
          const bool is_unknown = token == rules_.unknown_id;
          const bool joins = is_unknown && here.ends_unknown;  // unknown ones in a row are one
          best = {here.score + score, here.tokens + (joins ? 0 : 1), is_unknown};
        }
      });
  return ring[text.size() & mask].tokens;
}

void UnigramModel::encode(std::string_view text, Work& work,
                          std::vector<std::uint32_t>& out) const {
  text = normalized(text, work);
  if (text.empty()) {
    return;
  }
  std::vector<Step> steps(text.size() + 1, Step{kUnreached, 0, rules_.unknown_id});
  steps[0].score = 0;
  walk(
      text, [](std::size_t, std::size_t) {},
      [&](std::size_t from, std::size_t to, std::uint32_t token, double score) {
        if (steps[from].score + score > steps[to].score) {
          steps[to] = {steps[from].score + score, from, token};
        }
      });
  const auto begin = static_cast<std::ptrdiff_t>(out.size());
  bool was_unknown = false;
  for (std::size_t at = text.size(); at > 0; at = steps[at].from) {
    const bool is_unknown = steps[at].token == rules_.unknown_id;
    if (!is_unknown || !was_unknown) {
      out.push_back(steps[at].token);
    }
    was_unknown = is_unknown;
  }
  std::reverse(out.begin() + begin, out.end());
}

}  // namespace weir::tokenizer
