#pragma once

// What a tokenizer needs of a GGUF file (versions 2 and 3, little endian). Only the header is read,
// never the weights; of a split model the first part has it.
//
// The file may be anybody's: every length is checked against the size of the file and the limits
// below before memory is taken, nothing recurses, and unknown keys are skipped by their type.

#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/result.h"

namespace weir::tokenizer {

// Many strings in one block of memory.
class StringList {
 public:
  std::string_view operator[](std::size_t i) const {
    return std::string_view(blob_).substr(starts_[i], starts_[i + 1] - starts_[i]);
  }
  std::size_t size() const { return starts_.size() - 1; }
  std::size_t bytes() const { return blob_.size(); }

  void reserve(std::size_t strings) { starts_.reserve(strings + 1); }
  // Appends a string of `bytes` zeros and returns where it is; valid until the next call.
  char* append(std::size_t bytes);
  void append(std::string_view text);

 private:
  std::string blob_;
  std::vector<std::uint32_t> starts_ = {0};
};

struct GgufHeader {
  std::uint64_t header_bytes = 0;  // of the file, up to the descriptions of the tensors
  // Values of tokenizer.ggml.token_type.
  enum TokenType : std::int32_t { kNormal = 1, kUnknown, kControl, kUserDefined, kUnused, kByte };

  std::string architecture;   // general.architecture
  std::string model_name;     // general.name
  std::string chat_template;  // tokenizer.chat_template

  // tokenizer.ggml.*; empty when the file does not have them.
  std::string model;
  std::string pre;
  StringList tokens;
  std::vector<std::int32_t> token_types;
  StringList merges;
  std::vector<float> scores;
  std::vector<char> charsmap;  // tokenizer.ggml.precompiled_charsmap: SentencePiece's own format
  std::optional<bool> add_bos;
  std::optional<bool> add_eos;
  std::optional<bool> add_space_prefix;
  std::optional<bool> remove_extra_whitespaces;
  std::optional<bool> lowercase;      // normalizer.lowercase
  std::optional<bool> strip_accents;  // normalizer.strip_accents
  std::optional<std::uint32_t> bos_id;
  std::optional<std::uint32_t> eos_id;
  std::optional<std::uint32_t> eot_id;
  std::optional<std::uint32_t> unknown_id;
  std::optional<std::uint32_t> separator_id;
  // Fill-in-the-middle: prefix, suffix, middle, pad, repository, separator.
  std::optional<std::uint32_t> fim_prefix_id;
  std::optional<std::uint32_t> fim_suffix_id;
  std::optional<std::uint32_t> fim_middle_id;
  std::optional<std::uint32_t> fim_pad_id;
  std::optional<std::uint32_t> fim_repository_id;
  std::optional<std::uint32_t> fim_separator_id;
};

// Limits of a header that is believed; real ones stay far below.
inline constexpr std::uint64_t kGgufHeaderBytesMax = std::uint64_t{512} << 20;
inline constexpr std::uint64_t kGgufKeysMax = 65536;
inline constexpr std::uint64_t kGgufKeyBytesMax = 65535;  // the format's own limit
inline constexpr std::uint64_t kGgufTextBytesMax = std::uint64_t{4} << 20;  // one string
inline constexpr std::uint64_t kGgufElementsMax = std::uint64_t{2} << 20;   // of one list
inline constexpr std::uint64_t kGgufListBytesMax = std::uint64_t{64} << 20;

// `file` stands at the start of a file of `file_bytes`. Errors: kBadConfig, with what is wrong (the
// caller puts the file's name before it).
base::Result<GgufHeader> read_gguf_header(std::istream& file, std::uint64_t file_bytes);

}  // namespace weir::tokenizer
