#include "weir/base/text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

namespace weir::base {
namespace {

constexpr std::string_view kAsciiSpace = " \t\r\n";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kNoBreakSpace = "\xC2\xA0";

// Letters put in, left out, replaced, or neighbours that changed places: the usual slips of a hand.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) {
    row[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

// The well-formed sequences of more than one byte, by their first byte (Unicode, table 3-7).
struct Utf8Lead {
  unsigned char first;
  unsigned char last;
  unsigned char length;
  unsigned char second_min;
  unsigned char second_max;
};
constexpr Utf8Lead kUtf8Leads[] = {
    {0xC2, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF}, {0xE1, 0xEC, 3, 0x80, 0xBF},
    {0xED, 0xED, 3, 0x80, 0x9F}, {0xEE, 0xEF, 3, 0x80, 0xBF}, {0xF0, 0xF0, 4, 0x90, 0xBF},
    {0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F},
};

// The row of kUtf8Leads for a first byte of 0x80 or more, at that byte less 0x80.
constexpr std::uint8_t kNoRow = 0xFF;
constexpr auto kUtf8Rows = [] {
  std::array<std::uint8_t, 128> rows{};
  rows.fill(kNoRow);
  for (std::size_t row = 0; row < std::size(kUtf8Leads); ++row) {
    for (int first = kUtf8Leads[row].first; first <= kUtf8Leads[row].last; ++first) {
      rows[static_cast<std::size_t>(first) - 0x80] = static_cast<std::uint8_t>(row);
    }
  }
  return rows;
}();

// Bytes of the UTF-8 sequence of more than one byte at `p`, or 0 when it is none.
std::size_t utf8_length(const unsigned char* p, std::size_t left) {
  const std::uint8_t row = kUtf8Rows[p[0] - 0x80];
  if (row == kNoRow) {
    return 0;
  }
  const Utf8Lead& lead = kUtf8Leads[row];
  if (left < lead.length || p[1] < lead.second_min || p[1] > lead.second_max) {
    return 0;
  }
  for (int i = 2; i < lead.length; ++i) {
    if ((p[i] & 0xC0) != 0x80) {
      return 0;
    }
  }
  return lead.length;
}

// U+1000 to U+CFFF, where Chinese and Japanese are: any continuation bytes will do.
bool is_common_wide(const unsigned char* p, std::size_t left) {
  return left >= 3 && static_cast<unsigned>(p[0] - 0xE1) < 0xEC - 0xE1 + 1 &&
         ((p[1] ^ 0x80U) | (p[2] ^ 0x80U)) < 0x40;
}

constexpr std::size_t kBlock = 32;  // bytes that are looked at together

// How many bytes below 0x80 there are, in whole blocks.
std::size_t ascii_length(const unsigned char* p, std::size_t left) {
  std::array<std::uint64_t, kBlock / 8> block{};
  std::size_t at = 0;
  for (; at + kBlock <= left; at += kBlock) {
    std::memcpy(&block, p + at, kBlock);
    if (((block[0] | block[1] | block[2] | block[3]) & 0x8080808080808080ULL) != 0) {
      break;
    }
  }
  return at;
}

}  // namespace

char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

std::string ascii_lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    c = ascii_lower(c);
  }
  return out;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return ascii_lower(x) == ascii_lower(y);
         });
}

bool starts_with_ignoring_case(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() && equal_ignoring_case(text.substr(0, prefix.size()), prefix);
}

std::string_view trim_ascii(std::string_view text) {
  const auto first = text.find_first_not_of(kAsciiSpace);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kAsciiSpace) - first + 1);
}

std::string_view trim_pasted(std::string_view text) {
  for (bool changed = true; changed;) {
    const std::size_t before = text.size();
    text = trim_ascii(text);
    for (const std::string_view mark : {kByteOrderMark, kNoBreakSpace}) {
      if (text.starts_with(mark)) {
        text.remove_prefix(mark.size());
      }
      if (text.ends_with(mark)) {
        text.remove_suffix(mark.size());
      }
    }
    changed = text.size() != before;
  }
  return text;
}

std::string_view nearest_of(std::string_view text,
                            const std::vector<std::string_view>& candidates) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(text.size() / 3, 1) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(text, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::size_t find_invalid_utf8(std::string_view text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t at = 0;
  while (at < text.size()) {
    at += ascii_length(bytes + at, text.size() - at);
    const std::size_t end = std::min(text.size(), at + kBlock);
    while (at < end) {
      if (is_common_wide(bytes + at, text.size() - at)) {
        at += 3;
        continue;
      }
      const std::size_t length = bytes[at] < 0x80 ? 1 : utf8_length(bytes + at, text.size() - at);
      if (length == 0) {
        return at;
      }
      at += length;
    }
  }
  return std::string_view::npos;
}

void append_utf8(std::string& out, std::uint32_t code_point) {
  if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) {
    code_point = 0xFFFD;
  }
  if (code_point < 0x80) {
    out.push_back(static_cast<char>(code_point));
  } else if (code_point < 0x800) {
    out.push_back(static_cast<char>(0xC0 | (code_point >> 6)));
    out.push_back(static_cast<char>(0x80 | (code_point & 0x3F)));
  } else if (code_point < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | (code_point >> 12)));
    out.push_back(static_cast<char>(0x80 | ((code_point >> 6) & 0x3F)));
    out.push_back(static_cast<char>(0x80 | (code_point & 0x3F)));
  } else {
    out.push_back(static_cast<char>(0xF0 | (code_point >> 18)));
    out.push_back(static_cast<char>(0x80 | ((code_point >> 12) & 0x3F)));
    out.push_back(static_cast<char>(0x80 | ((code_point >> 6) & 0x3F)));
    out.push_back(static_cast<char>(0x80 | (code_point & 0x3F)));
  }
}

std::string printable(std::string_view text, std::size_t bytes_max) {
  std::string out(text.substr(0, bytes_max));
  for (char& c : out) {
    if (c < 0x20 || c > 0x7E) {
      c = '?';
    }
  }
  if (text.size() > bytes_max) {
    out += "...";
  }
  return out;
}

}  // namespace weir::base
