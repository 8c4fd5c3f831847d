#include "weir/tokenizer/stream_counter.h"

#include <new>

#include "model.h"
#include "special_tokens.h"

namespace weir::tokenizer {

// What one model needs, kept from block to block.
class StreamCounter::Work : public Model::Work {
 public:
  using Model::Work::Work;
};

StreamCounter::StreamCounter(const Tokenizer& tokenizer, SpecialText special,
                             std::size_t block_bytes)
    : tokenizer_(tokenizer), special_(special), block_bytes_(block_bytes), wanted_(block_bytes) {
}

StreamCounter::~StreamCounter() = default;

base::Result<void> StreamCounter::append(std::string_view text) {
  try {
    waiting_.append(text);
    if (waiting_.size() < wanted_) {
      return {};
    }
    if (const std::size_t cut = find_cut(); cut > 0) {
      count_until(cut);
      wanted_ = block_bytes_;
      return {};
    }
    // Looked at again when there is twice as much, so that no text takes more than linear time.
    wanted_ = waiting_.size() * 2;
  } catch (const std::bad_alloc&) {
    return base::Error{base::ErrorCode::kCannotRun, "not enough memory for this text"};
  }
  if (waiting_.size() > kStretchBytesMax) {
    return base::Error{base::ErrorCode::kBadRequest,
                       "the text has a stretch of more than 256 MB without a place to cut it"};
  }
  return {};
}

base::Result<std::uint64_t> StreamCounter::finish() {
  try {
    count_until(waiting_.size());
    return tokens_;
  } catch (const std::bad_alloc&) {
    return base::Error{base::ErrorCode::kCannotRun, "not enough memory for this text"};
  }
}

// 0 when there is no place.
std::size_t StreamCounter::find_cut() const {
  const auto& finder = *tokenizer_.special_;
  // A special token that begins before the place must be seen to its end.
  std::size_t end = waiting_.size() > finder.longest() ? waiting_.size() - finder.longest() : 0;
  while (end > 0) {
    const std::size_t cut = tokenizer_.model_->last_cut(std::string_view(waiting_).substr(0, end));
    if (cut == 0 || finder.may_cut(waiting_, cut, special_)) {
      return cut;
    }
    end = cut;
  }
  return 0;
}

void StreamCounter::count_until(std::size_t end) {
  const Model& model = *tokenizer_.model_;
  if (work_ == nullptr) {
    work_ = std::make_unique<Work>(model, end);
  }
  const std::string_view text = std::string_view(waiting_).substr(0, end);
  tokenizer_.special_->cut(
      text, special_,
      [&](std::string_view part) {
        const bool is_rest = is_continued_ && part.data() == text.data();
        tokens_ += is_rest ? model.count_rest(part, *work_) : model.count(part, *work_);
      },
      [&](std::uint32_t) { ++tokens_; });
  waiting_.erase(0, end);
  is_continued_ = true;
}

}  // namespace weir::tokenizer
