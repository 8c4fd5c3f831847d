#include "plamo2_model.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "plain_tokens.h"
#include "repair_utf8.h"
#include "utf8_length.h"

namespace weir::tokenizer {
namespace {

constexpr double kStepsOfScore = 1e4;
constexpr std::int64_t kCostMax = 20'000'000;      // a token of that or more is not used
constexpr std::int64_t kUnknownCost = 10'000'000;  // of a character as its bytes
constexpr std::int64_t kUnreached = std::int64_t{1} << 60;
constexpr std::uint32_t kAsBytes = UINT32_MAX;
constexpr std::string_view kByteOrderMark = "\uFEFF";  // dropped at the start

std::optional<std::uint32_t> byte_of(std::string_view token) {
  std::uint32_t byte = 0;
  if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') {
    return std::nullopt;
  }
  const auto [end, error] = std::from_chars(token.data() + 3, token.data() + 5, byte, 16);
  return error == std::errc{} && end == token.data() + 5 ? std::optional(byte) : std::nullopt;
}

// kCostMax or more when the token cannot be used.
std::int64_t cost_of(float score) {
  const double steps = std::round(static_cast<double>(score) * kStepsOfScore);
  return std::isfinite(score) && std::abs(steps) < kCostMax ? -static_cast<std::int64_t>(steps)
                                                            : kCostMax;
}

struct Best {
  std::int64_t cost = kUnreached;
  std::uint64_t tokens = 0;
};

struct Step {
  std::int64_t cost = kUnreached;
  std::size_t to = 0;
  std::uint32_t token = kAsBytes;
};

std::string_view without_mark(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

}  // namespace

base::Result<std::shared_ptr<const Plamo2Model>> Plamo2Model::build(const GgufHeader& header) {
  auto tokens = plain_tokens(header);
  if (!tokens) {
    return std::move(tokens).error();
  }
  std::vector<std::int64_t> costs(header.tokens.size(), kCostMax);
  ByteIds byte_ids{};
  for (const TextTrie::Entry& entry : *tokens) {
    const bool is_byte = type_of(header, entry.value) == GgufHeader::kByte;
    if (const auto byte = is_byte ? byte_of(entry.text) : std::nullopt) {
      byte_ids[*byte] = entry.value;
    } else if (!is_byte) {
      costs[entry.value] =
          cost_of(entry.value < header.scores.size() ? header.scores[entry.value] : 0);
    }
  }
  if (std::count(byte_ids.begin(), byte_ids.end(), 0U) > 0) {
    return base::Error{base::ErrorCode::kBadConfig,
                       "tokenizer.ggml.tokens has not a token for each byte"};
  }
  std::erase_if(*tokens, [&](const auto& entry) { return costs[entry.value] >= kCostMax; });
  return std::shared_ptr<const Plamo2Model>(
      new Plamo2Model(TextTrie(*std::move(tokens)), std::move(costs), byte_ids));
}

template <class OnPlace, class OnStep>
void Plamo2Model::walk_back(std::string_view text, OnPlace on_place, OnStep on_step) const {
  const char* end = text.data() + text.size();
  for (std::size_t at = text.size(); at > 0;) {
    --at;
    while (at > 0 && (static_cast<std::uint8_t>(text[at]) & 0xC0) == 0x80) {
      --at;
    }
    on_place(at, utf8_length(text[at]));
    tokens_.for_each_match(text.data() + at, end, [&](std::uint32_t token, std::size_t bytes) {
      on_step(at + bytes, token, costs_[token]);
    });
  }
}

// Only the places that a token can reach are kept, in a ring. Of equal ways the one with the longer
// token is taken; bytes only when they are better.
std::uint64_t Plamo2Model::count(std::string_view text, Work& work) const {
  text = without_mark(repair_utf8(text, work.repaired));
  constexpr std::size_t kCharBytesMax = 4;
  std::vector<Best> ring(std::bit_ceil(std::max(tokens_.longest_bytes(), kCharBytesMax) + 1));
  const std::size_t mask = ring.size() - 1;
  ring[text.size() & mask] = {0, 0};
  std::size_t here = 0;
  walk_back(
      text,
      [&](std::size_t at, std::size_t bytes) {
        here = at & mask;
        const Best& next = ring[(at + bytes) & mask];
        ring[here] = {next.cost + kUnknownCost, next.tokens + bytes};
      },
      [&](std::size_t to, std::uint32_t, std::int64_t cost) {
        const Best& next = ring[to & mask];
        if (next.cost + cost <= ring[here].cost) {
          ring[here] = {next.cost + cost, next.tokens + 1};
        }
      });
  return ring[0].tokens;
}

void Plamo2Model::encode(std::string_view text, Work& work, std::vector<std::uint32_t>& out) const {
  text = without_mark(repair_utf8(text, work.repaired));
  std::vector<Step> steps(text.size() + 1);
  steps[text.size()].cost = 0;
  std::size_t here = 0;
  walk_back(
      text,
      [&](std::size_t at, std::size_t bytes) {
        here = at;
        steps[at] = {steps[at + bytes].cost + kUnknownCost, at + bytes, kAsBytes};
      },
      [&](std::size_t to, std::uint32_t token, std::int64_t cost) {
        if (steps[to].cost + cost <= steps[here].cost) {
          steps[here] = {steps[to].cost + cost, to, token};
        }
      });
  for (std::size_t at = 0; at < text.size(); at = steps[at].to) {
    if (steps[at].token != kAsBytes) {
      out.push_back(steps[at].token);
      continue;
    }
    for (std::size_t byte = at; byte < steps[at].to; ++byte) {
      out.push_back(byte_ids_[static_cast<std::uint8_t>(text[byte])]);
    }
  }
}

}  // namespace weir::tokenizer
