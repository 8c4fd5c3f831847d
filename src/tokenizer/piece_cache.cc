#include "piece_cache.h"

#include <algorithm>
#include <bit>
#include <new>
#include <thread>
#include <utility>

namespace weir::tokenizer {
namespace {

constexpr std::size_t kCachesMax = 33;  // 33 MB, however large the machine

}  // namespace

static_assert(std::endian::native == std::endian::little, "the length must be in the last byte");

std::unique_ptr<PieceCache> PieceCache::create() {
  void* memory = std::calloc(std::size_t{1} << kSlotBits, sizeof(Key));
  if (memory == nullptr) {
    return nullptr;
  }
  return std::unique_ptr<PieceCache>(new PieceCache(static_cast<Key*>(memory)));
}

PieceCachePool::Loan::Loan(PieceCachePool* pool, std::unique_ptr<PieceCache> cache)
    : pool_(pool), cache_(std::move(cache)) {
}

PieceCachePool::Loan::~Loan() {
  if (cache_ != nullptr) {
    pool_->give_back(std::move(cache_));
  }
}

PieceCachePool::PieceCachePool()
    : may_create_(std::min<std::size_t>(std::thread::hardware_concurrency() + 1, kCachesMax)) {
  idle_.reserve(may_create_);  // so that give_back never allocates
}

PieceCachePool::Loan PieceCachePool::lend() {
  std::unique_ptr<PieceCache> cache;
  bool create = false;
  {
    const base::MutexLock lock(mutex_);
    if (!idle_.empty()) {
      cache = std::move(idle_.back());
      idle_.pop_back();
    } else if (may_create_ > 0) {
      --may_create_;
      create = true;
    }
  }
  if (create) {
    cache = PieceCache::create();
  }
  return {this, std::move(cache)};
}

void PieceCachePool::give_back(std::unique_ptr<PieceCache> cache) {
  const base::MutexLock lock(mutex_);
  idle_.push_back(std::move(cache));
}

}  // namespace weir::tokenizer
