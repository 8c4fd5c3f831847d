#include "text_trie.h"

#include <algorithm>
#include <utility>

#include "slot_allocator.h"

namespace weir::tokenizer {

class TextTrieBuilder {
 public:
  using Entry = TextTrie::Entry;
  using Node = TextTrie::Node;

  TextTrieBuilder(std::vector<Entry> entries, TextTrie& trie)
      : entries_(std::move(entries)), trie_(trie) {
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.text < b.text; });
  }

  void build() {
    trie_.nodes_.resize(256);  // also for base 0 of nodes without children
    std::vector<Branch> open = {{0, entries_.size(), 0, kRoot}};
    while (!open.empty()) {
      Branch branch = open.back();
      open.pop_back();
      take_ends(branch);
      place_children(branch, open);
    }
  }

 private:
  // The sorted entries from `first` up to `last` share their first `depth` bytes and stand below
  // the node in `slot`.
  struct Branch {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t depth = 0;
    std::uint32_t slot = 0;
  };
  static constexpr std::uint32_t kRoot = UINT32_MAX;

  Node& node(std::uint32_t slot) { return slot == kRoot ? trie_.root_ : trie_.nodes_[slot]; }

  // Texts that end at this node; of equal ones the last stays.
  void take_ends(Branch& branch) {
    while (branch.first < branch.last && entries_[branch.first].text.size() == branch.depth) {
      if (branch.depth > 0) {
        std::uint32_t& rest = node(branch.slot).rest;
        rest = (rest & TextTrie::kLabelMask) | (entries_[branch.first].value + 1)
                                                   << TextTrie::kLabelBits;
        trie_.longest_bytes_ = std::max(trie_.longest_bytes_, branch.depth);
      }
      ++branch.first;
    }
  }

  void place_children(const Branch& branch, std::vector<Branch>& open) {
    std::vector<std::uint8_t> labels;
    const std::size_t before = open.size();
    for (std::size_t at = branch.first; at < branch.last; ++at) {
      const auto label = static_cast<std::uint8_t>(entries_[at].text[branch.depth]);
      if (labels.empty() || labels.back() != label) {
        labels.push_back(label);
        open.push_back({at, at, branch.depth + 1, 0});
      }
      open.back().last = at + 1;
    }
    if (labels.empty()) {
      return;
    }
    const std::uint32_t base = slots_.place(labels);
    trie_.nodes_.resize(std::max<std::size_t>(trie_.nodes_.size(), slots_.size()));
    node(branch.slot).base = base;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const std::uint32_t slot = base ^ labels[i];
      trie_.nodes_[slot].rest = labels[i];
      open[before + i].slot = slot;
    }
  }

  std::vector<Entry> entries_;
  TextTrie& trie_;
  SlotAllocator slots_;
};

TextTrie::TextTrie(std::vector<Entry> entries) {
  TextTrieBuilder(std::move(entries), *this).build();
}

}  // namespace weir::tokenizer
