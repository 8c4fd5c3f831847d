#pragma once

// Counts a text that comes in parts and need not be in memory as a whole.
//
// What has come is counted up to the last place where a text may be cut without changing its
// tokens, between two words mostly, and forgotten. The answer is that of Tokenizer::count.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "weir/base/result.h"
#include "weir/tokenizer/tokenizer.h"

namespace weir::tokenizer {

// One thread at a time. The tokenizer must outlive it.
class StreamCounter {
 public:
  // A text is looked at for a place once so much of it has come.
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
  // The longest stretch without a place to cut; no text that people write comes near it.
  static constexpr std::size_t kStretchBytesMax = std::size_t{256} << 20;

  // `block_bytes` is another number than kBlockBytes, for tests.
  StreamCounter(const Tokenizer& tokenizer, SpecialText special,
                std::size_t block_bytes = kBlockBytes);
  ~StreamCounter();
  StreamCounter(const StreamCounter&) = delete;
  StreamCounter& operator=(const StreamCounter&) = delete;

  // Errors: kBadRequest when the text cannot be cut within kStretchBytesMax; kCannotRun when memory
  // runs out. Nothing can be added then.
  base::Result<void> append(std::string_view text);

  // The number of tokens of all that was appended. Call it once.
  base::Result<std::uint64_t> finish();

 private:
  class Work;

  void count_until(std::size_t end);
  std::size_t find_cut() const;

  const Tokenizer& tokenizer_;
  const SpecialText special_;
  std::unique_ptr<Work> work_;
  std::string waiting_;
  const std::size_t block_bytes_;
  std::size_t wanted_;         // so much must wait before a place is looked for
  bool is_continued_ = false;  // `waiting_` is not the start of the text
  std::uint64_t tokens_ = 0;
};

}  // namespace weir::tokenizer
