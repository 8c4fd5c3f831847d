#include "reference_plain.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <string>

#include "char_folding.h"
#include "embedded.h"
#include "repair_utf8.h"
#include "weir/base/text.h"

namespace weir::tokenizer::test {
namespace {

using Ids = std::vector<std::uint32_t>;
using TokenIds = std::map<std::string, std::uint32_t>;

std::int32_t type(const GgufHeader& header, std::uint32_t id) {
  return header.token_types.empty() ? GgufHeader::kNormal : header.token_types[id];
}

std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> all;
  for (const char c : text) {
    if (all.empty() || (static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      all.emplace_back();
    }
    all.back() += c;
  }
  return all;
}

std::uint32_t number_of(const std::string& character) {
  const auto lead = static_cast<unsigned char>(character[0]);
  std::uint32_t number = character.size() == 1 ? lead : lead & (0xFF >> (character.size() + 1));
  for (std::size_t i = 1; i < character.size(); ++i) {
    number = number << 6 | (static_cast<unsigned char>(character[i]) & 0x3F);
  }
  return number;
}

std::vector<std::string> words(const GgufHeader& header, std::string_view text) {
  FoldingRules rules;
  rules.lowercase = header.lowercase.value_or(true);
  rules.strips_accents = header.strip_accents.value_or(rules.lowercase);
  static std::map<std::pair<bool, bool>, CharFolding> known;
  auto at = known.find({rules.lowercase, rules.strips_accents});
  if (at == known.end()) {
    at = known
             .emplace(std::pair(rules.lowercase, rules.strips_accents),
                      *CharFolding::read(embedded::unicode15_classes(),
                                         embedded::unicode15_folding(), rules))
             .first;
  }
  std::string marked;  // words between zeros
  for (const std::string& character : characters(text)) {
    const FoldedChar folded = at->second.at(number_of(character));
    std::string as_text;
    base::append_utf8(as_text, folded.code_point);
    switch (folded.part) {
      case FoldedChar::Part::kNone:
        break;
      case FoldedChar::Part::kSpace:
        marked += '\0';
        break;
      case FoldedChar::Part::kAlone:
        marked += '\0' + as_text + '\0';
        break;
      case FoldedChar::Part::kWord:
        marked += as_text;
    }
  }
  std::vector<std::string> found(1);
  for (const char c : marked) {
    if (c == '\0') {
      found.emplace_back();
    } else {
      found.back() += c;
    }
  }
  std::erase(found, "");
  return found;
}

Ids word_pieces(const GgufHeader& header, const TokenIds& ids, std::string_view text) {
  Ids out;
  for (const std::string& bare : words(header, text)) {
    std::string word = "\u2581" + bare;
    Ids of_word;
    while (!word.empty()) {
      std::size_t bytes = word.size();
      while (bytes > 0 && ids.count(word.substr(0, bytes)) == 0) {
        --bytes;
      }
      if (bytes == 0) {
        of_word = {header.unknown_id.value_or(100)};
        break;
      }
      of_word.push_back(ids.at(word.substr(0, bytes)));
      word.erase(0, bytes);
    }
    out.insert(out.end(), of_word.begin(), of_word.end());
  }
  return out;
}

// The first character as llama.cpp steps: by its first byte alone.
std::size_t step_bytes(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t bytes = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return std::min(bytes, text.size());
}

// How much of `text` the user-defined tokens begin with.
std::size_t user_bytes(const GgufHeader& header, std::string_view text) {
  std::size_t most = 0;
  for (std::uint32_t id = 0; id < header.tokens.size(); ++id) {
    const std::string_view token = header.tokens[id];
    std::size_t bytes = 0;
    while (bytes < std::min(token.size(), text.size()) && token[bytes] == text[bytes]) {
      ++bytes;
    }
    most = type(header, id) == GgufHeader::kUserDefined ? std::max(most, bytes) : most;
  }
  return most;
}

std::string replaced(const GgufHeader& header, const Replacements& replacements,
                     std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (const std::size_t bytes = user_bytes(header, text); bytes > 0) {
      out += text.substr(0, bytes);
      text.remove_prefix(bytes);
      continue;
    }
    std::size_t bytes = text.size();
    while (bytes > 0 && replacements.count(std::string(text.substr(0, bytes))) == 0) {
      --bytes;
    }
    const std::size_t step = step_bytes(text);
    if (bytes > 0) {
      out += replacements.at(std::string(text.substr(0, bytes)));
    } else if (base::find_invalid_utf8(text.substr(0, step)) == std::string_view::npos) {
      out += text.substr(0, bytes = step);
    } else {
      out += "\uFFFD";
      bytes = 1;
    }
    text.remove_prefix(bytes);
  }
  return out;
}

std::string with_spaces(const GgufHeader& header, std::string_view text) {
  const bool merges = header.remove_extra_whitespaces.value_or(false);
  bool adds = header.add_space_prefix.value_or(false);
  std::string out;
  char before = ' ';
  for (const char c : text) {
    if (c == ' ') {
      out += merges ? "" : "\u2581";
    } else {
      if (before == ' ' && (merges || adds)) {
        out += "\u2581";
        adds = false;
      }
      out += c;
    }
    before = c;
  }
  return out;
}

Ids unigram(const GgufHeader& header, const TokenIds& ids, const Replacements& replacements,
            std::string_view raw) {
  const std::string text = with_spaces(header, replaced(header, replacements, raw));
  const std::uint32_t unknown = header.unknown_id.value_or(2);
  float lowest = std::numeric_limits<float>::max();
  for (std::uint32_t id = 0; id < header.tokens.size(); ++id) {
    lowest = type(header, id) == GgufHeader::kNormal ? std::min(lowest, header.scores[id]) : lowest;
  }
  struct Way {
    double score = -std::numeric_limits<double>::max();
    Ids ids;
  };
  std::map<std::size_t, Way> ways;
  ways[0].score = 0;
  std::size_t step = 0;
  for (std::size_t at = 0; at < text.size(); at += step) {
    step = step_bytes(std::string_view(text).substr(at));
    const Way here = ways[at];
    const auto offer = [&](std::size_t bytes, std::uint32_t id, double score) {
      Way& way = ways[at + bytes];
      if (here.score + score > way.score) {
        way = {here.score + score, here.ids};
        way.ids.push_back(id);
      }
    };
    bool is_known = false;
    for (std::size_t bytes = 1; at + bytes <= text.size() && bytes <= 64; ++bytes) {
      const auto token = ids.find(text.substr(at, bytes));
      if (token == ids.end() || type(header, token->second) == GgufHeader::kControl) {
        continue;
      }
      is_known = is_known || bytes == step;
      offer(bytes, token->second,
            type(header, token->second) == GgufHeader::kUserDefined ? 0
                                                                    : header.scores[token->second]);
    }
    if (!is_known) {
      offer(step, unknown, lowest - 10.0F);
    }
  }
  Ids out = ways[text.size()].ids;
  out.erase(std::unique(out.begin(), out.end(),
                        [&](std::uint32_t a, std::uint32_t b) { return a == unknown && b == a; }),
            out.end());
  return out;
}

Ids longest_first(const TokenIds& ids, std::string text) {
  Ids out;
  while (!text.empty()) {
    std::size_t bytes = text.size();
    while (ids.count(text.substr(0, bytes)) == 0) {
      --bytes;
    }
    out.push_back(ids.at(text.substr(0, bytes)));
    text.erase(0, bytes);
  }
  return out;
}

Ids plamo2(const GgufHeader& header, const TokenIds& ids, std::string_view text) {
  const std::vector<std::string> all = characters(text);
  struct Way {
    double cost = 0;
    Ids ids;
  };
  std::vector<Way> ways(all.size() + 1);
  for (std::size_t at = all.size(); at-- > 0;) {
    Way best = ways[at + 1];
    best.cost += 1e7;
    Ids bytes;
    for (const char c : all[at]) {
      char name[8];
      std::snprintf(name, sizeof name, "<0x%02X>", static_cast<unsigned char>(c));
      bytes.push_back(ids.at(name));
    }
    best.ids.insert(best.ids.begin(), bytes.begin(), bytes.end());
    std::string piece;
    for (std::size_t end = at; end < all.size() && end < at + 16; ++end) {
      piece += all[end];
      const auto token = ids.find(piece);
      if (token == ids.end() || type(header, token->second) == GgufHeader::kByte) {
        continue;
      }
      const double cost =
          ways[end + 1].cost - std::round(double{header.scores[token->second]} * 1e4);
      if (cost <= best.cost) {
        best = {cost, ways[end + 1].ids};
        best.ids.insert(best.ids.begin(), token->second);
      }
    }
    ways[at] = best;
  }
  return ways[0].ids;
}

}  // namespace

std::vector<std::uint32_t> encode_plainly(const GgufHeader& header, std::string_view text,
                                          const Replacements& replacements) {
  TokenIds ids;
  for (std::uint32_t id = 0; id < header.tokens.size(); ++id) {
    ids[std::string(header.tokens[id])] = id;
  }
  std::string buffer;
  if (header.model == "rwkv") {
    ids["\\"] = ids.at("\\\\");  // the only one that the tests escape
    return longest_first(ids, std::string(text));
  }
  if (header.model == "t5") {
    return unigram(header, ids, replacements, text);
  }
  const std::string_view valid = repair_utf8(text, buffer);
  return header.model == "bert" ? word_pieces(header, ids, valid) : plamo2(header, ids, valid);
}

}  // namespace weir::tokenizer::test
