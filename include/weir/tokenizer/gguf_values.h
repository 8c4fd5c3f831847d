#pragma once

// Settings out of the header of any GGUF file: what a key says, for keys of one family. Nothing of
// the vocabulary and nothing of the weights is read.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/result.h"

namespace weir::tokenizer {

struct GgufValues {
  // A whole number is a list of one. Numbers with a fraction, and longer lists, are left out.
  std::map<std::string, std::vector<std::int64_t>, std::less<>> numbers;
  std::map<std::string, std::string, std::less<>> texts;

  std::optional<std::int64_t> number(std::string_view key) const;
  std::string_view text(std::string_view key) const;  // "" when there is none
};

inline constexpr std::size_t kGgufValueListMax = 256;  // elements of a list that is kept
inline constexpr std::size_t kGgufValuesMax = 1024;    // keys that are kept; a projector has 30

// The keys of the file at `path` that begin with `prefix`, and "general.architecture".
// Errors: kBadConfig when there is no such file or it is damaged. The message begins with the path.
base::Result<GgufValues> read_gguf_values(const std::string& path, std::string_view prefix);

}  // namespace weir::tokenizer
