#include "token_trie.h"

#include <algorithm>
#include <span>

#include "slot_allocator.h"

namespace weir::tokenizer {
namespace {

struct SortKey {
  std::uint64_t head = 0;  // the first eight bytes, so that most comparisons read no text
  std::uint32_t token = 0;
};

std::uint64_t head_of(std::string_view text) {
  std::uint64_t head = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    head = head << 8 | (i < text.size() ? static_cast<std::uint8_t>(text[i]) : 0U);
  }
  return head;
}

std::vector<SortKey> sorted_tokens(const TokenTexts& texts) {
  std::vector<SortKey> keys(texts.size());
  for (std::uint32_t token = 0; token < texts.size(); ++token) {
    keys[token] = {head_of(texts[token]), token};
  }
  std::sort(keys.begin(), keys.end(), [&texts](const SortKey& a, const SortKey& b) {
    return a.head != b.head ? a.head < b.head : texts[a.token] < texts[b.token];
  });
  return keys;
}

std::size_t common_prefix(std::string_view a, std::string_view b) {
  const std::size_t bytes = std::min(a.size(), b.size());
  std::size_t i = 0;
  while (i < bytes && a[i] == b[i]) {
    ++i;
  }
  return i;
}

}  // namespace

// Steps: the plain trie in preorder; the children of each node side by side; room for them in the
// double array; the entry tables.
class TrieBuilder {
 public:
  TrieBuilder(const TokenTexts& texts, TokenTrie& trie) : texts_(texts), trie_(trie) {}

  void build() {
    make_plain_nodes();
    gather_children();
    place_children();
    write_nodes();
    fill_entries();
  }

 private:
  struct PlainNode {
    std::uint32_t parent = 0;
    std::uint32_t token = 0;  // the longest that ends here or before
    std::uint32_t slot = 0;
    std::uint32_t base = 0;
    std::uint8_t label = 0;
    std::uint8_t depth = 0;  // 4 stands for more
  };

  void make_plain_nodes() {
    nodes_.reserve(texts_.size() * std::size_t{5} / 2);
    nodes_.emplace_back();
    trie_.prefixes_.resize(texts_.size());
    std::vector<std::uint32_t> path{0};  // node at each depth of the token before
    std::string_view before;
    for (const SortKey& key : sorted_tokens(texts_)) {
      const std::string_view text = texts_[key.token];
      const std::size_t shared = common_prefix(before, text);
      path.resize(shared + 1);
      for (std::size_t depth = shared; depth < text.size(); ++depth) {
        path.push_back(add_node(path.back(), text[depth]));
      }
      trie_.prefixes_[key.token] =
          text.size() > 1 ? nodes_[path[text.size() - 1]].token : key.token;
      nodes_[path.back()].token = key.token;
      before = text;
    }
  }

  std::uint32_t add_node(std::uint32_t parent, char label) {
    PlainNode node;
    node.parent = parent;
    node.token = nodes_[parent].token;
    node.label = static_cast<std::uint8_t>(label);
    node.depth = static_cast<std::uint8_t>(std::min(4, nodes_[parent].depth + 1));
    nodes_.push_back(node);
    return static_cast<std::uint32_t>(nodes_.size()) - 1;
  }

  // Counting sort by parent; preorder keeps the labels in order.
  void gather_children() {
    first_child_.assign(nodes_.size() + 1, 0);
    for (std::size_t node = 1; node < nodes_.size(); ++node) {
      ++first_child_[nodes_[node].parent + 1];
    }
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      first_child_[node + 1] += first_child_[node];
    }
    children_.resize(nodes_.size() - 1);
    std::vector<std::uint32_t> next(first_child_.begin(), first_child_.end() - 1);
    for (std::uint32_t node = 1; node < nodes_.size(); ++node) {
      children_[next[nodes_[node].parent]++] = node;
    }
  }

  std::span<const std::uint32_t> children_of(std::uint32_t node) const {
    return std::span(children_).subspan(first_child_[node],
                                        first_child_[node + 1] - first_child_[node]);
  }

  // The root and the single bytes are never walked through: the entry tables skip them.
  void place_children() {
    std::vector<std::uint8_t> labels;
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
      const auto children = children_of(node);
      if (children.empty() || nodes_[node].depth < 2) {
        continue;
      }
      labels.clear();
      for (const std::uint32_t child : children) {
        labels.push_back(nodes_[child].label);
      }
      nodes_[node].base = slots_.place(labels);
      for (const std::uint32_t child : children) {
        nodes_[child].slot = nodes_[node].base ^ nodes_[child].label;
      }
    }
  }

  TokenTrie::Node packed(std::uint32_t node) const {
    return TokenTrie::make_node(nodes_[node].label, nodes_[node].base, nodes_[node].token);
  }

  void write_nodes() {
    constexpr std::uint32_t kNoLabel = 256;
    // Base 0 of childless nodes is looked up too, so there is always a first block.
    trie_.nodes_.assign(std::max<std::size_t>(slots_.size(), 256),
                        TokenTrie::make_node(kNoLabel, 0, 0));
    for (std::uint32_t node = 1; node < nodes_.size(); ++node) {
      if (nodes_[node].depth > 2) {
        trie_.nodes_[nodes_[node].slot] = packed(node);
      }
    }
  }

  void fill_entries() {
    for (const std::uint32_t child : children_of(0)) {
      trie_.one_byte_[nodes_[child].label] = nodes_[child].token;
    }
    trie_.two_bytes_.resize(std::size_t{1} << 16);
    trie_.three_bytes_.resize(std::size_t{1} << 16);
    for (std::uint32_t first = 0; first < 256; ++first) {
      std::fill_n(trie_.two_bytes_.begin() + (first << 8), 256,
                  TokenTrie::make_node(0, 0, trie_.one_byte_[first]));
    }
    for (const std::uint32_t first : children_of(0)) {
      for (const std::uint32_t second : children_of(first)) {
        trie_.two_bytes_[nodes_[first].label << 8 | nodes_[second].label] = packed(second);
      }
    }
    fill_three_byte_entries();
  }

  void fill_three_byte_entries() {
    for (std::uint32_t i = 0; i < trie_.three_bytes_.size(); ++i) {
      const std::uint32_t first_two = (0xE0 | i >> 12) << 8 | (0x80 | (i >> 6 & 0x3F));
      const std::uint32_t token = TokenTrie::token_of(trie_.two_bytes_[first_two]);
      trie_.three_bytes_[i] = TokenTrie::make_node(0, 0, token);
    }
    for (const std::uint32_t first : children_of(0)) {
      if ((nodes_[first].label & 0xF0) != 0xE0) {
        continue;
      }
      for (const std::uint32_t second : children_of(first)) {
        for (const std::uint32_t third : children_of(second)) {
          set_three_byte_entry(first, second, third);
        }
      }
    }
  }

  void set_three_byte_entry(std::uint32_t first, std::uint32_t second, std::uint32_t third) {
    if ((nodes_[second].label & 0xC0) == 0x80 && (nodes_[third].label & 0xC0) == 0x80) {
      trie_.three_bytes_[TokenTrie::three_byte_index(nodes_[first].label, nodes_[second].label,
                                                     nodes_[third].label)] = packed(third);
    }
  }

  const TokenTexts& texts_;
  TokenTrie& trie_;
  std::vector<PlainNode> nodes_;
  std::vector<std::uint32_t> first_child_;  // per node, into children_; one more at the end
  std::vector<std::uint32_t> children_;
  SlotAllocator slots_;
};

TokenTrie::TokenTrie(const TokenTexts& texts) {
  TrieBuilder(texts, *this).build();
}

bool TokenTrie::is_sound(std::uint32_t tokens) const {
  constexpr std::size_t kEntries = std::size_t{1} << 16;
  constexpr std::size_t kBlock = 256;  // a base and its slots share a block
  if (nodes_.empty() || nodes_.size() % kBlock != 0 || two_bytes_.size() != kEntries ||
      three_bytes_.size() != kEntries) {
    return false;
  }
  const auto all_sound = [&](const std::vector<Node>& nodes) {
    std::uint32_t base_max = 0;
    std::uint32_t token_max = 0;
    for (const Node node : nodes) {
      base_max = std::max(base_max, base_of(node));
      token_max = std::max(token_max, token_of(node));
    }
    return base_max < nodes_.size() && token_max < tokens;
  };
  return all_sound(nodes_) && all_sound(two_bytes_) && all_sound(three_bytes_) &&
         *std::max_element(one_byte_.begin(), one_byte_.end()) < tokens;
}

}  // namespace weir::tokenizer
