#include "gguf_vocabulary.h"

#include <algorithm>
#include <utility>

#include "byte_alphabet.h"
#include "merge_choice.h"
#include "text_index.h"

namespace weir::tokenizer {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;
// Comparisons in merging tokens by the definition. Llama 3 needs 8 million.
constexpr std::uint64_t kStepsMax = 2'000'000'000;
constexpr int kPassesMax = 64;

base::Error bad(std::string what) {
  return {base::ErrorCode::kBadConfig, std::move(what)};
}

class Builder {
 public:
  explicit Builder(const GgufHeader& header) : header_(header), index_(header.tokens) {}

  base::Result<GgufVocabulary> build() {
    if (header_.tokens.size() == 0 || header_.merges.size() == 0) {
      return bad("the file has no tokens or no merges (tokenizer.ggml.tokens, .merges)");
    }
    if (index_.is_overfull()) {
      return bad("tokenizer.ggml.tokens is damaged");
    }
    number_bytes();
    list_merges();
    choose_merges();
    if (chosen_.size() > kTokensMax - kByteTokens) {
      return bad("the vocabulary has more than " + std::to_string(kTokensMax) + " tokens");
    }
    if (auto numbered = number_merges(); !numbered) {
      return std::move(numbered).error();
    }
    return std::move(out_);
  }

 private:
  void number_bytes() {
    out_.model_ids.resize(kByteTokens);
    for (std::uint32_t byte = 0; byte < kByteTokens; ++byte) {
      out_.vocabulary.bytes[byte] = static_cast<std::uint8_t>(byte);
      out_.model_ids[byte] = index_.find(byte_letter(static_cast<std::uint8_t>(byte)));
      out_.is_dropped[byte] = out_.model_ids[byte] == kNone;
    }
  }

  void list_merges() {
    std::string product;
    listed_.reserve(header_.merges.size());
    for (std::size_t i = 0; i < header_.merges.size(); ++i) {
      const std::string_view text = header_.merges[i];
      const std::size_t space = text.find(' ', 1);
      ListedMerge merge{kNone, kNone, kNone};
      if (space != std::string_view::npos && space + 1 < text.size()) {
        product.assign(text.substr(0, space)).append(text.substr(space + 1));
        merge = {index_.find(text.substr(0, space)), index_.find(text.substr(space + 1)),
                 index_.find(product)};
      }
      if (merge.left == kNone || merge.right == kNone || merge.product == kNone) {
        ++out_.unknown_merges;
        merge = {kNone, kNone, kNone};
      }
      listed_.push_back(merge);
    }
  }

  // One merge a product, in the order of the list.
  void choose_merges() {
    std::vector<std::uint8_t> times(header_.tokens.size());
    for (const ListedMerge& merge : listed_) {
      if (merge.product != kNone && times[merge.product] < 2) {
        ++times[merge.product];
      }
    }
    const bool has_choice = std::find(times.begin(), times.end(), 2) != times.end();
    const MergeChoice choice(has_choice ? std::span<const ListedMerge>(listed_)
                                        : std::span<const ListedMerge>());
    std::uint64_t steps = kStepsMax;
    for (std::uint32_t rank = 0; rank < listed_.size(); ++rank) {
      const std::uint32_t product = listed_[rank].product;
      if (product == kNone || times[product] == 0) {
        continue;
      }
      if (times[product] == 1) {
        chosen_.push_back(rank);
        continue;
      }
      times[product] = 0;  // this is the first of several
      const std::uint32_t last = choice.last_merge(byte_ids(header_.tokens[product]), steps);
      if (last != kNone) {
        chosen_.push_back(last);
      }
    }
    std::sort(chosen_.begin(), chosen_.end());
  }

  // Empty when the text is not of the alphabet, too long or has a byte that is no token.
  std::vector<std::uint32_t> byte_ids(std::string_view letters) const {
    std::vector<std::uint32_t> ids;
    const auto bytes = bytes_of_letters(letters);
    if (!bytes || bytes->size() > kTokenBytesMax) {
      return ids;
    }
    for (const char byte : *bytes) {
      ids.push_back(out_.model_ids[static_cast<std::uint8_t>(byte)]);
      if (ids.back() == kNone) {
        return {};
      }
    }
    return ids;
  }

  // Our numbers. A merge with a part that never comes to be is taken out, with all that need it.
  base::Result<void> number_merges() {
    std::vector<std::uint32_t> number(header_.tokens.size(), kNone);
    for (std::uint32_t byte = 0; byte < kByteTokens; ++byte) {
      if (!out_.is_dropped[byte]) {
        number[out_.model_ids[byte]] = byte;
      }
    }
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
      number[listed_[chosen_[i]].product] = kByteTokens + i;
    }
    std::vector<std::uint32_t> impossible;
    for (const std::uint32_t rank : chosen_) {
      const ListedMerge& merge = listed_[rank];
      Pair parts{number[merge.left], number[merge.right]};
      if (parts.left == kNone || parts.right == kNone) {
        impossible.push_back(number[merge.product]);
        parts = {0, 0};
      }
      out_.vocabulary.merges.push_back(parts);
      out_.model_ids.push_back(merge.product);
    }
    return remove_tokens(impossible, out_);
  }

  const GgufHeader& header_;
  TextIndex index_;
  std::vector<ListedMerge> listed_;
  std::vector<std::uint32_t> chosen_;  // ranks, rising
  GgufVocabulary out_;
};

}  // namespace

base::Result<GgufVocabulary> gguf_vocabulary(const GgufHeader& header) {
  return Builder(header).build();
}

std::unordered_map<std::string, std::uint32_t> tokens_without_merges(
    const GgufHeader& header, const GgufVocabulary& vocabulary) {
  std::vector<bool> is_made(header.tokens.size());
  for (const std::uint32_t id : vocabulary.model_ids) {
    if (id != GgufVocabulary::kNoId) {
      is_made[id] = true;
    }
  }
  const auto is_dropped = [&](char byte) {
    return vocabulary.is_dropped[static_cast<std::uint8_t>(byte)];
  };
  std::unordered_map<std::string, std::uint32_t> texts;
  for (std::uint32_t id = 0; id < header.tokens.size(); ++id) {
    if (is_made[id]) {
      continue;
    }
    auto bytes = bytes_of_letters(header.tokens[id]);
    if (bytes && !bytes->empty() && std::none_of(bytes->begin(), bytes->end(), is_dropped)) {
      texts.emplace(*std::move(bytes), id);
    }
  }
  return texts;
}

base::Result<void> remove_tokens(const std::vector<std::uint32_t>& tokens,
                                 GgufVocabulary& vocabulary) {
  std::vector<Pair>& merges = vocabulary.vocabulary.merges;
  std::vector<bool> is_removed(vocabulary.vocabulary.size());
  for (const std::uint32_t token : tokens) {
    is_removed[token] = true;
  }
  bool goes_on = !tokens.empty();
  for (int pass = 0; goes_on; ++pass) {
    if (pass == kPassesMax) {
      return bad("tokenizer.ggml.merges is damaged: too many need others that are not there");
    }
    goes_on = false;
    for (std::uint32_t i = 0; i < merges.size(); ++i) {
      if (!is_removed[kByteTokens + i] &&
          (is_removed[merges[i].left] || is_removed[merges[i].right])) {
        is_removed[kByteTokens + i] = goes_on = true;
      }
    }
  }
  std::vector<std::uint32_t> number(is_removed.size());
  std::uint32_t next = 0;
  for (std::uint32_t token = 0; token < is_removed.size(); ++token) {
    number[token] = next;
    next += is_removed[token] ? 0 : 1;
  }
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < merges.size(); ++i) {
    if (!is_removed[kByteTokens + i]) {
      vocabulary.model_ids[kByteTokens + kept] = vocabulary.model_ids[kByteTokens + i];
      merges[kept++] = {number[merges[i].left], number[merges[i].right]};
    }
  }
  merges.resize(kept);
  vocabulary.model_ids.resize(kByteTokens + kept);
  return {};
}

}  // namespace weir::tokenizer
