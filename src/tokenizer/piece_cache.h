#pragma once

// Remembers how many tokens short pieces have. Text repeats its words, so most pieces are found.
//
// A cache is used by one thread at a time. Requests have a thread each, up to a thousand and more,
// so caches belong to a small pool and are lent for the time of one count, which never waits: who
// finds none counts without.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "weir/base/mutex.h"

namespace weir::tokenizer {

// 2^16 slots of 16 bytes, 1 MB; each piece has one slot it can be in. The whole piece is
// compared, so an answer is always right. The memory starts as zero pages that the system hands
// out when they are touched: a short text pays for what it uses.
class PieceCache {
 public:
  static constexpr std::size_t kPieceBytesMax = 15;

  // A piece as the cache stores it: 15 bytes of text, zeros behind it, then 4 bits of length; the
  // 4 bits below are for the number of tokens.
  struct Key {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
  };

  // nullptr when memory runs out.
  static std::unique_ptr<PieceCache> create();

  // `piece` has 1 to kPieceBytesMax bytes; `readable` bytes may be read from its start on.
  static Key key_of(std::string_view piece, std::size_t readable) {
    Key key;
    if (readable >= sizeof key) {
      std::memcpy(&key, piece.data(), sizeof key);
      clear_behind(key, piece.size());
    } else {
      std::memcpy(&key, piece.data(), piece.size());
    }
    key.high |= static_cast<std::uint64_t>(piece.size()) << kLengthShift;
    return key;
  }

  // Gets the memory for a later `find` under way.
  void prefetch(const Key& key) const { __builtin_prefetch(slots_.get() + slot_of(key)); }

  // The number of tokens, or 0 when the piece is not in the cache.
  std::size_t find(const Key& key) const {
    const Key& slot = slots_[slot_of(key)];
    const bool same = slot.low == key.low && (slot.high & ~kCountMask) == key.high;
    return same ? static_cast<std::size_t>(slot.high >> kCountShift & 0xF) : 0;
  }

  // `tokens` is 1 to 15, which pieces of up to 15 bytes always are.
  void store(const Key& key, std::size_t tokens) {
    slots_[slot_of(key)] = {key.low, key.high | static_cast<std::uint64_t>(tokens) << kCountShift};
  }

 private:
  static constexpr int kSlotBits = 16;
  static constexpr int kCountShift = 56;  // the last byte: 4 bits count, 4 bits length above them
  static constexpr int kLengthShift = 60;
  static constexpr std::uint64_t kCountMask = std::uint64_t{0xF} << kCountShift;

  struct Free {
    void operator()(Key* slots) const { std::free(slots); }
  };
  explicit PieceCache(Key* slots) : slots_(slots) {}

  static void clear_behind(Key& key, std::size_t bytes) {
    if (bytes < 8) {
      key.low &= (std::uint64_t{1} << 8 * bytes) - 1;
      key.high = 0;
    } else {
      key.high &= (std::uint64_t{1} << 8 * (bytes - 8)) - 1;
    }
  }
  static std::size_t slot_of(const Key& key) {
    const std::uint64_t mixed =
        (key.low * 0x9E3779B97F4A7C15ULL) ^ (key.high * 0xC2B2AE3D27D4EB4FULL);
    return static_cast<std::size_t>((mixed ^ mixed >> 32) * 0x9E3779B97F4A7C15ULL >>
                                    (64 - kSlotBits));
  }

  std::unique_ptr<Key[], Free> slots_;
};

// Any thread may lend and give back.
class PieceCachePool {
 public:
  // Holds a cache, or none, until it is destroyed. Must not outlive the pool.
  class Loan {
   public:
    Loan(PieceCachePool* pool, std::unique_ptr<PieceCache> cache);
    ~Loan();
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

    PieceCache* get() const { return cache_.get(); }

   private:
    PieceCachePool* pool_;
    std::unique_ptr<PieceCache> cache_;
  };

  PieceCachePool();

  Loan lend();

 private:
  void give_back(std::unique_ptr<PieceCache> cache);

  base::Mutex mutex_;
  std::vector<std::unique_ptr<PieceCache>> idle_ GUARDED_BY(mutex_);
  std::size_t may_create_ GUARDED_BY(mutex_);  // the machine's threads of execution, and one more
};

}  // namespace weir::tokenizer
