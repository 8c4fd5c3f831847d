#pragma once

// Finds the longest token at a place in a text. Built once, then read by any thread.
//
// A double array: the child of a node for byte b is at `base ^ b`, and is a child of that node if
// its label is b. Each node has a base of its own, so the label is proof enough. The first two
// bytes, or three of a three-byte character, are one step through a table.

#include <array>
#include <cstdint>
#include <vector>

#include "vocabulary.h"

namespace weir::tokenizer {

class TokenTrie {
 public:
  TokenTrie() = default;  // of no use before its tables are read
  explicit TokenTrie(const TokenTexts& texts);

  // The longest token that starts at `p` and ends at or before `end`; p < end.
  std::uint32_t longest(const std::uint8_t* p, const std::uint8_t* end) const {
    Node node;
    if (end - p >= 3 && (p[0] & 0xF0) == 0xE0 && (p[1] & 0xC0) == 0x80 && (p[2] & 0xC0) == 0x80) {
      node = three_bytes_[three_byte_index(p[0], p[1], p[2])];
      p += 3;
    } else if (end - p >= 2) {
      node = two_bytes_[p[0] << 8 | p[1]];
      p += 2;
    } else {
      return one_byte_[p[0]];
    }
    while (p < end) {
      const Node child = nodes_[base_of(node) ^ *p];
      if (label_of(child) != *p) {
        break;
      }
      node = child;
      ++p;
    }
    return token_of(node);
  }

  // For each token the longest other token that it starts with; for single bytes themselves.
  // Filled by the constructor; the caller takes it away.
  std::vector<std::uint32_t> take_prefixes() { return std::move(prefixes_); }

  std::size_t node_count() const { return nodes_.size(); }

  // table_archive.h. `take_prefixes` has nothing afterwards.
  template <class Self, class Archive>
  static void tables(Self& self, Archive& archive) {
    archive(self.nodes_);
    archive(self.two_bytes_);
    archive(self.three_bytes_);
    archive(self.one_byte_);
  }
  // Whether `longest` stays within the tables and gives numbers below `tokens`, whatever else the
  // tables say. The token may be longer than the text.
  bool is_sound(std::uint32_t tokens) const;

 private:
  friend class TrieBuilder;

  // label 16 bits (256: no node here), base 24, the longest token that ends here or before 24
  using Node = std::uint64_t;
  static Node make_node(std::uint32_t label, std::uint32_t base, std::uint32_t token) {
    return label | std::uint64_t{base} << 16 | std::uint64_t{token} << 40;
  }
  static std::uint32_t label_of(Node node) { return static_cast<std::uint32_t>(node & 0xFFFF); }
  static std::uint32_t base_of(Node node) {
    return static_cast<std::uint32_t>(node >> 16 & 0xFFFFFF);
  }
  static std::uint32_t token_of(Node node) { return static_cast<std::uint32_t>(node >> 40); }
  static std::uint32_t three_byte_index(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return (a & 0x0F) << 12 | (b & 0x3F) << 6 | (c & 0x3F);
  }

  std::vector<Node> nodes_;
  std::vector<Node> two_bytes_;    // where a walk is after two bytes
  std::vector<Node> three_bytes_;  // the same after a character of three bytes
  std::array<std::uint32_t, 256> one_byte_{};
  std::vector<std::uint32_t> prefixes_;
};

}  // namespace weir::tokenizer
