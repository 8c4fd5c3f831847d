#pragma once

// All that tokenizers with the same merges share.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bpe.h"
#include "char_classes.h"
#include "piece_cache.h"
#include "splitter.h"
#include "weir/tokenizer/tokenizer.h"

namespace weir::tokenizer {

// What a model's own file has beside the merges.
struct ModelExtras {
  std::vector<std::uint32_t> ids;  // token -> the model's id; empty: the same
  // Pieces that are one token without any merge, with their ids.
  std::unordered_map<std::string, std::uint32_t> whole_pieces;
  std::array<bool, 256> is_dropped{};  // bytes that are no token and count nothing
};

class Model {
 public:
  static constexpr std::uint32_t kNoId = UINT32_MAX;  // of a dropped byte in `extras.ids`

  Model(std::unique_ptr<const Bpe> bpe, CharClasses classes, Splitter splitter,
        ModelExtras extras = {});

  // What one call needs; one thread at a time. Must not outlive the model.
  class Work {
   public:
    // Texts shorter than this count without a cache: too few of their words come twice.
    static constexpr std::size_t kCacheFromBytes = 64;

    Work(const Model& model, std::size_t text_bytes);

   private:
    friend class Model;
    BpeScratch scratch_;
    PieceCachePool::Loan cache_;
  };

  // Text without special tokens, valid UTF-8, not longer than Tokenizer::kTextBytesMax.
  std::uint64_t count(std::string_view text, Work& work) const;
  void encode(std::string_view text, Work& work, std::vector<std::uint32_t>& out) const;

 private:
  std::size_t count_piece(std::string_view piece, std::size_t readable, Work& work) const;
  std::size_t merge_piece(std::string_view piece, Work& work) const;
  const std::uint32_t* find_whole(std::string_view piece) const;
  std::uint64_t dropped_in(std::string_view text) const;
  void encode_piece(std::string_view piece, Work& work, std::vector<std::uint32_t>& out) const;

  std::unique_ptr<const Bpe> bpe_;
  CharClasses classes_;
  Splitter split_;
  ModelExtras extras_;
  bool drops_bytes_;
  std::size_t whole_bytes_max_ = 0;
  mutable PieceCachePool caches_;
};

// The character classes that are linked in.
base::Result<CharClasses> builtin_classes();

}  // namespace weir::tokenizer
