#include "heap_merge.h"

#include <queue>

#include "bpe.h"

namespace weir::tokenizer {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

// The piece as a linked list of tokens; a node is named by its first byte.
class Merger {
 public:
  Merger(const Bpe& bpe, std::string_view piece, std::span<const std::uint32_t> order)
      : bpe_(bpe), order_(order), nodes_(piece.size()) {
    const auto bytes = static_cast<std::uint32_t>(piece.size());
    for (std::uint32_t i = 0; i < bytes; ++i) {
      const std::uint32_t token = bpe.byte_token(static_cast<std::uint8_t>(piece[i]));
      nodes_[i] = {token, i == 0 ? kNone : i - 1, i + 1 == bytes ? kNone : i + 1};
    }
    for (std::uint32_t i = 0; i < bytes; ++i) {
      offer(i);
    }
  }

  void run() {
    while (!queue_.empty()) {
      const std::uint64_t entry = queue_.top();
      queue_.pop();
      const auto at = static_cast<std::uint32_t>(entry);
      const std::uint32_t token = merged_at(at);
      if (token != kNone && time_of(token) == entry >> 32) {  // else it is out of date
        join(at, token);
      }
    }
  }

  std::size_t write(std::uint32_t* tokens) const {
    std::size_t count = 0;
    for (std::uint32_t at = 0; at != kNone; at = nodes_[at].next) {
      tokens[count++] = nodes_[at].token;
    }
    return count;
  }

 private:
  struct Node {
    std::uint32_t token = kNone;  // kNone: merged into the node before
    std::uint32_t before = kNone;
    std::uint32_t next = kNone;
  };

  std::uint32_t time_of(std::uint32_t token) const {
    return order_.empty() ? bpe_.published(token) : order_[token];
  }

  // What the node and the next one merge into.
  std::uint32_t merged_at(std::uint32_t at) const {
    const Node& node = nodes_[at];
    if (node.token == kNone || node.next == kNone) {
      return kNone;
    }
    return bpe_.merged(node.token, nodes_[node.next].token);
  }

  void offer(std::uint32_t at) {
    const std::uint32_t token = merged_at(at);
    if (token != kNone) {
      queue_.push(std::uint64_t{time_of(token)} << 32 | at);
    }
  }

  void join(std::uint32_t at, std::uint32_t token) {
    Node& node = nodes_[at];
    Node& eaten = nodes_[node.next];
    eaten.token = kNone;
    node.token = token;
    node.next = eaten.next;
    if (node.next != kNone) {
      nodes_[node.next].before = at;
    }
    offer(at);
    if (node.before != kNone) {
      offer(node.before);
    }
  }

  const Bpe& bpe_;
  std::span<const std::uint32_t> order_;
  std::vector<Node> nodes_;
  // time of the merge << 32 | its place; smallest first
  std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> queue_;
};

}  // namespace

std::size_t heap_merge(const Bpe& bpe, std::string_view piece, std::uint32_t* tokens,
                       std::span<const std::uint32_t> order) {
  Merger merger(bpe, piece, order);
  merger.run();
  return merger.write(tokens);
}

}  // namespace weir::tokenizer
