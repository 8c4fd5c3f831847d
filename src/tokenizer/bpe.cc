#include "bpe.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "heap_merge.h"

namespace weir::tokenizer {
// One walk through one piece.
class Bpe::Walk {
 public:
  Walk(const Bpe& bpe, std::string_view piece, std::uint32_t first, BpeScratch& scratch)
      : bpe_(bpe),
        text_(reinterpret_cast<const std::uint8_t*>(piece.data())),
        bytes_(piece.size()),
        tokens_(scratch.room(piece.size())),
        next_(first) {
    scratch.dead.assign(bytes_ / 64 + 1, 0);
    dead_ = scratch.dead.data();
  }

  // False when there is no way, which complete merges rule out.
  bool run() {
    while (at_ < bytes_) {
      const Record record = bpe_.records_[next_];
      const std::size_t end = at_ + bytes_of(record);
      if (end <= bytes_ && !is_dead(end) && may_stand()) {
        accept(end, bytes_of(record));
      } else if (is_guess_) {
        take_longest();
      } else if (prefix_of(record) != next_) {
        next_ = prefix_of(record);
      } else if (depth_ > 0) {
        go_back();
      } else {
        return false;
      }
    }
    for (std::size_t i = 0; dead_ends_ > kDeadEndsBeforeGuess && i < depth_; ++i) {
      tokens_[i] &= ~kGuess;
    }
    return true;
  }

  std::size_t depth() const { return depth_; }

 private:
  static constexpr std::uint32_t kGuess = 1U << 31;  // marks a token that was tried out of order
  static constexpr std::size_t kDeadEndsBeforeGuess = 8;

  bool is_dead(std::size_t place) const { return (dead_[place / 64] >> (place % 64) & 1) != 0; }

  bool may_stand() const {
    return depth_ == 0 || (at_ >= 3 && bytes_ - at_ >= 3 && bpe_.wide_.stands(text_ + at_)) ||
           bpe_.may_follow(tokens_[depth_ - 1] & ~kGuess, next_);
  }

  void take_longest() {
    is_guess_ = false;
    next_ = bpe_.trie_.longest(text_ + at_, text_ + bytes_);
  }

  void accept(std::size_t end, std::size_t token_bytes) {
    tokens_[depth_++] = is_guess_ ? next_ | kGuess : next_;
    at_ = end;
    if (at_ == bytes_) {
      return;
    }
    is_guess_ = dead_ends_ > kDeadEndsBeforeGuess && bytes_ - at_ >= token_bytes &&
                text_[at_ - token_bytes] == text_[at_] &&
                std::memcmp(text_ + at_ - token_bytes, text_ + at_, token_bytes) == 0;
    if (!is_guess_) {
      take_longest();
    }
  }

  // Nothing may stand here: drop the token before and go on with what comes after it in turn.
  void go_back() {
    dead_[at_ / 64] |= std::uint64_t{1} << (at_ % 64);
    ++dead_ends_;
    const std::uint32_t dropped = tokens_[--depth_];
    next_ = dropped & ~kGuess;
    at_ -= bytes_of(bpe_.records_[next_]);
    if ((dropped & kGuess) != 0) {
      take_longest();
    }
  }

  const Bpe& bpe_;
  const std::uint8_t* text_;
  std::size_t bytes_;
  std::uint32_t* tokens_;
  std::uint64_t* dead_ = nullptr;
  std::size_t depth_ = 0;
  std::size_t at_ = 0;
  std::size_t dead_ends_ = 0;
  std::uint32_t next_;  // the token to try
  bool is_guess_ = false;
};

base::Result<std::unique_ptr<const Bpe>> Bpe::build(Vocabulary vocabulary) {
  auto ordered = order_merges(std::move(vocabulary));
  if (!ordered) {
    return std::move(ordered).error();
  }
  auto texts = TokenTexts::build(ordered->vocabulary);
  if (!texts) {
    return std::move(texts).error();
  }
  return std::unique_ptr<const Bpe>(new Bpe(*std::move(ordered), *texts));
}

Bpe::Bpe(OrderedVocabulary ordered, const TokenTexts& texts)
    : trie_(texts),
      pairs_(ordered.vocabulary),
      wide_(ordered.vocabulary, texts, ordered.guards),
      published_(std::move(ordered.published)) {
  const std::vector<std::uint32_t> prefixes = trie_.take_prefixes();
  records_.reserve(texts.size());
  for (std::uint32_t token = 0; token < texts.size(); ++token) {
    const Pair parts =
        token < kByteTokens ? Pair{token, token} : ordered.vocabulary.merges[token - kByteTokens];
    records_.push_back(std::uint64_t{parts.left} | std::uint64_t{parts.right} << kTokenBits |
                       std::uint64_t{prefixes[token]} << 2 * kTokenBits |
                       std::uint64_t{texts[token].size()} << 3 * kTokenBits);
  }
  for (std::uint32_t token = 0; token < kByteTokens; ++token) {
    byte_tokens_[ordered.vocabulary.bytes[token]] = token;
  }
  for (const std::uint32_t guard : ordered.guards) {
    guards_.emplace_back(texts[guard]);
  }
  set_characters();
}

// By merging each of them.
void Bpe::set_characters() {
  BpeScratch scratch;
  for (WidePairs::Code code = 0; code < 1U << 16; ++code) {
    const std::array<char, 3> bytes = {static_cast<char>(0xE0 | code >> 12),
                                       static_cast<char>(0x80 | (code >> 6 & 0x3F)),
                                       static_cast<char>(0x80 | (code & 0x3F))};
    const std::size_t tokens = merge({bytes.data(), bytes.size()}, scratch);
    wide_.set_tokens(code, scratch.tokens()[0], tokens);
  }
}

std::unique_ptr<const Bpe> Bpe::read(TableReader& reader) {
  std::unique_ptr<Bpe> bpe(new Bpe());
  tables(*bpe, reader);
  return reader.ok() && bpe->is_sound() ? std::move(bpe) : nullptr;
}

bool Bpe::is_sound() const {
  if (size() < kByteTokens || size() > kTokensMax || !trie_.is_sound(size()) ||
      !pairs_.is_sound(size()) || !wide_.is_sound(size()) ||
      !(published_.empty() || published_.size() == size())) {
    return false;
  }
  const auto in_range = [this](std::uint32_t token) { return token < size(); };
  for (std::uint32_t token = 0; token < size(); ++token) {
    if (!is_sound(token)) {
      return false;
    }
  }
  return std::all_of(published_.begin(), published_.end(), in_range) &&
         std::all_of(byte_tokens_.begin(), byte_tokens_.end(),
                     [](std::uint32_t token) { return token < kByteTokens; });
}

// Going to a part or to the prefix leads to something smaller until a single byte is reached.
bool Bpe::is_sound(std::uint32_t token) const {
  const Record record = records_[token];
  if (token < kByteTokens) {
    return left_of(record) == token && right_of(record) == token && prefix_of(record) == token &&
           bytes_of(record) == 1;
  }
  return left_of(record) < token && right_of(record) < token && prefix_of(record) < size() &&
         bytes_of(records_[prefix_of(record)]) < bytes_of(record);
}

void Bpe::encode(std::string_view piece, BpeScratch& scratch,
                 std::vector<std::uint32_t>& out) const {
  const std::size_t tokens = merge(piece, scratch);
  for (std::size_t i = 0; i < tokens; ++i) {
    out.push_back(published(scratch.tokens()[i]));
  }
}

// Leaves the tokens in `scratch` and returns how many there are.
std::size_t Bpe::merge(std::string_view piece, BpeScratch& scratch) const {
  std::uint32_t* tokens = scratch.room(piece.size());
  const auto* start = reinterpret_cast<const std::uint8_t*>(piece.data());
  const std::uint32_t first = trie_.longest(start, start + piece.size());
  if (bytes_of(records_[first]) == piece.size()) {
    tokens[0] = first;
    return 1;
  }
  if (is_guarded(piece)) {
    return heap_merge(*this, piece, tokens);
  }
  Walk walk(*this, piece, first, scratch);
  return walk.run() ? walk.depth() : heap_merge(*this, piece, tokens);
}

bool Bpe::is_guarded(std::string_view piece) const {
  return std::any_of(guards_.begin(), guards_.end(), [piece](const std::string& guard) {
    if (piece.size() < 2 * guard.size()) {
      return false;
    }
    const std::size_t at = piece.find(guard);
    return at != std::string_view::npos &&
           piece.find(guard, at + guard.size()) != std::string_view::npos;
  });
}

bool Bpe::may_follow(std::uint32_t before, std::uint32_t after) const {
  return pairs_.find(before, after) == PairTable::kNone && may_meet(before, after);
}

// Whether merging ever leaves the two tokens side by side, be it for a moment. Undoes the later of
// their merges, step by step. If at some step the neighbours form a token that is made before what
// was undone so far, merging would have joined them.
bool Bpe::may_meet(std::uint32_t before, std::uint32_t after) const {
  while (std::max(before, after) >= kByteTokens) {
    const bool undo_before = before > after;  // chosen without a jump: nobody can foresee it
    const std::uint32_t later = undo_before ? before : after;
    const Record record = records_[later];
    before = undo_before ? right_of(record) : before;
    after = undo_before ? after : left_of(record);
    if (pairs_.find(before, after) < later + (undo_before ? 0 : 1)) {
      return false;
    }
  }
  return true;
}

std::uint32_t Bpe::token_bytes_max() const {
  std::uint32_t longest = 0;
  for (const Record record : records_) {
    longest = std::max(longest, bytes_of(record));
  }
  return longest;
}

std::vector<std::uint32_t> Bpe::unreachable_tokens() const {
  std::vector<std::uint32_t> unreachable;
  std::vector<std::uint32_t> merged;
  std::string bytes;
  for (std::uint32_t token = kByteTokens; token < records_.size(); ++token) {
    if (may_meet(left_of(records_[token]), right_of(records_[token]))) {
      continue;
    }
    bytes.clear();  // may_meet goes by the new numbers, the definition by the published ones
    append_bytes(token, bytes);
    merged.resize(bytes.size());
    if (heap_merge(*this, bytes, merged.data()) != 1) {
      unreachable.push_back(published(token));
    }
  }
  return unreachable;
}

void Bpe::append_bytes(std::uint32_t token, std::string& out) const {
  std::vector<std::uint32_t> open = {token};
  while (!open.empty()) {
    const std::uint32_t next = open.back();
    open.pop_back();
    if (next >= kByteTokens) {
      open.push_back(right_of(records_[next]));
      open.push_back(left_of(records_[next]));
      continue;
    }
    for (std::uint32_t byte = 0; byte < kByteTokens; ++byte) {
      if (byte_tokens_[byte] == next) {
        out.push_back(static_cast<char>(byte));
      }
    }
  }
}

}  // namespace weir::tokenizer
