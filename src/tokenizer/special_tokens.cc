#include "special_tokens.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace weir::tokenizer {
namespace {

std::uint8_t byte_of(char c) {
  return static_cast<std::uint8_t>(c);
}

std::optional<SpecialToken> read_line(std::string_view line) {
  SpecialToken token;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), token.id);
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  constexpr std::string_view kControl = "\tcontrol\t";
  constexpr std::string_view kUser = "\tuser\t";
  const bool is_user = line.starts_with(kUser);
  if (error != std::errc{} || (!is_user && !line.starts_with(kControl))) {
    return std::nullopt;
  }
  token.kind = is_user ? SpecialToken::Kind::kUser : SpecialToken::Kind::kControl;
  token.text = line.substr(is_user ? kUser.size() : kControl.size());
  return token.text.empty() ? std::nullopt : std::optional(std::move(token));
}

}  // namespace

base::Result<std::vector<SpecialToken>> read_special_tokens(std::string_view tsv) {
  std::vector<SpecialToken> tokens;
  while (!tsv.empty()) {
    const std::size_t end = std::min(tsv.find('\n'), tsv.size());
    std::optional<SpecialToken> token = read_line(tsv.substr(0, end));
    if (!token) {
      return base::Error{base::ErrorCode::kBadConfig, "list of special tokens is damaged"};
    }
    tokens.push_back(*std::move(token));
    tsv.remove_prefix(std::min(end + 1, tsv.size()));
  }
  return tokens;
}

Tokenizer::SpecialFinder::SpecialFinder(std::vector<SpecialToken> tokens) {
  std::erase_if(tokens, [](const SpecialToken& token) { return token.text.empty(); });
  std::sort(tokens.begin(), tokens.end(),
            [](const SpecialToken& a, const SpecialToken& b) { return a.text < b.text; });
  for (SpecialToken& token : tokens) {
    std::size_t shorter = entries_.empty() ? kNone : entries_.size() - 1;
    while (shorter != kNone && !token.text.starts_with(entries_[shorter].token.text)) {
      shorter = entries_[shorter].shorter;
    }
    is_first_byte_[byte_of(token.text[0])] = true;
    if (token.text.size() == 1) {
      is_second_byte_.fill(true);
    } else {
      is_second_byte_[byte_of(token.text[1])] = true;
    }
    longest_ = std::max(longest_, token.text.size());
    entries_.push_back({std::move(token), shorter});
  }
  if (std::count(is_first_byte_.begin(), is_first_byte_.end(), true) == 1) {
    only_first_byte_ = entries_.front().token.text[0];
  }
}

std::optional<Tokenizer::SpecialFinder::Hit> Tokenizer::SpecialFinder::find(
    std::string_view text, std::size_t from, SpecialText special) const {
  for (from = next_candidate(text, from); from < text.size();
       from = next_candidate(text, from + 1)) {
    if (from + 1 < text.size() && !is_second_byte_[byte_of(text[from + 1])]) {
      continue;
    }
    if (const SpecialToken* token = match(text.substr(from, longest_), special)) {
      return Hit{from, from + token->text.size(), token->id};
    }
  }
  return std::nullopt;
}

// The next place where a first byte of some token stands, or the end of the text.
std::size_t Tokenizer::SpecialFinder::next_candidate(std::string_view text,
                                                     std::size_t from) const {
  if (only_first_byte_) {
    return std::min(text.find(*only_first_byte_, from), text.size());
  }
  while (from < text.size() && !is_first_byte_[byte_of(text[from])]) {
    ++from;
  }
  return from;
}

// The longest token that `text` starts with. All such tokens come before `text` in the order, and
// whatever stands between one of them and `text` starts with it as well: so the last entry
// before `text` leads to them.
const SpecialToken* Tokenizer::SpecialFinder::match(std::string_view text,
                                                    SpecialText special) const {
  const auto after = std::upper_bound(
      entries_.begin(), entries_.end(), text,
      [](std::string_view wanted, const Entry& entry) { return wanted < entry.token.text; });
  std::size_t at =
      static_cast<std::size_t>(after - entries_.begin()) - 1;  // kNone before the first
  for (; at != kNone; at = entries_[at].shorter) {
    const SpecialToken& token = entries_[at].token;
    const bool wanted = special == SpecialText::kParse || token.kind == SpecialToken::Kind::kUser;
    if (wanted && text.starts_with(token.text)) {
      return &token;
    }
  }
  return nullptr;
}

}  // namespace weir::tokenizer
