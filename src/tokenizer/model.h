#pragma once

// A vocabulary of any kind: what all tokenizers that differ in their special tokens only share.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bpe.h"
#include "piece_cache.h"
#include "table_archive.h"
#include "weir/tokenizer/tokenizer.h"

namespace weir::tokenizer {

// Immutable; every method may be called from any thread.
class Model {
 public:
  Model();
  virtual ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  // What one call needs; one thread at a time. Must not outlive the model.
  struct Work {
    // Texts shorter than this count without a cache: too few of their words come twice.
    static constexpr std::size_t kCacheFromBytes = 64;

    // `text_bytes` is the length of all that will be counted with it.
    Work(const Model& model, std::size_t text_bytes);

    BpeScratch bpe;
    // For text that cannot be taken as it is.
    std::string repaired;
    std::string buffer;
    std::string spaced;
    PieceCachePool::Loan cache;
  };

  // `text` stands between special tokens, or at an end of the whole text. It is not empty, may be
  // any bytes and is not longer than Tokenizer::kTextBytesMax. Throws std::bad_alloc when memory
  // runs out.
  virtual std::uint64_t count(std::string_view text, Work& work) const = 0;
  // Appends the tokens' ids.
  virtual void encode(std::string_view text, Work& work, std::vector<std::uint32_t>& out) const = 0;

  // The same for text that goes on after more text that was counted, cut at `last_cut`.
  virtual std::uint64_t count_rest(std::string_view text, Work& work) const {
    return count(text, work);
  }

  // The last place in `text` where it may be cut in two: `count` of what is before and
  // `count_rest` of what is behind make the count of the whole, whatever stands further away on
  // either side. 0 when there is none.
  virtual std::size_t last_cut(std::string_view /*text*/) const { return 0; }

  // Bounds for text that is not looked at. At most so many tokens a byte; the longest token in
  // bytes of text, 0 when one may stand for any length.
  virtual std::uint64_t tokens_per_byte_max() const { return 16; }
  virtual std::uint64_t token_bytes_max() const { return 0; }

  // Writes the tables in such a way that read_model (model_tables.h) makes the model again; false
  // when this kind of model is built anew each time.
  virtual bool write(TableWriter&) const { return false; }

  // Different for every model of the process.
  std::uint64_t number() const { return number_; }

 private:
  const std::uint64_t number_;
  mutable PieceCachePool caches_;
};

}  // namespace weir::tokenizer
