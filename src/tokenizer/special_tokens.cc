#include "special_tokens.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace weir::tokenizer {
namespace {

std::uint8_t byte_of(char c) {
  return static_cast<std::uint8_t>(c);
}

// As isspace says it for ASCII.
bool is_white(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
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
  // Longer ones come first. For equal ones llama.cpp relies on the standard library's order.
  std::sort(tokens.begin(), tokens.end(), [](const SpecialToken& a, const SpecialToken& b) {
    return a.text.size() > b.text.size();
  });
  strips_ = std::any_of(tokens.begin(), tokens.end(), [](const SpecialToken& token) {
    return token.strips_before || token.strips_after;
  });
  longest_ = tokens.empty() ? 0 : tokens.front().text.size();
  for (SpecialToken& token : tokens) {
    entries_.push_back({std::move(token), entries_.size(), kNone});
  }
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.token.text < b.token.text; });
  link_entries();
  overlaps_ = have_overlaps();
}

bool Tokenizer::SpecialFinder::may_cut(std::string_view text, std::size_t at,
                                       SpecialText special) const {
  const std::size_t first = at > longest_ ? at - longest_ : 0;
  const std::size_t last = strips_ ? at : at - 1;
  for (std::size_t begin = first; begin <= last; ++begin) {
    const std::size_t entry = match(text.substr(begin), special);
    if (entry != kNone) {
      const std::size_t end = begin + entries_[entry].token.text.size();
      if (end >= at) {
        return false;
      }
    }
  }
  return true;
}

void Tokenizer::SpecialFinder::link_entries() {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const std::string& text = entries_[i].token.text;
    std::size_t shorter = i == 0 ? kNone : i - 1;
    while (shorter != kNone && !text.starts_with(entries_[shorter].token.text)) {
      shorter = entries_[shorter].shorter;
    }
    entries_[i].shorter = shorter;
    is_first_byte_[byte_of(text[0])] = true;
    if (text.size() == 1) {
      is_second_byte_.fill(true);
    } else {
      is_second_byte_[byte_of(text[1])] = true;
    }
  }
  if (std::count(is_first_byte_.begin(), is_first_byte_.end(), true) == 1) {
    only_first_byte_ = entries_.front().token.text[0];
  }
}

// Whether some token may start within another that is cut out later, or in white space that one
// strips. In doubt yes: that is only slower.
bool Tokenizer::SpecialFinder::have_overlaps() const {
  constexpr std::size_t kStepsMax = 1'000'000;
  std::size_t steps = 0;
  for (const Entry& entry : entries_) {
    const std::string_view text = entry.token.text;
    if (strips_ && (is_white(text.front()) || is_white(text.back()))) {
      return true;
    }
    for (std::size_t at = 1; at < text.size(); ++at) {
      if (!is_first_byte_[byte_of(text[at])]) {
        continue;
      }
      const std::string_view end = text.substr(at);
      auto other = std::lower_bound(
          entries_.begin(), entries_.end(), end,
          [](const Entry& e, std::string_view wanted) { return e.token.text < wanted; });
      for (; other != entries_.end() && other->token.text.starts_with(end); ++other) {
        const bool reaches_out = other->token.text.size() > end.size();
        if ((reaches_out && other->rank < entry.rank) || ++steps > kStepsMax) {
          return true;
        }
      }
    }
  }
  return false;
}

std::optional<Tokenizer::SpecialFinder::Hit> Tokenizer::SpecialFinder::find(
    std::string_view text, std::size_t from, SpecialText special) const {
  std::size_t begin = from;
  for (begin = next_candidate(text, begin); begin < text.size();
       begin = next_candidate(text, begin + 1)) {
    const std::size_t found = match(text.substr(begin, longest_), special);
    if (found == kNone) {
      continue;
    }
    const SpecialToken& token = entries_[found].token;
    std::size_t end = begin + token.text.size();
    while (token.strips_before && begin > from && is_white(text[begin - 1])) {
      --begin;
    }
    while (token.strips_after && end < text.size() && is_white(text[end])) {
      ++end;
    }
    return Hit{begin, end, token.id};
  }
  return std::nullopt;
}

// All places of all tokens, best tokens first; each takes its place if it is still free.
std::vector<Tokenizer::SpecialFinder::Hit> Tokenizer::SpecialFinder::longest_first(
    std::string_view text, SpecialText special) const {
  struct Place {
    std::size_t rank;
    std::size_t begin;
    std::size_t entry;
  };
  std::vector<Place> places;
  for (std::size_t at = next_candidate(text, 0); at < text.size();
       at = next_candidate(text, at + 1)) {
    const std::string_view rest = text.substr(at, longest_);
    for (std::size_t found = match(rest, special); found != kNone;
         found = match_from(entries_[found].shorter, rest, special)) {
      places.push_back({entries_[found].rank, at, found});
    }
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.begin < b.begin;
  });
  std::vector<bool> is_taken(text.size());
  const auto take_white = [&](std::size_t at) {
    const bool is_free = at < text.size() && !is_taken[at] && is_white(text[at]);
    if (is_free) {
      is_taken[at] = true;
    }
    return is_free;
  };
  std::vector<Hit> hits;
  for (const Place& place : places) {
    const SpecialToken& token = entries_[place.entry].token;
    std::size_t begin = place.begin;
    std::size_t end = begin + token.text.size();
    // What has a place already is at least as long: it would reach to one of the ends.
    if (is_taken[begin] || is_taken[end - 1]) {
      continue;
    }
    std::fill(is_taken.begin() + static_cast<std::ptrdiff_t>(begin),
              is_taken.begin() + static_cast<std::ptrdiff_t>(end), true);
    while (token.strips_before && begin > 0 && take_white(begin - 1)) {
      --begin;
    }
    while (token.strips_after && take_white(end)) {
      ++end;
    }
    hits.push_back({begin, end, token.id});
  }
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.begin < b.begin; });
  return hits;
}

// The next place where the first bytes of some token stand, or the end of the text.
std::size_t Tokenizer::SpecialFinder::next_candidate(std::string_view text,
                                                     std::size_t from) const {
  while (true) {
    if (only_first_byte_) {
      from = std::min(text.find(*only_first_byte_, from), text.size());
    } else {
      while (from < text.size() && !is_first_byte_[byte_of(text[from])]) {
        ++from;
      }
    }
    if (from + 1 >= text.size() || is_second_byte_[byte_of(text[from + 1])]) {
      return std::min(from, text.size());
    }
    ++from;
  }
}

// All tokens that `text` starts with come before `text` in the order, and whatever stands between
// one of them and `text` starts with it as well: so the last entry before `text` leads to them.
std::size_t Tokenizer::SpecialFinder::match(std::string_view text, SpecialText special) const {
  const auto after = std::upper_bound(
      entries_.begin(), entries_.end(), text,
      [](std::string_view wanted, const Entry& entry) { return wanted < entry.token.text; });
  return match_from(static_cast<std::size_t>(after - entries_.begin()) - 1, text, special);
}

std::size_t Tokenizer::SpecialFinder::match_from(std::size_t at, std::string_view text,
                                                 SpecialText special) const {
  for (; at != kNone; at = entries_[at].shorter) {
    const SpecialToken& token = entries_[at].token;
    const bool wanted = special == SpecialText::kParse || token.kind == SpecialToken::Kind::kUser;
    if (wanted && text.starts_with(token.text)) {
      return at;
    }
  }
  return kNone;
}

}  // namespace weir::tokenizer
