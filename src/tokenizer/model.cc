#include "model.h"

#include <array>
#include <utility>

#include "embedded.h"

namespace weir::tokenizer {
namespace {

constexpr std::size_t kBatch = 128;  // pieces that are split off in one go

// Calls `use(piece, readable)` for each piece; `readable` bytes may be read from its start on.
template <class Use>
void for_each_piece(Splitter split, const CharClasses& classes, std::string_view text, Use use) {
  std::array<std::uint32_t, kBatch> ends{};
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t pieces = split(classes, text, from, ends);
    for (std::size_t i = 0; i < pieces; ++i) {
      use(text.substr(from, ends[i] - from), text.size() - from);
      from = ends[i];
    }
  }
}

}  // namespace

Model::Work::Work(const Model& model, std::size_t text_bytes)
    : cache_(text_bytes < kCacheFromBytes ? PieceCachePool::Loan(nullptr, nullptr)
                                          : model.caches_.lend()) {
}

std::uint64_t Model::count(std::string_view text, Work& work) const {
  std::uint64_t tokens = 0;
  for_each_piece(split_, classes_, text, [&](std::string_view piece, std::size_t readable) {
    tokens += piece.size() == 1 ? 1 : count_piece(piece, readable, work);
  });
  return tokens;
}

std::size_t Model::count_piece(std::string_view piece, std::size_t readable, Work& work) const {
  PieceCache* cache = work.cache_.get();
  if (cache == nullptr || piece.size() > PieceCache::kPieceBytesMax) {
    return bpe_->count(piece, work.scratch_);
  }
  const PieceCache::Key key = PieceCache::key_of(piece, readable);
  if (const std::size_t known = cache->find(key)) {
    return known;
  }
  const std::size_t tokens = bpe_->count(piece, work.scratch_);
  cache->store(key, tokens);
  return tokens;
}

void Model::encode(std::string_view text, Work& work, std::vector<std::uint32_t>& out) const {
  for_each_piece(split_, classes_, text, [&](std::string_view piece, std::size_t) {
    bpe_->encode(piece, work.scratch_, out);
  });
}

base::Result<std::shared_ptr<const Model>> build_model(std::string_view bpe,
                                                       std::string_view splitter) {
  const Splitter split = find_splitter(splitter);
  if (split == nullptr) {
    return base::Error{base::ErrorCode::kBadConfig,
                       "unknown splitter: " + std::string(splitter.substr(0, 64))};
  }
  auto classes = CharClasses::read(embedded::unicode_classes());
  if (!classes) {
    return std::move(classes).error();
  }
  auto vocabulary = read_bpe_pairs(bpe);
  if (!vocabulary) {
    return std::move(vocabulary).error();
  }
  auto built = Bpe::build(*std::move(vocabulary));
  if (!built) {
    return std::move(built).error();
  }
  return std::shared_ptr<const Model>(
      std::make_shared<Model>(*std::move(built), *std::move(classes), split));
}

}  // namespace weir::tokenizer
