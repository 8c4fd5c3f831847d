#pragma once

// Finds those of many texts that a place in a text starts with. Built once, then read by any
// thread.
//
// A double array: the child of a node for byte b is at `base ^ b`, and is a child of that node if
// its label is b; each node has a base of its own, so the label is proof enough. TokenTrie is the
// faster relative for vocabularies in which every byte is a token.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace weir::tokenizer {

class TextTrie {
 public:
  static constexpr std::uint32_t kValuesMax = (1U << 23) - 1;

  struct Entry {
    std::string_view text;    // an empty one is passed over
    std::uint32_t value = 0;  // below kValuesMax
  };
  // Of equal texts the last one counts.
  explicit TextTrie(std::vector<Entry> entries);

  // Calls `on_match(value, bytes)` for every text that [p, end) starts with, the shortest first.
  template <class OnMatch>
  void for_each_match(const char* p, const char* end, OnMatch on_match) const {
    Node node = root_;
    for (const char* at = p; at < end; ++at) {
      const auto byte = static_cast<std::uint8_t>(*at);
      node = nodes_[node.base ^ byte];
      if ((node.rest & kLabelMask) != byte) {
        return;
      }
      if (const std::uint32_t value = node.rest >> kLabelBits; value != 0) {
        on_match(value - 1, static_cast<std::size_t>(at + 1 - p));
      }
    }
  }

  struct Match {
    std::uint32_t value = 0;
    std::size_t bytes = 0;  // 0: there is none
  };
  Match longest(const char* p, const char* end) const {
    Match match;
    for_each_match(p, end, [&](std::uint32_t value, std::size_t bytes) { match = {value, bytes}; });
    return match;
  }

  // How many bytes of [p, end) some text starts with, be it longer or not.
  std::size_t common_bytes(const char* p, const char* end) const {
    Node node = root_;
    const char* at = p;
    for (; at < end; ++at) {
      const auto byte = static_cast<std::uint8_t>(*at);
      node = nodes_[node.base ^ byte];
      if ((node.rest & kLabelMask) != byte) {
        break;
      }
    }
    return static_cast<std::size_t>(at - p);
  }

  // Of the longest text, in bytes.
  std::size_t longest_bytes() const { return longest_bytes_; }

 private:
  static constexpr std::uint32_t kLabelBits = 9;
  static constexpr std::uint32_t kLabelMask = (1U << kLabelBits) - 1;
  static constexpr std::uint32_t kNoLabel = 256;

  struct Node {
    std::uint32_t base = 0;
    std::uint32_t rest = kNoLabel;  // the label, above it the value + 1, 0 when no text ends here
  };

  friend class TextTrieBuilder;

  Node root_;
  std::vector<Node> nodes_;
  std::size_t longest_bytes_ = 0;
};

}  // namespace weir::tokenizer
