#include "reference_bpe.h"

#include <sstream>
#include <utility>

#include "weir/base/text.h"

namespace weir::tokenizer::test {
namespace {

std::uint32_t byte_at(const std::string& bytes, std::size_t at) {
  return static_cast<std::uint8_t>(bytes[at]);
}

// One character of UTF-8 from `text`, which loses it; U+FFFD and one byte if there is none.
std::uint32_t take_code_point(std::string_view& text) {
  for (std::uint32_t bytes = 1; bytes <= 4 && bytes <= text.size(); ++bytes) {
    if (base::find_invalid_utf8(text.substr(0, bytes)) != std::string_view::npos) {
      continue;
    }
    const auto lead = static_cast<std::uint8_t>(text[0]);
    std::uint32_t code_point = bytes == 1 ? lead : lead & (0x7FU >> bytes);
    for (std::uint32_t i = 1; i < bytes; ++i) {
      code_point = code_point << 6 | (static_cast<std::uint8_t>(text[i]) & 0x3FU);
    }
    text.remove_prefix(bytes);
    return code_point;
  }
  text.remove_prefix(1);
  return 0xFFFD;
}

bool is_newline(std::uint32_t c) {
  return c == '\r' || c == '\n';
}

}  // namespace

ReferenceTokenizer::ReferenceTokenizer(const std::string& bpe, const std::string& classes,
                                       bool marks_are_letters)
    : marks_are_letters_(marks_are_letters), classes_(0x110000, 'O') {
  std::istringstream ranges(classes);
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  char name = 0;
  while (ranges >> std::hex >> first >> last >> name) {
    for (std::uint32_t c = first; c <= last; ++c) {
      classes_[c] = name == 'P' || name == 'Y' ? 'O' : name;
    }
  }
  const std::size_t merges = (bpe.size() - 268) / 6;
  for (std::size_t i = 0; i < merges; ++i) {
    const auto part = [&](std::size_t plane) {
      const std::size_t at = 268 + plane * merges + i;
      return byte_at(bpe, at) | byte_at(bpe, at + merges) << 8 |
             byte_at(bpe, at + 2 * merges) << 16;
    };
    pairs_.emplace_back(part(0), part(3));
    merged_[std::uint64_t{pairs_[i].first} << 32 | pairs_[i].second] =
        static_cast<std::uint32_t>(256 + i);
  }
  texts_.resize(256 + merges);
  for (std::uint32_t token = 0; token < 256; ++token) {
    texts_[token] = bpe[12 + token];
    byte_tokens_[bpe[12 + token]] = token;
  }
  for (bool changed = true; changed;) {  // parts may have larger numbers
    changed = false;
    for (std::size_t i = 0; i < merges; ++i) {
      std::string& text = texts_[256 + i];
      const auto [left, right] = pairs_[i];
      if (text.empty() && !texts_[left].empty() && !texts_[right].empty()) {
        text = texts_[left] + texts_[right];
        changed = true;
      }
    }
  }
}

std::vector<std::uint32_t> ReferenceTokenizer::encode(std::string_view text) const {
  CodePoints code_points;
  while (!text.empty()) {
    code_points.push_back(take_code_point(text));
  }
  std::vector<std::uint32_t> tokens;
  for (std::size_t at = 0; at < code_points.size();) {
    std::string piece;
    for (const std::size_t end = piece_end(code_points, at); at < end; ++at) {
      base::append_utf8(piece, code_points[at]);
    }
    for (const std::uint32_t token : merge(piece)) {
      tokens.push_back(token);
    }
  }
  return tokens;
}

std::vector<std::uint32_t> ReferenceTokenizer::merge(std::string_view piece) const {
  std::vector<std::uint32_t> tokens;
  for (const char byte : piece) {
    tokens.push_back(byte_tokens_.at(byte));
  }
  while (true) {
    std::uint32_t lowest = UINT32_MAX;
    std::size_t place = 0;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      const auto found = merged_.find(std::uint64_t{tokens[i]} << 32 | tokens[i + 1]);
      if (found != merged_.end() && found->second < lowest) {
        lowest = found->second;
        place = i;
      }
    }
    if (lowest == UINT32_MAX) {
      return tokens;
    }
    tokens[place] = lowest;
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  }
}

char ReferenceTokenizer::class_of(std::uint32_t code_point) const {
  return classes_[code_point];
}

bool ReferenceTokenizer::in_word(std::uint32_t c) const {
  return class_of(c) == 'L' || (marks_are_letters_ && class_of(c) == 'M');
}

bool ReferenceTokenizer::in_punctuation(std::uint32_t c) const {
  return class_of(c) == 'O' || (!marks_are_letters_ && class_of(c) == 'M');
}

std::size_t ReferenceTokenizer::piece_end(const CodePoints& text, std::size_t at) const {
  for (const auto rule : {&ReferenceTokenizer::contraction, &ReferenceTokenizer::word,
                          &ReferenceTokenizer::number, &ReferenceTokenizer::punctuation}) {
    if (const std::size_t end = (this->*rule)(text, at); end != kNoMatch) {
      return end;
    }
  }
  return white_space(text, at);
}

// '(?i:[sdmt]|re|ve|ll)
std::size_t ReferenceTokenizer::contraction(const CodePoints& text, std::size_t at) const {
  if (text[at] != '\'') {
    return kNoMatch;
  }
  std::string behind;
  for (std::size_t i = at + 1; i < text.size() && i < at + 3 && text[i] < 0x80; ++i) {
    behind += base::ascii_lower(static_cast<char>(text[i]));
  }
  for (const std::string_view ending : {"s", "t", "re", "ve", "m", "ll", "d"}) {
    if (behind.starts_with(ending)) {
      return at + 1 + ending.size();
    }
  }
  return kNoMatch;
}

// [^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+
std::size_t ReferenceTokenizer::word(const CodePoints& text, std::size_t at) const {
  for (const bool with_one_before : {true, false}) {
    std::size_t end = at;
    if (with_one_before) {
      if (is_newline(text[at]) || class_of(text[at]) == 'L' || class_of(text[at]) == 'N') {
        continue;
      }
      ++end;
    }
    const std::size_t start = end;
    while (end < text.size() && in_word(text[end])) {
      ++end;
    }
    if (end > start) {
      return end;
    }
  }
  return kNoMatch;
}

// \p{N}
std::size_t ReferenceTokenizer::number(const CodePoints& text, std::size_t at) const {
  return class_of(text[at]) == 'N' ? at + 1 : kNoMatch;
}

// ` ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*`
std::size_t ReferenceTokenizer::punctuation(const CodePoints& text, std::size_t at) const {
  const std::size_t start = text[at] == ' ' ? at + 1 : at;
  std::size_t end = start;
  while (end < text.size() && in_punctuation(text[end])) {
    ++end;
  }
  if (end == start) {
    return kNoMatch;
  }
  while (end < text.size() && is_newline(text[end])) {
    ++end;
  }
  return end;
}

// \s*[\r\n]+|\s+(?!\S)|\s+
std::size_t ReferenceTokenizer::white_space(const CodePoints& text, std::size_t at) const {
  std::size_t end = at;
  while (end < text.size() && class_of(text[end]) == 'S') {
    ++end;
  }
  for (std::size_t newline = end; newline > at; --newline) {
    if (is_newline(text[newline - 1])) {
      return newline;
    }
  }
  return end < text.size() && end - at > 1 ? end - 1 : end;
}

}  // namespace weir::tokenizer::test
