#include "weir/tokenizer/gguf_values.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "gguf_header.h"
#include "gguf_reader.h"
#include "weir/base/text.h"

namespace weir::tokenizer {
namespace {

enum Type : std::uint32_t { kF32 = 6, kBool = 7, kString = 8, kArray = 9, kF64 = 12 };

constexpr std::uint64_t kValueTextBytesMax = 4096;

// Bytes of one value; 0 for strings, arrays and types that do not exist.
std::uint64_t bytes_of(std::uint32_t type) {
  static constexpr std::array<std::uint8_t, 13> kBytes = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  return type < kBytes.size() ? kBytes[type] : 0;
}

bool is_whole(std::uint32_t type) {
  return bytes_of(type) != 0 && type != kF32 && type != kF64;
}

// Little endian; the types of odd number are signed.
std::int64_t read_whole(GgufReader& reader, std::uint32_t type) {
  const std::uint64_t bytes = bytes_of(type);
  std::uint64_t bits = 0;
  reader.read(reinterpret_cast<char*>(&bits), bytes);
  const bool is_signed = type == 1 || type == 3 || type == 5;
  const auto unused = static_cast<unsigned>(64 - 8 * bytes);
  return is_signed ? static_cast<std::int64_t>(bits << unused) >> unused
                   : static_cast<std::int64_t>(bits);
}

void skip_elements(GgufReader& reader, std::uint32_t type, std::uint64_t count) {
  if (type == kString) {
    for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
      reader.skip(reader.length(kGgufHeaderBytesMax, "a string"));
    }
  } else if (bytes_of(type) == 0) {
    reader.fail("a value has a type that does not exist");
  } else if (count > reader.left() / bytes_of(type)) {
    reader.fail("the file is cut off within its header");
  } else {
    reader.skip(count * bytes_of(type));
  }
}

void read_value(GgufReader& reader, const std::string& key, bool is_wanted, GgufValues& values) {
  auto type = reader.number<std::uint32_t>();
  if (type == kString && is_wanted) {
    values.texts[key] = reader.text(kValueTextBytesMax, base::printable(key, 80));
    return;
  }
  const bool is_list = type == kArray;
  type = is_list ? reader.number<std::uint32_t>() : type;
  const std::uint64_t count = is_list ? reader.number<std::uint64_t>() : 1;
  if (!is_wanted || !is_whole(type) || count > kGgufValueListMax) {
    skip_elements(reader, type, count);
    return;
  }
  std::vector<std::int64_t>& numbers = values.numbers[key];
  numbers.clear();  // of equal keys the last one counts
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    numbers.push_back(read_whole(reader, type));
  }
}

void read_values(GgufReader& reader, std::string_view prefix, GgufValues& values) {
  std::array<char, 4> magic{};
  reader.read(magic.data(), magic.size());
  if (reader.ok() && std::string_view(magic.data(), magic.size()) != "GGUF") {
    reader.fail("this is no GGUF file");
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
  for (std::uint64_t i = 0; i < keys && reader.ok(); ++i) {
    const std::string key = reader.text(kGgufKeyBytesMax, "a key");
    if (values.numbers.size() + values.texts.size() > kGgufValuesMax) {
      reader.fail("the header has more than " + std::to_string(kGgufValuesMax) + " settings");
    }
    read_value(reader, key, key.starts_with(prefix) || key == "general.architecture", values);
  }
}

}  // namespace

std::optional<std::int64_t> GgufValues::number(std::string_view key) const {
  const auto found = numbers.find(key);
  return found == numbers.end() || found->second.size() != 1 ? std::nullopt
                                                             : std::optional(found->second.front());
}

std::string_view GgufValues::text(std::string_view key) const {
  const auto found = texts.find(key);
  return found == texts.end() ? std::string_view() : std::string_view(found->second);
}

base::Result<GgufValues> read_gguf_values(const std::string& path, std::string_view prefix) {
  const auto bad = [&path](const std::string& what) {
    return base::Error{base::ErrorCode::kBadConfig, base::printable(path, 400) + ": " + what};
  };
  const std::filesystem::path place(path);
  std::error_code code;
  const std::uint64_t bytes = std::filesystem::file_size(place, code);
  std::ifstream file(place, std::ios::binary);
  if (code || !file) {
    return bad("cannot be read; check that the file is there");
  }
  GgufReader reader(file, std::min(bytes, kGgufHeaderBytesMax));
  GgufValues values;
  read_values(reader, prefix, values);
  if (!reader.ok()) {
    return bad(reader.error());
  }
  return values;
}

}  // namespace weir::tokenizer
