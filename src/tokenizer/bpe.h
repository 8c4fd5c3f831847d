#pragma once

// Byte pair encoding of one piece of text, in linear time. Built once, then read by any thread.
//
// Instead of merging pairs step by step it walks the piece from left to right: take the longest
// token; accept it if merging could have left it standing after the token before; else try the
// longest shorter one; if none is left, the place is dead: go back one token. Each place is
// left for good at most once. (The method is that of the Rust crate bpe, MIT.)
//
// There is exactly one way through a piece, so tokens may be tried in any order. In a long run of
// one character, such as '-', the longest tokens are right at the end of the run only; once a piece
// has led to dead ends, the token before is tried first where the text repeats.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "merge_order.h"
#include "pair_table.h"
#include "table_archive.h"
#include "token_trie.h"
#include "vocabulary.h"
#include "weir/base/result.h"
#include "wide_pairs.h"

namespace weir::tokenizer {

// What one call needs for itself; kept from piece to piece so that it is allocated once.
class BpeScratch {
 public:
  // Room for `count` tokens. Not cleared, so that memory that is not used is never touched.
  std::uint32_t* room(std::size_t count) {
    if (tokens_max_ < count) {
      tokens_max_ = 0;
      tokens_.reset(new std::uint32_t[count]);
      tokens_max_ = count;
    }
    return tokens_.get();
  }
  const std::uint32_t* tokens() const { return tokens_.get(); }

  std::vector<std::uint64_t> dead;  // one bit a place: no way on from here

 private:
  std::unique_ptr<std::uint32_t[]> tokens_;
  std::size_t tokens_max_ = 0;
};

class Bpe {
 public:
  // Errors: kBadConfig when the vocabulary is damaged.
  static base::Result<std::unique_ptr<const Bpe>> build(Vocabulary vocabulary);

  // The tables as they were written (table_archive.h), or nullptr when some are damaged. Whatever
  // they say, every method stays within memory and comes to an end.
  static std::unique_ptr<const Bpe> read(TableReader& reader);
  void write(TableWriter& writer) const { tables(*this, writer); }

  // Number of tokens of a piece that is not empty and shorter than 2 GiB. Does not take a token
  // of the piece's bytes for granted: any bytes are allowed.
  std::size_t count(std::string_view piece, BpeScratch& scratch) const;

  // The same, slower for Chinese; leaves the tokens in `scratch.tokens()`, by the numbers that
  // `published` takes.
  std::size_t merge(std::string_view piece, BpeScratch& scratch) const;

  // The first place in `piece` behind its first byte that no merge can cross, whatever stands
  // around it, as far as it is told quickly (between two characters of three bytes), or the end.
  // Both sides of such a place may be counted on their own.
  std::size_t first_cut(std::string_view piece) const {
    const auto* text = reinterpret_cast<const std::uint8_t*>(piece.data());
    for (std::size_t at = 3; at + 3 <= piece.size(); ++at) {
      if (wide_.stands(text + at)) {
        return at;
      }
    }
    return piece.size();
  }

  // Appends the tokens' numbers as in the vocabulary file.
  void encode(std::string_view piece, BpeScratch& scratch, std::vector<std::uint32_t>& out) const;

  // Tokens that merging their own bytes does not give, and so no text does. Good vocabularies have
  // none; a vocabulary that has some counts wrong until they are taken out of it. (Numbers of the
  // vocabulary file.)
  std::vector<std::uint32_t> unreachable_tokens() const;

  std::uint32_t size() const { return static_cast<std::uint32_t>(records_.size()); }

  // How many texts need the slow way when a piece contains them twice (merge_order.h).
  std::size_t guards() const { return guards_.size(); }

  // The longest token.
  std::uint32_t token_bytes_max() const;

  std::uint32_t byte_token(std::uint8_t byte) const { return byte_tokens_[byte]; }
  std::uint32_t merged(std::uint32_t left, std::uint32_t right) const {
    return pairs_.find(left, right);
  }
  // The token's number in the vocabulary file: what the order of the merges really goes by.
  std::uint32_t published(std::uint32_t token) const {
    return published_.empty() ? token : published_[token];
  }

 private:
  // left 18 bits, right 18, longest other token that it starts with 18, length 10
  using Record = std::uint64_t;
  static constexpr int kTokenBits = 18;
  static constexpr std::uint64_t kTokenMask = (1U << kTokenBits) - 1;
  static std::uint32_t left_of(Record record) {
    return static_cast<std::uint32_t>(record & kTokenMask);
  }
  static std::uint32_t right_of(Record record) {
    return static_cast<std::uint32_t>(record >> kTokenBits & kTokenMask);
  }
  static std::uint32_t prefix_of(Record record) {
    return static_cast<std::uint32_t>(record >> 2 * kTokenBits & kTokenMask);
  }
  static std::uint32_t bytes_of(Record record) {
    return static_cast<std::uint32_t>(record >> 3 * kTokenBits);
  }

  Bpe() = default;
  Bpe(OrderedVocabulary ordered, const TokenTexts& texts);
  template <class Self, class Archive>
  static void tables(Self& self, Archive& archive) {
    TokenTrie::tables(self.trie_, archive);
    PairTable::tables(self.pairs_, archive);
    WidePairs::tables(self.wide_, archive);
    archive(self.records_);
    archive(self.published_);
    archive_texts(self.guards_, archive);
    archive(self.byte_tokens_);
  }
  bool is_sound() const;
  bool is_sound(std::uint32_t token) const;
  bool is_guarded(std::string_view piece) const;
  void set_characters();
  class Walk;
  class WideCount;
  bool may_follow(std::uint32_t before, std::uint32_t after) const;
  bool may_meet(std::uint32_t before, std::uint32_t after) const;
  void append_bytes(std::uint32_t token, std::string& out) const;

  TokenTrie trie_;
  PairTable pairs_;
  WidePairs wide_;
  std::vector<Record> records_;
  std::vector<std::uint32_t> published_;  // empty when all numbers are as published
  std::vector<std::string> guards_;       // texts; see merge_order.h
  std::array<std::uint32_t, kByteTokens> byte_tokens_{};
};

}  // namespace weir::tokenizer
