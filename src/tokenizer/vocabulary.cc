#include "vocabulary.h"

#include <bitset>
#include <cstring>
#include <utility>

namespace weir::tokenizer {
namespace {

constexpr std::string_view kMagic = "BPEPAIR1";
constexpr std::size_t kHeadBytes = 8 + 4 + kByteTokens;
constexpr std::size_t kPlanes = 6;
constexpr std::size_t kBlobBytesMax = std::size_t{64} << 20;

base::Error damaged(std::string_view what) {
  return {base::ErrorCode::kBadConfig, "vocabulary file is damaged: " + std::string(what)};
}

std::uint32_t byte_at(std::string_view file, std::size_t at) {
  return static_cast<std::uint8_t>(file[at]);
}

std::uint32_t little_endian_u32(std::string_view file, std::size_t at) {
  return byte_at(file, at) | byte_at(file, at + 1) << 8 | byte_at(file, at + 2) << 16 |
         byte_at(file, at + 3) << 24;
}

bool read_bytes(std::string_view file, Vocabulary& vocabulary) {
  std::bitset<kByteTokens> seen;
  for (std::size_t token = 0; token < kByteTokens; ++token) {
    vocabulary.bytes[token] = static_cast<std::uint8_t>(byte_at(file, 12 + token));
    seen.set(vocabulary.bytes[token]);
  }
  return seen.all();
}

}  // namespace

base::Result<Vocabulary> read_bpe_pairs(std::string_view file) {
  if (file.size() < kHeadBytes || !file.starts_with(kMagic)) {
    return damaged("no BPEPAIR1 header");
  }
  const std::uint32_t tokens = little_endian_u32(file, kMagic.size());
  if (tokens < kByteTokens || tokens > kTokensMax) {
    return damaged("number of tokens out of range");
  }
  const std::size_t merges = tokens - kByteTokens;
  if (file.size() != kHeadBytes + kPlanes * merges) {
    return damaged("size does not fit the number of tokens");
  }
  Vocabulary vocabulary;
  if (!read_bytes(file, vocabulary)) {
    return damaged("a byte has two tokens");
  }
  vocabulary.merges.resize(merges);
  const std::string_view planes = file.substr(kHeadBytes);
  for (std::size_t i = 0; i < merges; ++i) {
    const auto number = [&](std::size_t plane) {
      return byte_at(planes, plane * merges + i) | byte_at(planes, (plane + 1) * merges + i) << 8 |
             byte_at(planes, (plane + 2) * merges + i) << 16;
    };
    vocabulary.merges[i] = {number(0), number(3)};
    if (vocabulary.merges[i].left >= tokens || vocabulary.merges[i].right >= tokens) {
      return damaged("a merge of unknown tokens");
    }
  }
  return vocabulary;
}

base::Result<TokenTexts> TokenTexts::build(const Vocabulary& vocabulary) {
  TokenTexts texts;
  texts.starts_.reserve(vocabulary.size() + std::size_t{1});
  texts.blob_.reserve(vocabulary.size() * std::size_t{9});
  for (const std::uint8_t byte : vocabulary.bytes) {
    texts.starts_.push_back(static_cast<std::uint32_t>(texts.blob_.size()));
    texts.blob_.push_back(static_cast<char>(byte));
  }
  texts.starts_.push_back(static_cast<std::uint32_t>(texts.blob_.size()));
  for (const Pair& merge : vocabulary.merges) {
    const std::string_view left = texts[merge.left];
    const std::string_view right = texts[merge.right];
    const std::size_t bytes = left.size() + right.size();
    if (bytes > kTokenBytesMax || texts.blob_.size() + bytes > kBlobBytesMax) {
      return damaged("a token is too long");
    }
    const std::size_t start = texts.blob_.size();
    texts.blob_.resize(start + bytes);  // may move the blob: the views are read again below
    std::memcpy(texts.blob_.data() + start, texts[merge.left].data(), texts[merge.left].size());
    std::memcpy(texts.blob_.data() + start + texts[merge.left].size(), texts[merge.right].data(),
                texts[merge.right].size());
    texts.starts_.push_back(static_cast<std::uint32_t>(start + bytes));
  }
  return texts;
}

}  // namespace weir::tokenizer
