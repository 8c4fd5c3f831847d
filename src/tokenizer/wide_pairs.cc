#include "wide_pairs.h"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

namespace weir::tokenizer {
namespace {

const std::uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

bool is_continuation(char byte) {
  return (static_cast<std::uint8_t>(byte) & 0xC0) == 0x80;
}

bool is_tail(std::string_view text) {
  return text.size() <= 2 && std::all_of(text.begin(), text.end(), is_continuation);
}

bool starts_wide(std::string_view text) {
  return text.size() >= 3 && WidePairs::is_wide(bytes_of(text));
}

bool ends_wide(std::string_view text) {
  return text.size() >= 3 && WidePairs::is_wide(bytes_of(text) + text.size() - 3);
}

}  // namespace

class WidePairs::Builder {
 public:
  explicit Builder(WidePairs& out) : out_(out) { out_.characters_.assign(kCodes, 0); }

  // Only merges that fit between two wide characters matter: `right` starts with one or with a part
  // of one, `left` ends with one or is the tail of one.
  void add_merge(std::string_view left, std::string_view right, std::uint32_t token) {
    if ((static_cast<std::uint8_t>(right[0]) & 0xF0) != 0xE0) {
      return;
    }
    if (is_tail(left)) {
      for_each_start(right, [&](Code after) { add_tail(after, left.back()); });
    } else if (ends_wide(left) && starts_wide(right)) {
      const bool is_pair = left.size() == 3 && right.size() == 3;
      add(last_of(left), code_of(bytes_of(right)), is_pair ? token | kMerges : kLonger);
    } else if (ends_wide(left)) {
      for_each_start(right, [&](Code after) { add(last_of(left), after, kDoubtful); });
    }
  }

  // A text that is merged in another way when it comes twice: all of it that may stand here.
  void add_guard(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (starts_wide(text.substr(at)) && starts_wide(text.substr(std::min(at + 3, text.size())))) {
        add(code_of(bytes_of(text) + at), code_of(bytes_of(text) + at + 3), kDoubtful);
      }
    }
  }

  void finish() {
    join_equal_keys();
    std::size_t slots = std::bit_ceil(meetings_.size() + meetings_.size() / 8 + 2 * kKeysOfShift);
    while (!place(slots)) {
      slots *= 2;
    }
  }

 private:
  static constexpr std::size_t kKeysOfShift = 4;  // on the average
  static constexpr std::uint32_t kShiftsMax = 1U << 16;

  struct Known {
    std::uint64_t key;
    Meeting meeting;
  };
  struct Entry {
    std::uint64_t hash;
    std::uint64_t slot;
  };
  using Entries = std::span<const Entry>;

  // Of two merges with the same parts the first one counts.
  void join_equal_keys() {
    std::stable_sort(meetings_.begin(), meetings_.end(),
                     [](const auto& a, const auto& b) { return a.key < b.key; });
    std::size_t kept = 0;
    for (const auto& [key, what] : meetings_) {
      if (kept == 0 || meetings_[kept - 1].key != key) {
        meetings_[kept++] = {key, what};
      } else if ((meetings_[kept - 1].meeting & what & kMerges) == 0) {
        meetings_[kept - 1].meeting |= what;
      }
    }
    meetings_.resize(kept);
  }

  // Finds the shifts, the largest groups first. False when some group does not fit in any way.
  bool place(std::size_t slots) {
    const std::size_t groups = slots / kKeysOfShift;
    out_.shift_bits_ = static_cast<std::uint32_t>(64 - std::countr_zero(groups));
    out_.shifts_.assign(groups, 0);
    out_.slots_.assign(slots, 0);
    std::vector<Entry> entries;
    entries.reserve(meetings_.size());
    for (const auto& [key, meeting] : meetings_) {
      entries.push_back({hash_of(key), key << 32 | meeting});
    }
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.hash < b.hash; });
    std::vector<Entries> by_shift;
    for (std::size_t from = 0, to = 0; from < entries.size(); from = to) {
      const std::uint64_t group = entries[from].hash >> out_.shift_bits_;
      while (to < entries.size() && entries[to].hash >> out_.shift_bits_ == group) {
        ++to;
      }
      by_shift.push_back(Entries(entries).subspan(from, to - from));
    }
    std::sort(by_shift.begin(), by_shift.end(), [](const Entries& a, const Entries& b) {
      return a.size() != b.size() ? a.size() > b.size() : a[0].hash < b[0].hash;
    });
    return std::all_of(by_shift.begin(), by_shift.end(), [&](const Entries& group) {
      return place_group(group, out_.shifts_[group[0].hash >> out_.shift_bits_]);
    });
  }

  bool place_group(const Entries& entries, std::uint16_t& shift) {
    for (std::uint32_t tried = 0; tried < kShiftsMax; ++tried) {
      std::size_t placed = 0;
      while (placed < entries.size()) {
        std::uint64_t& slot = out_.slots_[out_.slot_of(entries[placed].hash, tried)];
        if (slot != 0) {
          break;
        }
        slot = entries[placed++].slot;
      }
      if (placed == entries.size()) {
        shift = static_cast<std::uint16_t>(tried);
        return true;
      }
      while (placed > 0) {
        out_.slots_[out_.slot_of(entries[--placed].hash, tried)] = 0;
      }
    }
    return false;
  }

  static Code last_of(std::string_view text) { return code_of(bytes_of(text) + text.size() - 3); }

  // All characters that start as `text` does, which is one or a part of one.
  template <class Use>
  static void for_each_start(std::string_view text, Use use) {
    std::uint32_t known = (static_cast<std::uint8_t>(text[0]) & 0x0FU) << 12;
    std::uint32_t others = 1U << 12;
    for (std::size_t i = 1; i < std::min<std::size_t>(text.size(), 3); ++i) {
      others >>= 6;
      known |= (static_cast<std::uint8_t>(text[i]) & 0x3FU) * others;
    }
    for (std::uint32_t other = 0; other < others; ++other) {
      use(known | other);
    }
  }

  void add(Code before, Code after, Meeting what) {
    meetings_.push_back({std::uint64_t{before} << 16 | after, what});
  }

  void add_tail(Code after, char last) {
    const std::uint32_t tail = 1 + static_cast<std::uint8_t>(last) % kTails;
    Character& character = out_.characters_[after];
    const std::uint32_t known = character >> kTailShift;
    character = (known == 0 || known == tail ? tail : kAnyTail) << kTailShift;
  }

  WidePairs& out_;
  std::vector<Known> meetings_;  // flat: memory in small blocks would not go back to the system
};

WidePairs::WidePairs(const Vocabulary& vocabulary, const TokenTexts& texts,
                     const std::vector<std::uint32_t>& guards) {
  Builder builder(*this);
  for (std::uint32_t i = 0; i < vocabulary.merges.size(); ++i) {
    const Pair& merge = vocabulary.merges[i];
    builder.add_merge(texts[merge.left], texts[merge.right], kByteTokens + i);
  }
  for (const std::uint32_t guard : guards) {
    builder.add_guard(texts[guard]);
  }
  builder.finish();
}

bool WidePairs::is_sound(std::uint32_t tokens) const {
  if (!std::has_single_bit(slots_.size()) || !std::has_single_bit(shifts_.size()) ||
      shifts_.size() < 2 || characters_.size() != kCodes ||
      shift_bits_ != static_cast<std::uint32_t>(64 - std::countr_zero(shifts_.size()))) {
    return false;
  }
  return std::all_of(slots_.begin(), slots_.end(), [tokens](std::uint64_t slot) {
    return (slot & kMerges) == 0 || (slot & kTokenMask) < tokens;
  });
}

}  // namespace weir::tokenizer
