#include "merge_order.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace weir::tokenizer {
namespace {

constexpr std::uint32_t kUnknown = UINT32_MAX;
constexpr int kPassesMax = 64;  // a chain of late parts is one or two long in practice

// Where a token stands: right after `anchor`, the latest of the tokens it needs; `level` steps
// after it when late tokens build on each other. A token that is not late is its own anchor.
struct Place {
  std::uint32_t anchor = kUnknown;
  std::uint32_t level = 0;
};

class Places {
 public:
  explicit Places(const Vocabulary& vocabulary)
      : vocabulary_(vocabulary), places_(vocabulary.size()) {
    for (std::uint32_t byte = 0; byte < kByteTokens; ++byte) {
      places_[byte] = {byte, 0};
    }
  }

  // False when some tokens need each other.
  bool resolve() {
    std::vector<std::uint32_t> waiting;
    for (std::uint32_t token = kByteTokens; token < vocabulary_.size(); ++token) {
      if (!place(token)) {
        waiting.push_back(token);
      }
    }
    for (int pass = 0; pass < kPassesMax && !waiting.empty(); ++pass) {
      std::erase_if(waiting, [this](std::uint32_t token) { return place(token); });
    }
    return waiting.empty();
  }

  bool is_late(std::uint32_t token) const { return places_[token].anchor != token; }
  const Place& operator[](std::uint32_t token) const { return places_[token]; }
  const Pair& parts(std::uint32_t token) const { return vocabulary_.merges[token - kByteTokens]; }

 private:
  bool place(std::uint32_t token) {
    const Place& left = places_[parts(token).left];
    const Place& right = places_[parts(token).right];
    if (left.anchor == kUnknown || right.anchor == kUnknown) {
      return false;
    }
    const std::uint32_t anchor = std::max({token, left.anchor, right.anchor});
    std::uint32_t level = 0;
    for (const Place* part : {&left, &right}) {
      if (part->anchor == anchor) {
        level = std::max(level, part->level + 1);
      }
    }
    places_[token] = {anchor, level};
    return true;
  }

  const Vocabulary& vocabulary_;
  std::vector<Place> places_;
};

// True when two places where `anchor` is made can compete for a token between them, given the
// late tokens that follow it.
bool places_compete(const Places& places, std::uint32_t anchor,
                    const std::vector<std::uint32_t>& late_tokens) {
  const auto in_group = [&](std::uint32_t token) { return places[token].anchor == anchor; };
  std::vector<std::uint32_t> eaten_to_the_right;
  std::vector<std::uint32_t> eaten_to_the_left;
  for (const std::uint32_t token : late_tokens) {
    const Pair& parts = places.parts(token);
    if (in_group(parts.left) && in_group(parts.right)) {
      return true;
    }
    (in_group(parts.left) ? eaten_to_the_right : eaten_to_the_left)
        .push_back(in_group(parts.left) ? parts.right : parts.left);
  }
  if (anchor >= kByteTokens) {  // the next place loses its left part before it is made
    eaten_to_the_left.push_back(places.parts(anchor).left);
  }
  return std::any_of(eaten_to_the_right.begin(), eaten_to_the_right.end(), [&](auto token) {
    return std::count(eaten_to_the_left.begin(), eaten_to_the_left.end(), token) > 0;
  });
}

using LateGroups = std::map<std::uint32_t, std::vector<std::uint32_t>>;  // anchor -> late tokens

LateGroups group_late_tokens(const Places& places, std::uint32_t tokens) {
  LateGroups groups;
  for (std::uint32_t token = 0; token < tokens; ++token) {
    if (places.is_late(token)) {
      groups[places[token].anchor].push_back(token);
    }
  }
  for (auto& [anchor, late_tokens] : groups) {
    std::stable_sort(late_tokens.begin(), late_tokens.end(), [&places](auto a, auto b) {
      return std::tie(places[a].level, a) < std::tie(places[b].level, b);
    });
  }
  return groups;
}

std::vector<std::uint32_t> new_order(const Places& places, const LateGroups& groups,
                                     std::uint32_t tokens) {
  std::vector<std::uint32_t> order;
  order.reserve(tokens);
  for (std::uint32_t token = 0; token < tokens; ++token) {
    if (places.is_late(token)) {
      continue;
    }
    order.push_back(token);
    if (const auto group = groups.find(token); group != groups.end()) {
      order.insert(order.end(), group->second.begin(), group->second.end());
    }
  }
  return order;
}

}  // namespace

base::Result<OrderedVocabulary> order_merges(Vocabulary vocabulary) {
  const std::uint32_t tokens = vocabulary.size();
  Places places(vocabulary);
  if (!places.resolve()) {
    return base::Error{base::ErrorCode::kBadConfig,
                       "vocabulary file is damaged: tokens are made of each other"};
  }
  const LateGroups groups = group_late_tokens(places, tokens);
  OrderedVocabulary ordered;
  if (groups.empty()) {
    ordered.vocabulary = std::move(vocabulary);
    return ordered;
  }
  ordered.published = new_order(places, groups, tokens);
  std::vector<std::uint32_t> renumbered(tokens);
  for (std::uint32_t token = 0; token < tokens; ++token) {
    renumbered[ordered.published[token]] = token;
  }
  ordered.vocabulary.bytes = vocabulary.bytes;
  ordered.vocabulary.merges.reserve(vocabulary.merges.size());
  for (std::uint32_t token = kByteTokens; token < tokens; ++token) {
    const Pair& parts = places.parts(ordered.published[token]);
    ordered.vocabulary.merges.push_back({renumbered[parts.left], renumbered[parts.right]});
  }
  for (const auto& [anchor, late_tokens] : groups) {
    if (places_compete(places, anchor, late_tokens)) {
      ordered.guards.push_back(renumbered[anchor]);
    }
  }
  return ordered;
}

}  // namespace weir::tokenizer
