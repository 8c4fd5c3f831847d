#include "reference_chars.h"

#include <cstdio>

#include "weir/base/text.h"

namespace weir::tokenizer::test {
namespace {

std::size_t length_by_lead(char lead) {
  static constexpr std::size_t kLengths[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4};
  return kLengths[static_cast<std::uint8_t>(lead) >> 4];
}

}  // namespace

ReferenceChars::ReferenceChars(const GgufHeader& header)
    : has_scores_(header.model == "llama"),
      adds_space_(has_scores_ && header.add_space_prefix.value_or(true)),
      scores_(header.scores) {
  for (std::uint32_t id = 0; id < header.tokens.size(); ++id) {
    ids_.emplace(header.tokens[id], id);
  }
  for (std::uint32_t rank = 0; rank < header.merges.size(); ++rank) {
    const std::string merge(header.merges[rank]);
    const std::size_t space = merge.find(' ', 1);
    ranks_.emplace(std::pair(merge.substr(0, space), merge.substr(space + 1)), rank);
  }
}

std::vector<std::uint32_t> ReferenceChars::encode(std::string_view text) const {
  std::string wide = adds_space_ ? "\u2581" : "";
  while (!text.empty()) {
    std::size_t bytes = 1;
    while (!has_scores_ && bytes <= 4 && bytes <= text.size() &&
           base::find_invalid_utf8(text.substr(0, bytes)) != std::string_view::npos) {
      ++bytes;
    }
    if (!has_scores_ && (bytes > 4 || bytes > text.size())) {
      wide += "\uFFFD";
      bytes = 1;
    } else {
      wide += text[0] == ' ' ? "\u2581" : text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  std::vector<std::uint32_t> out;
  for (std::size_t from = 0; from < wide.size();) {
    std::size_t end = wide.size();
    if (!has_scores_) {
      end = from + 1;
      while (end < wide.size() && (wide[end] == '\n') == (wide[from] == '\n')) {
        ++end;
      }
    }
    encode_word(wide.substr(from, end - from), out);
    from = end;
  }
  return out;
}

void ReferenceChars::encode_word(const std::string& word, std::vector<std::uint32_t>& out) const {
  if (!has_scores_ && word[0] == '\n' && ids_.count(word) > 0) {
    out.push_back(ids_.at(word));
    return;
  }
  Texts parts;
  for (std::size_t at = 0; at < word.size(); at += parts.back().size()) {
    parts.push_back(word.substr(at, length_by_lead(word[at])));
  }
  merge(parts);
  for (const std::string& part : parts) {
    append(part, out);
  }
}

bool ReferenceChars::merges(const std::string& left, const std::string& right, double& time) const {
  if (!has_scores_) {
    const auto rank = ranks_.find({left, right});
    time = rank == ranks_.end() ? 0 : rank->second;
    return rank != ranks_.end();
  }
  const auto token = ids_.find(left + right);
  time = token == ids_.end() ? 0 : -scores_[token->second];
  return token != ids_.end();
}

void ReferenceChars::merge(Texts& parts) const {
  while (true) {
    std::size_t best = parts.size();
    double best_time = 0;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      double time = 0;
      if (merges(parts[i], parts[i + 1], time) && (best == parts.size() || time < best_time)) {
        best = i;
        best_time = time;
      }
    }
    if (best == parts.size()) {
      return;
    }
    parts[best] += parts[best + 1];
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

void ReferenceChars::append(const std::string& part, std::vector<std::uint32_t>& out) const {
  const auto token = ids_.find(part);
  if (token != ids_.end()) {
    out.push_back(token->second);
    return;
  }
  for (const char byte : part) {
    char name[8];
    std::snprintf(name, sizeof name, "<0x%02X>", static_cast<unsigned>(byte) & 0xFF);
    if (const auto id = ids_.find(name); id != ids_.end()) {
      out.push_back(id->second);
    }
  }
}

}  // namespace weir::tokenizer::test
