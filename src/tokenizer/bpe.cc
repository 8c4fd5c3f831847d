#include "bpe.h"

#include <algorithm>
#include <utility>

#include "heap_merge.h"

namespace weir::tokenizer {

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
      boundaries_(ordered.vocabulary, texts),
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
}

std::size_t Bpe::count(std::string_view piece, BpeScratch& scratch) const {
  return merge(piece, scratch);
}

void Bpe::encode(std::string_view piece, BpeScratch& scratch,
                 std::vector<std::uint32_t>& out) const {
  const std::size_t tokens = merge(piece, scratch);
  for (std::size_t i = 0; i < tokens; ++i) {
    out.push_back(published(scratch.tokens[i]));
  }
}

// Leaves the tokens in `scratch` and returns how many there are.
std::size_t Bpe::merge(std::string_view piece, BpeScratch& scratch) const {
  if (scratch.tokens.size() < piece.size()) {
    scratch.tokens.resize(piece.size());
  }
  const auto* start = reinterpret_cast<const std::uint8_t*>(piece.data());
  const std::uint32_t first = trie_.longest(start, start + piece.size());
  if (bytes_of(records_[first]) == piece.size()) {
    scratch.tokens[0] = first;
    return 1;
  }
  if (is_guarded(piece)) {
    return heap_merge(*this, piece, scratch.tokens);
  }
  return backtrack(piece, first, scratch);
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

std::size_t Bpe::backtrack(std::string_view piece, std::uint32_t first, BpeScratch& scratch) const {
  const std::size_t bytes = piece.size();
  const auto* text = reinterpret_cast<const std::uint8_t*>(piece.data());
  scratch.dead.assign(bytes / 64 + 1, 0);
  std::uint64_t* dead = scratch.dead.data();
  std::uint32_t* tokens = scratch.tokens.data();
  std::size_t depth = 0;
  std::size_t at = 0;
  std::uint32_t next = first;
  while (at < bytes) {
    const Record record = records_[next];
    const std::size_t end = at + bytes_of(record);
    const bool is_dead = (dead[end / 64] >> (end % 64) & 1) != 0;
    const bool stands =
        !is_dead && (depth == 0 || (at >= 3 && bytes - at >= 3 && boundaries_.stands(text + at)) ||
                     may_follow(tokens[depth - 1], next));
    if (stands) {
      tokens[depth++] = next;
      at = end;
      if (at < bytes) {
        next = trie_.longest(text + at, text + bytes);
      }
    } else if (prefix_of(record) != next) {
      next = prefix_of(record);
    } else if (depth > 0) {
      dead[at / 64] |= std::uint64_t{1} << (at % 64);
      next = tokens[--depth];
      at -= bytes_of(records_[next]);
    } else {  // a vocabulary of complete merges always has a way
      return heap_merge(*this, piece, scratch.tokens);
    }
  }
  return depth;
}

// Undoes the later of the two tokens' merges, step by step. If at some step the neighbours form a
// token that is made before what was undone so far, merging would have joined them.
bool Bpe::may_follow(std::uint32_t before, std::uint32_t after) const {
  std::uint32_t limit = UINT32_MAX;
  while (true) {
    if (pairs_.find(before, after) < limit) {
      return false;
    }
    const bool undo_before = before > after;
    for (int side = 0; side < 2; ++side) {
      if ((side == 0) == undo_before) {
        limit = before;
        before = right_of(records_[before]);
        if (before != limit) {
          break;
        }
      } else {
        limit = after + 1;
        after = left_of(records_[after]);
        if (after + 1 != limit) {
          break;
        }
      }
      if (side == 1) {
        return true;  // both are single bytes
      }
    }
  }
}

}  // namespace weir::tokenizer
