#include "word_piece_model.h"

#include <utility>

#include "code_points.h"
#include "embedded.h"
#include "plain_tokens.h"
#include "repair_utf8.h"
#include "safe_cut.h"
#include "utf8_length.h"
#include "weir/base/text.h"

namespace weir::tokenizer {
namespace {

using Part = FoldedChar::Part;

// Stands before each word, as it does before the tokens that may begin one.
constexpr std::string_view kWordStart = "\u2581";

constexpr std::uint32_t kUnknownId = 100;  // llama.cpp's, when the file names none

}  // namespace

base::Result<std::shared_ptr<const WordPieceModel>> WordPieceModel::build(
    const GgufHeader& header) {
  auto tokens = plain_tokens(header);
  if (!tokens) {
    return std::move(tokens).error();
  }
  FoldingRules rules;
  rules.lowercase = header.lowercase.value_or(true);
  rules.strips_accents = header.strip_accents.value_or(rules.lowercase);
  auto folding =
      CharFolding::read(embedded::unicode15_classes(), embedded::unicode15_folding(), rules);
  if (!folding) {
    return std::move(folding).error();
  }
  return std::make_shared<const WordPieceModel>(*std::move(folding), TextTrie(*std::move(tokens)),
                                                header.unknown_id.value_or(kUnknownId));
}

WordPieceModel::WordPieceModel(CharFolding folding, TextTrie tokens, std::uint32_t unknown_id)
    : folding_(std::move(folding)), tokens_(std::move(tokens)), unknown_id_(unknown_id) {
  for (std::uint32_t c = 0; c < ascii_.size(); ++c) {
    ascii_[c] = folding_.at(c);
  }
}

template <class OnWord>
void WordPieceModel::for_each_word(std::string_view text, Work& work, OnWord on_word) const {
  text = repair_utf8(text, work.repaired);
  std::string& word = work.buffer;
  word = kWordStart;
  const auto finish = [&] {
    if (word.size() > kWordStart.size()) {
      on_word(std::string_view(word));
      word.resize(kWordStart.size());
    }
  };
  for (std::size_t at = 0; at < text.size(); at += utf8_length(text[at])) {
    const char* p = text.data() + at;
    const auto byte = static_cast<std::uint8_t>(*p);
    const FoldedChar folded = byte < 0x80 ? ascii_[byte] : folding_.at(code_point_at(p));
    if (folded.part == Part::kNone) {
      continue;
    }
    if (folded.part != Part::kWord) {
      finish();
    }
    if (folded.part != Part::kSpace) {
      base::append_utf8(word, folded.code_point);
    }
    if (folded.part == Part::kAlone) {
      finish();
    }
  }
  finish();
}

template <class OnToken>
bool WordPieceModel::cut_word(std::string_view word, OnToken on_token) const {
  const char* end = word.data() + word.size();
  for (const char* p = word.data(); p < end;) {
    const TextTrie::Match match = tokens_.longest(p, end);
    if (match.bytes == 0) {
      return false;
    }
    on_token(match.value);
    p += match.bytes;
  }
  return true;
}

std::uint64_t WordPieceModel::count(std::string_view text, Work& work) const {
  std::uint64_t tokens = 0;
  for_each_word(text, work, [&](std::string_view word) {
    std::uint64_t of_word = 0;
    tokens += cut_word(word, [&](std::uint32_t) { ++of_word; }) ? of_word : 1;
  });
  return tokens;
}

// Before a blank: it ends a word.
std::size_t WordPieceModel::last_cut(std::string_view text) const {
  return last_place(text, [](const char* p) { return *p == ' ' || *p == '\n'; });
}

void WordPieceModel::encode(std::string_view text, Work& work,
                            std::vector<std::uint32_t>& out) const {
  for_each_word(text, work, [&](std::string_view word) {
    const std::size_t before = out.size();
    if (!cut_word(word, [&](std::uint32_t token) { out.push_back(token); })) {
      out.resize(before);
      out.push_back(unknown_id_);
    }
  });
}

}  // namespace weir::tokenizer
