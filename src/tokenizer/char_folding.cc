#include "char_folding.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <vector>

#include "char_classes.h"
#include "code_points.h"

namespace weir::tokenizer {
namespace {

using Part = FoldedChar::Part;

constexpr std::uint32_t kReplacement = 0xFFFD;

// As llama.cpp has them for WordPiece, from BERT; 2B820 to 2B91F are missing there as well.
constexpr CodePoints kHan[] = {
    {0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F},
    {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF}, {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F},
};

// One line of the file.
struct Row {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::string_view kind;
  std::uint32_t to = 0;
};

std::string_view next_field(std::string_view& line) {
  const std::size_t end = std::min(line.find('\t'), line.size());
  const std::string_view field = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return field;
}

std::optional<std::uint32_t> hex(std::string_view field) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number, 16);
  if (error != std::errc{} || end != field.data() + field.size() || number >= kCodePoints) {
    return std::nullopt;
  }
  return number;
}

std::optional<Row> read_row(std::string_view line) {
  Row row;
  const auto first = hex(next_field(line));
  const auto last = hex(next_field(line));
  row.kind = next_field(line);
  const auto to = row.kind == "drop" ? 0 : hex(next_field(line));
  if (!first || !last || !to || *first > *last || !line.empty()) {
    return std::nullopt;
  }
  row.first = *first;
  row.last = *last;
  row.to = *to;
  return row;
}

// What the file says of each code point.
struct Tables {
  std::vector<std::uint32_t> base;   // without its accents
  std::vector<std::uint32_t> lower;  // as a small letter
  std::vector<bool> is_dropped;

  Tables() : base(kCodePoints), lower(kCodePoints), is_dropped(kCodePoints) {
    std::iota(base.begin(), base.end(), 0);
    std::iota(lower.begin(), lower.end(), 0);
  }

  // False when it is of no kind that is known, or goes too far.
  bool add(const Row& row) {
    const std::uint32_t step = row.kind == "lower2" ? 2 : 1;
    if (row.to + (row.last - row.first) >= base.size()) {
      return false;
    }
    for (std::uint32_t c = row.first; c <= row.last; c += step) {
      if (row.kind == "drop") {
        is_dropped[c] = true;
      } else if (row.kind == "base") {
        base[c] = row.to;
      } else if (row.kind == "lower" || row.kind == "lower2") {
        lower[c] = row.to + (c - row.first);
      } else {
        return false;
      }
    }
    return true;
  }
};

FoldedChar fold(std::uint32_t c, const Tables& tables, const CharClasses& classes,
                const FoldingRules& rules) {
  c = rules.strips_accents ? tables.base[c] : c;
  const CharClass kind = classes.of(c);
  if (kind == CharClass::kSpace || kind == CharClass::kNewline) {
    return {c, Part::kSpace};
  }
  if (c == 0 || c == kReplacement || tables.is_dropped[c] ||
      (rules.strips_accents && kind == CharClass::kMark)) {
    return {c, Part::kNone};
  }
  const bool is_alone =
      kind == CharClass::kPunctuation || (c < 0x7F && kind == CharClass::kSymbol) || is_in(c, kHan);
  return {rules.lowercase ? tables.lower[c] : c, is_alone ? Part::kAlone : Part::kWord};
}

}  // namespace

base::Result<CharFolding> CharFolding::read(std::string_view classes, std::string_view folding,
                                            const FoldingRules& rules) {
  const auto known = CharClasses::read(classes);
  if (!known) {
    return known.error();
  }
  Tables tables;
  while (!folding.empty()) {
    const std::size_t end = std::min(folding.find('\n'), folding.size());
    const std::optional<Row> row = read_row(folding.substr(0, end));
    if (!row || !tables.add(*row)) {
      return base::Error{base::ErrorCode::kBadConfig, "character folding table is damaged"};
    }
    folding.remove_prefix(std::min(end + 1, folding.size()));
  }
  std::vector<std::int32_t> all(kCodePoints);
  for (std::uint32_t c = 0; c < kCodePoints; ++c) {
    const FoldedChar folded = fold(c, tables, *known, rules);
    const auto distance =
        static_cast<std::int32_t>(folded.code_point) - static_cast<std::int32_t>(c);
    all[c] = distance * (1 << kPartBits) + static_cast<std::int32_t>(folded.part);
  }
  CharFolding made;
  made.all_ = BlockTable<std::int32_t>(all);
  return made;
}

}  // namespace weir::tokenizer
