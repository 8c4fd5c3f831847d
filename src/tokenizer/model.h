#pragma once

// All that tokenizers with the same merges share.

#include <memory>

#include "bpe.h"
#include "char_classes.h"
#include "piece_cache.h"
#include "splitter.h"
#include "weir/tokenizer/tokenizer.h"

namespace weir::tokenizer {

class Model {
 public:
  Model(std::unique_ptr<const Bpe> bpe, CharClasses classes, Splitter splitter)
      : bpe_(std::move(bpe)), classes_(std::move(classes)), split_(splitter) {}

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

  std::unique_ptr<const Bpe> bpe_;
  CharClasses classes_;
  Splitter split_;
  mutable PieceCachePool caches_;
};

}  // namespace weir::tokenizer
