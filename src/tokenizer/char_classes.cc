#include "char_classes.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

namespace weir::tokenizer {
namespace {

struct Range {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  CharClass kind = CharClass::kOther;
};

struct NamedClass {
  std::string_view name;
  CharClass kind;
};
constexpr NamedClass kNamedClasses[] = {
    {"L", CharClass::kLetter}, {"Lu", CharClass::kCapital}, {"Lt", CharClass::kCapital},
    {"Ll", CharClass::kSmall}, {"Lm", CharClass::kLetter},  {"Lo", CharClass::kLetter},
    {"M", CharClass::kMark},   {"N", CharClass::kNumber},   {"P", CharClass::kPunctuation},
    {"Y", CharClass::kSymbol}, {"S", CharClass::kSpace},
};

std::optional<CharClass> class_named(std::string_view name, Letters letters) {
  for (const NamedClass& known : kNamedClasses) {
    if (known.name == name) {
      return letters == Letters::kAlike && name.front() == 'L' ? CharClass::kLetter : known.kind;
    }
  }
  return std::nullopt;
}

bool read_hex(std::string_view& line, std::uint32_t& number) {
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number, 16);
  const auto used = static_cast<std::size_t>(end - line.data());
  if (error != std::errc{} || used == line.size() || line[used] != '\t') {
    return false;
  }
  line.remove_prefix(used + 1);
  return true;
}

std::optional<Range> read_range(std::string_view line, Letters letters) {
  Range range;
  if (!read_hex(line, range.first) || !read_hex(line, range.last)) {
    return std::nullopt;
  }
  const std::optional<CharClass> kind = class_named(line, letters);
  if (!kind || range.first > range.last) {
    return std::nullopt;
  }
  range.kind = *kind;
  return range;
}

}  // namespace

base::Result<CharClasses> CharClasses::read(std::string_view tsv, Letters letters) {
  std::vector<CharClass> all(kCodePoints, CharClass::kOther);
  while (!tsv.empty()) {
    const std::size_t end = std::min(tsv.find('\n'), tsv.size());
    const std::optional<Range> range = read_range(tsv.substr(0, end), letters);
    if (!range || range->last >= kCodePoints) {
      return base::Error{base::ErrorCode::kBadConfig, "character class table is damaged"};
    }
    std::fill(all.begin() + range->first, all.begin() + range->last + 1, range->kind);
    tsv.remove_prefix(std::min(end + 1, tsv.size()));
  }
  all['\r'] = CharClass::kNewline;
  all['\n'] = CharClass::kNewline;
  CharClasses classes;
  std::copy_n(all.begin(), classes.ascii_.size(), classes.ascii_.begin());
  classes.all_ = BlockTable<CharClass>(all);
  return classes;
}

}  // namespace weir::tokenizer
