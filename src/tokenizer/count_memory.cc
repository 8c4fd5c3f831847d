#include "weir/tokenizer/count_memory.h"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <span>

namespace weir::tokenizer {
namespace {

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};

const std::uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

}  // namespace

CountMemory::CountMemory() : has_key_(RAND_bytes(key_.data(), static_cast<int>(key_.size())) == 1) {
}

// AES-GCM with nothing to encrypt is GHASH of the additional data, masked by a constant of the key.
std::optional<CountMemory::Tag> CountMemory::tag_of(std::uint64_t vocabulary,
                                                    std::string_view text) const {
  static_assert(sizeof(Tag) == 16);
  constexpr std::array<std::uint8_t, 12> kNonce{};
  const std::unique_ptr<EVP_CIPHER_CTX, FreeContext> context(EVP_CIPHER_CTX_new());
  const std::array<std::uint64_t, 2> front{vocabulary, 0};  // a whole block
  std::array<std::uint8_t, sizeof front> block{};
  std::memcpy(block.data(), front.data(), sizeof front);
  Tag tag{};
  int ignored = 0;
  const bool done =
      has_key_ && context != nullptr && text.size() <= std::numeric_limits<int>::max() &&
      EVP_EncryptInit_ex(context.get(), EVP_aes_128_gcm(), nullptr, key_.data(), kNonce.data()) ==
          1 &&
      EVP_EncryptUpdate(context.get(), nullptr, &ignored, block.data(), block.size()) == 1 &&
      EVP_EncryptUpdate(context.get(), nullptr, &ignored, bytes_of(text),
                        static_cast<int>(text.size())) == 1 &&
      EVP_EncryptFinal_ex(context.get(), nullptr, &ignored) == 1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, sizeof tag, tag.data()) == 1;
  return done ? std::optional(tag) : std::nullopt;
}

CountMemory::Entry* CountMemory::places_of(const Tag& tag) {
  if (entries_.empty()) {
    entries_.resize(kTextsMax);
  }
  return &entries_[tag[0] % (kTextsMax / kWays) * kWays];
}

std::optional<std::uint64_t> CountMemory::find(const Tag& tag) {
  const base::MutexLock lock(mutex_);
  for (Entry& entry : std::span(places_of(tag), kWays)) {
    if (entry.used_at != 0 && entry.tag == tag) {
      entry.used_at = ++clock_;
      return entry.tokens;
    }
  }
  return std::nullopt;
}

void CountMemory::store(const Tag& tag, std::uint64_t tokens) {
  const base::MutexLock lock(mutex_);
  const std::span<Entry> places(places_of(tag), kWays);
  const auto oldest =
      std::min_element(places.begin(), places.end(),
                       [](const Entry& a, const Entry& b) { return a.used_at < b.used_at; });
  *oldest = {tag, tokens, ++clock_};
}

}  // namespace weir::tokenizer
