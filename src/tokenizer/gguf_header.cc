#include "gguf_header.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "gguf_reader.h"
#include "weir/base/text.h"

namespace weir::tokenizer {

char* StringList::append(std::size_t bytes) {
  const std::size_t start = blob_.size();
  blob_.resize(start + bytes);
  starts_.push_back(static_cast<std::uint32_t>(blob_.size()));
  return blob_.data() + start;
}

void StringList::append(std::string_view text) {
  blob_ += text;
  starts_.push_back(static_cast<std::uint32_t>(blob_.size()));
}

namespace {

enum Type : std::uint32_t {
  kU8,
  kI8,
  kU16,
  kI16,
  kU32,
  kI32,
  kF32,
  kBool,
  kString,
  kArray,
  kU64,
  kI64,
  kF64,
};

// Bytes of one value; 0 for strings, arrays and types that do not exist.
std::uint64_t bytes_of(std::uint32_t type) {
  static constexpr std::array<std::uint8_t, 13> kBytes = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  return type < kBytes.size() ? kBytes[type] : 0;
}

// The key whose value is read, for messages.
struct Value {
  GgufReader& reader;
  std::string key;
  std::uint32_t type = 0;

  void fail(std::string_view what) {
    reader.fail(base::printable(key, 80) + " " + std::string(what));
  }
  // False, and an error, when the value has another type.
  bool has_type(std::uint32_t wanted, std::string_view name) {
    if (type != wanted) {
      fail("is no " + std::string(name));
    }
    return type == wanted;
  }
};

void read_text(Value& value, std::string& out) {
  if (value.has_type(kString, "string")) {
    out = value.reader.text(kGgufTextBytesMax, base::printable(value.key, 80));
  }
}

void read_bool(Value& value, std::optional<bool>& out) {
  if (value.has_type(kBool, "bool")) {
    out = value.reader.number<std::uint8_t>() != 0;
  }
}

void read_id(Value& value, std::optional<std::uint32_t>& out) {
  if (value.type == kI32 || value.has_type(kU32, "number of 32 bits")) {
    out = value.reader.number<std::uint32_t>();
  }
}

// The number of elements, each at least `bytes_min` bytes long; sets the type to theirs.
std::uint64_t read_array_head(Value& value, std::uint64_t elements_max) {
  value.type = value.reader.number<std::uint32_t>();
  const auto elements = value.reader.number<std::uint64_t>();
  const std::uint64_t bytes_min = value.type == kString ? 8 : bytes_of(value.type);
  if (!value.reader.ok()) {
    return 0;
  }
  if (bytes_min == 0) {
    value.fail("is a list of something that has no place in a list");
  } else if (elements > value.reader.left() / bytes_min) {
    value.fail("has more elements than the file has bytes");
  } else if (elements > elements_max) {
    value.fail("has more than " + std::to_string(elements_max) + " elements");
  }
  return value.reader.ok() ? elements : 0;
}

void read_texts(Value& value, StringList& out) {
  if (!value.has_type(kArray, "list")) {
    return;
  }
  const std::uint64_t elements = read_array_head(value, kGgufElementsMax);
  if (!value.reader.ok() || !value.has_type(kString, "list of strings")) {
    return;
  }
  out.reserve(static_cast<std::size_t>(elements));
  const std::string what = "an element of " + value.key;
  for (std::uint64_t i = 0; i < elements && value.reader.ok(); ++i) {
    const std::uint64_t bytes = value.reader.length(kGgufListBytesMax - out.bytes(), what);
    value.reader.read(out.append(static_cast<std::size_t>(bytes)), bytes);
  }
}

// The number of elements of a list, 0 when the value is none; sets the type to theirs.
std::uint64_t read_list_head(Value& value) {
  return value.has_type(kArray, "list") ? read_array_head(value, kGgufElementsMax) : 0;
}

template <class Number>
void read_numbers(Value& value, std::uint64_t elements, std::vector<Number>& out) {
  out.resize(static_cast<std::size_t>(elements));
  value.reader.read(reinterpret_cast<char*>(out.data()), elements * sizeof out[0]);
}

void read_types(Value& value, std::vector<std::int32_t>& out) {
  const std::uint64_t elements = read_list_head(value);
  if (value.reader.ok() && value.has_type(kI32, "list of i32")) {
    read_numbers(value, elements, out);
  }
}

void read_scores(Value& value, std::vector<float>& out) {
  const std::uint64_t elements = read_list_head(value);
  if (value.reader.ok() && value.type == kI32) {
    std::vector<std::int32_t> whole;
    read_numbers(value, elements, whole);
    out.assign(whole.begin(), whole.end());
  } else if (value.reader.ok() && value.has_type(kF32, "list of f32 or i32")) {
    read_numbers(value, elements, out);
  }
}

void read_bytes(Value& value, std::vector<char>& out) {
  const std::uint64_t elements = read_list_head(value);
  if (value.reader.ok() && (value.type == kI8 || value.has_type(kU8, "list of bytes"))) {
    read_numbers(value, elements, out);
  }
}

void skip_value(Value& value) {
  if (value.type == kString) {
    value.reader.skip(value.reader.length(kGgufHeaderBytesMax, base::printable(value.key, 80)));
    return;
  }
  if (value.type != kArray) {
    if (bytes_of(value.type) == 0) {
      value.fail("has a type that does not exist");
    }
    value.reader.skip(bytes_of(value.type));
    return;
  }
  const std::uint64_t elements = read_array_head(value, UINT64_MAX);
  if (value.type != kString) {
    value.reader.skip(elements * bytes_of(value.type));
    return;
  }
  for (std::uint64_t i = 0; i < elements && value.reader.ok(); ++i) {
    value.reader.skip(value.reader.length(kGgufHeaderBytesMax, "a string"));
  }
}

// What is read, and how. Deprecated names of the fill-in-the-middle keys included.
using Read = void (*)(Value&, GgufHeader&);

template <auto kMember, auto kRead>
void into(Value& value, GgufHeader& header) {
  kRead(value, header.*kMember);
}

struct Field {
  std::string_view key;
  Read read;
};

constexpr std::array kFields = {
    Field{"general.architecture", into<&GgufHeader::architecture, read_text>},
    Field{"general.name", into<&GgufHeader::model_name, read_text>},
    Field{"tokenizer.chat_template", into<&GgufHeader::chat_template, read_text>},
    Field{"tokenizer.ggml.model", into<&GgufHeader::model, read_text>},
    Field{"tokenizer.ggml.pre", into<&GgufHeader::pre, read_text>},
    Field{"tokenizer.ggml.tokens", into<&GgufHeader::tokens, read_texts>},
    Field{"tokenizer.ggml.token_type", into<&GgufHeader::token_types, read_types>},
    Field{"tokenizer.ggml.merges", into<&GgufHeader::merges, read_texts>},
    Field{"tokenizer.ggml.scores", into<&GgufHeader::scores, read_scores>},
    Field{"tokenizer.ggml.precompiled_charsmap", into<&GgufHeader::charsmap, read_bytes>},
    Field{"tokenizer.ggml.add_space_prefix", into<&GgufHeader::add_space_prefix, read_bool>},
    Field{"tokenizer.ggml.remove_extra_whitespaces",
          into<&GgufHeader::remove_extra_whitespaces, read_bool>},
    Field{"tokenizer.ggml.normalizer.lowercase", into<&GgufHeader::lowercase, read_bool>},
    Field{"tokenizer.ggml.normalizer.strip_accents", into<&GgufHeader::strip_accents, read_bool>},
    Field{"tokenizer.ggml.unknown_token_id", into<&GgufHeader::unknown_id, read_id>},
    Field{"tokenizer.ggml.seperator_token_id", into<&GgufHeader::separator_id, read_id>},
    Field{"tokenizer.ggml.add_bos_token", into<&GgufHeader::add_bos, read_bool>},
    Field{"tokenizer.ggml.add_eos_token", into<&GgufHeader::add_eos, read_bool>},
    Field{"tokenizer.ggml.bos_token_id", into<&GgufHeader::bos_id, read_id>},
    Field{"tokenizer.ggml.eos_token_id", into<&GgufHeader::eos_id, read_id>},
    Field{"tokenizer.ggml.eot_token_id", into<&GgufHeader::eot_id, read_id>},
    Field{"tokenizer.ggml.fim_pre_token_id", into<&GgufHeader::fim_prefix_id, read_id>},
    Field{"tokenizer.ggml.fim_suf_token_id", into<&GgufHeader::fim_suffix_id, read_id>},
    Field{"tokenizer.ggml.fim_mid_token_id", into<&GgufHeader::fim_middle_id, read_id>},
    Field{"tokenizer.ggml.fim_pad_token_id", into<&GgufHeader::fim_pad_id, read_id>},
    Field{"tokenizer.ggml.fim_rep_token_id", into<&GgufHeader::fim_repository_id, read_id>},
    Field{"tokenizer.ggml.fim_sep_token_id", into<&GgufHeader::fim_separator_id, read_id>},
    Field{"tokenizer.ggml.prefix_token_id", into<&GgufHeader::fim_prefix_id, read_id>},
    Field{"tokenizer.ggml.suffix_token_id", into<&GgufHeader::fim_suffix_id, read_id>},
    Field{"tokenizer.ggml.middle_token_id", into<&GgufHeader::fim_middle_id, read_id>},
};

void read_key_and_value(GgufReader& reader, std::uint64_t& seen, GgufHeader& header) {
  static_assert(kFields.size() <= 64, "one bit of `seen` each");
  Value value{reader, reader.text(kGgufKeyBytesMax, "a key"), 0};
  value.type = reader.number<std::uint32_t>();
  if (!reader.ok()) {
    return;
  }
  const auto* field = std::find_if(kFields.begin(), kFields.end(),
                                   [&](const Field& known) { return known.key == value.key; });
  if (field == kFields.end()) {
    skip_value(value);
    return;
  }
  const std::uint64_t bit = std::uint64_t{1} << (field - kFields.begin());
  if ((seen & bit) != 0) {
    value.fail("is there twice");
    return;
  }
  seen |= bit;
  field->read(value, header);
}

}  // namespace

base::Result<GgufHeader> read_gguf_header(std::istream& file, std::uint64_t file_bytes) {
  const std::uint64_t readable = std::min(file_bytes, kGgufHeaderBytesMax);
  GgufReader reader(file, readable);
  const auto error = [&reader] { return base::Error{base::ErrorCode::kBadConfig, reader.error()}; };
  std::array<char, 4> magic{};
  reader.read(magic.data(), magic.size());
  if (!reader.ok() || std::string_view(magic.data(), magic.size()) != "GGUF") {
    return base::Error{base::ErrorCode::kBadConfig, "this is no GGUF file"};
  }
  const auto version = reader.number<std::uint32_t>();
  if (reader.ok() && version != 2 && version != 3) {
    reader.fail("GGUF version " + std::to_string(version) +
                " is not known, only 2 and 3 in little endian");
  }
  reader.number<std::uint64_t>();  // tensors
  const auto keys = reader.number<std::uint64_t>();
  if (keys > kGgufKeysMax) {
    reader.fail("the header has more than " + std::to_string(kGgufKeysMax) + " keys");
  }
  GgufHeader header;
  std::uint64_t seen = 0;
  for (std::uint64_t i = 0; i < keys && reader.ok(); ++i) {
    read_key_and_value(reader, seen, header);
  }
  if (!reader.ok()) {
    return error();
  }
  header.header_bytes = readable - reader.left();
  if (!header.token_types.empty() && header.token_types.size() < header.tokens.size()) {
    return base::Error{base::ErrorCode::kBadConfig,
                       "tokenizer.ggml.token_type has fewer elements than tokenizer.ggml.tokens"};
  }
  return header;
}

}  // namespace weir::tokenizer
