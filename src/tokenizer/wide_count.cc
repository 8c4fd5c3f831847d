// Counting of Chinese and the like: character by character, not byte by byte.
//
// A text of wide characters is cut where no merge crosses. What is left, mostly two to ten
// characters, is merged by the definition: of all pairs the one with the lowest number first. That
// asks one table, for places that are known beforehand, so that the memory answers for many of
// them at a time; walking through a trie (bpe.cc) waits for it at each step.

#include <algorithm>
#include <array>
#include <bit>

#include "bpe.h"

namespace weir::tokenizer {

class Bpe::WideCount {
 public:
  WideCount(const Bpe& bpe, BpeScratch& scratch) : bpe_(bpe), scratch_(scratch) {}

  std::size_t run(std::string_view text) {
    while (!text.empty()) {
      look_at(text);
      text.remove_prefix(count_some(text));
    }
    return tokens_;
  }

 private:
  static constexpr std::size_t kCharactersMax = 64;  // of one look
  static constexpr std::uint32_t kNone = PairTable::kNone;
  using Bits = std::uint64_t;  // one for each place behind a character, or for each character
  using Meeting = WidePairs::Meeting;

  static Bits first_bits(std::size_t count) {
    return count < 64 ? (Bits{1} << count) - 1 : ~Bits{0};
  }

  // Reads the wide characters that `text` starts with, and what is between them.
  void look_at(std::string_view text) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
    const std::size_t characters_max = std::min(text.size() / 3, kCharactersMax);
    size_ = 0;
    crossed_ = merging_ = doubtful_ = several_ = 0;
    WidePairs::Code before = 0;
    for (; size_ < characters_max && WidePairs::is_wide(p); p += 3) {
      const WidePairs::Code code = WidePairs::code_of(p);
      characters_[size_] = bpe_.wide_.character(code);
      several_ |= Bits{WidePairs::tokens_of(characters_[size_]) != 1} << size_;
      if (size_ > 0) {
        add_place(size_ - 1, bpe_.wide_.between(before, code, characters_[size_]));
      }
      before = code;
      ++size_;
    }
  }

  void add_place(std::size_t place, Meeting meeting) {
    meetings_[place] = meeting;
    crossed_ |= Bits{meeting != 0} << place;
    merging_ |= Bits{(meeting & WidePairs::kMerges) != 0} << place;
    doubtful_ |= Bits{(meeting & WidePairs::kDoubtful) != 0} << place;
  }

  // Counts up to the last place known to be cut; returns how many bytes that are.
  std::size_t count_some(std::string_view text) {
    std::size_t end = size_;  // in characters
    if (3 * size_ < text.size()) {
      const Bits cuts = size_ > 0 ? ~crossed_ & first_bits(size_ - 1) : 0;
      end = static_cast<std::size_t>(std::bit_width(cuts));
    }
    if (end == 0) {
      return count_other(text);
    }
    tokens_ += end;
    for (Bits rest = several_ & first_bits(end); rest != 0; rest &= rest - 1) {
      tokens_ += more_than_one(static_cast<std::size_t>(std::countr_zero(rest)));
    }
    const Bits crossed = crossed_ & first_bits(end - 1);
    const Bits lone = crossed & ~(crossed << 1 | crossed >> 1 | doubtful_);
    tokens_ -= static_cast<std::size_t>(std::popcount(lone & merging_));
    for (Bits rest = crossed & ~lone; rest != 0;) {
      const int from = std::countr_zero(rest);
      const int places = std::countr_one(rest >> from);
      rest &= ~(first_bits(static_cast<std::size_t>(places)) << from);
      count_part(text, static_cast<std::size_t>(from), static_cast<std::size_t>(places));
    }
    return 3 * end;
  }

  std::size_t more_than_one(std::size_t character) const {
    return WidePairs::tokens_of(characters_[character]) - 1;
  }

  // Other characters come next, or very many that may all belong together.
  std::size_t count_other(std::string_view text) {
    const std::size_t bytes = bpe_.first_cut(text);
    tokens_ += bpe_.merge(text.substr(0, bytes), scratch_);
    return bytes;
  }

  // Characters that are counted as if they stood alone, with `places` between them.
  void count_part(std::string_view text, std::size_t from, std::size_t places) {
    if ((doubtful_ >> from & first_bits(places)) == 0) {
      tokens_ -= merges_of(from, places);
      return;
    }
    for (std::size_t i = from; i <= from + places; ++i) {
      tokens_ -= WidePairs::tokens_of(characters_[i]);
    }
    tokens_ += bpe_.merge(text.substr(3 * from, 3 * (places + 1)), scratch_);
  }

  // How many merges there are among the characters.
  std::size_t merges_of(std::size_t from, std::size_t places) {
    std::array<std::uint32_t, kCharactersMax> tokens;
    std::array<std::uint32_t, kCharactersMax> products;
    Meeting* meetings = meetings_.data() + from;
    for (std::size_t i = 0; i < places; ++i) {
      tokens[i] = WidePairs::token_of(characters_[from + i]);
      const bool merges = (meetings[i] & WidePairs::kMerges) != 0;
      products[i] = merges ? meetings[i] & WidePairs::kTokenMask : kNone;
    }
    tokens[places] = WidePairs::token_of(characters_[from + places]);
    std::size_t merges = 0;
    while (places > 0) {
      std::size_t at = 0;
      for (std::size_t i = 1; i < places; ++i) {
        at = products[i] < products[at] ? i : at;
      }
      if (products[at] == kNone) {
        break;
      }
      ++merges;
      --places;
      tokens[at] = products[at];
      for (std::size_t i = at; i < places; ++i) {
        tokens[i + 1] = tokens[i + 2];
        products[i] = products[i + 1];
        meetings[i] = meetings[i + 1];
      }
      if (at > 0) {
        products[at - 1] = product_of(tokens[at - 1], tokens[at], meetings[at - 1]);
      }
      if (at < places) {
        products[at] = product_of(tokens[at], tokens[at + 1], meetings[at]);
      }
    }
    return merges;
  }

  std::uint32_t product_of(std::uint32_t left, std::uint32_t right, Meeting meeting) const {
    return (meeting & WidePairs::kLonger) != 0 ? bpe_.pairs_.find(left, right) : kNone;
  }

  const Bpe& bpe_;
  BpeScratch& scratch_;
  std::array<WidePairs::Character, kCharactersMax> characters_;
  std::array<Meeting, kCharactersMax> meetings_;  // behind each character
  std::size_t size_ = 0;
  Bits crossed_ = 0;
  Bits merging_ = 0;
  Bits doubtful_ = 0;
  Bits several_ = 0;  // characters of more than one token
  std::size_t tokens_ = 0;
};

std::size_t Bpe::count(std::string_view piece, BpeScratch& scratch) const {
  constexpr std::size_t kTwoCharacters = 6;
  if (piece.size() < kTwoCharacters) {
    return merge(piece, scratch);
  }
  const bool is_wide = WidePairs::is_wide(reinterpret_cast<const std::uint8_t*>(piece.data()));
  const std::size_t others = is_wide ? 0 : first_cut(piece);
  const std::size_t tokens = others > 0 ? merge(piece.substr(0, others), scratch) : 0;
  return tokens + WideCount(*this, scratch).run(piece.substr(others));
}

}  // namespace weir::tokenizer
