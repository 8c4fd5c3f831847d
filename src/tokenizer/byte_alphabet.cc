#include "byte_alphabet.h"

#include <array>

#include "weir/base/text.h"

namespace weir::tokenizer {
namespace {

// Bytes that stand for themselves as code points of Latin-1: what can be seen when printed.
constexpr bool is_itself(std::uint32_t byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
}

constexpr std::uint32_t kLettersEnd = 0x144;  // the others follow from U+0100 on, in order

struct Tables {
  std::array<std::uint16_t, 256> letter{};
  std::array<std::int16_t, kLettersEnd> byte{};  // -1: no letter
};

constexpr Tables make_tables() {
  Tables tables;
  for (std::int16_t& byte : tables.byte) {
    byte = -1;
  }
  std::uint16_t next = 0x100;
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    tables.letter[byte] = is_itself(byte) ? static_cast<std::uint16_t>(byte) : next++;
    tables.byte[tables.letter[byte]] = static_cast<std::int16_t>(byte);
  }
  return tables;
}

constexpr Tables kTables = make_tables();

}  // namespace

std::string byte_letter(std::uint8_t byte) {
  std::string letter;
  base::append_utf8(letter, kTables.letter[byte]);
  return letter;
}

std::optional<std::string> bytes_of_letters(std::string_view letters) {
  std::string bytes;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    std::uint32_t letter = static_cast<std::uint8_t>(letters[i]);
    if (letter >= 0x80) {  // all letters have at most two bytes
      const bool is_pair = (letter & 0xE0) == 0xC0 && i + 1 < letters.size() &&
                           (static_cast<std::uint8_t>(letters[i + 1]) & 0xC0) == 0x80;
      if (!is_pair) {
        return std::nullopt;
      }
      letter = (letter & 0x1F) << 6 | (static_cast<std::uint8_t>(letters[++i]) & 0x3F);
    }
    if (letter >= kLettersEnd || kTables.byte[letter] < 0) {
      return std::nullopt;
    }
    bytes.push_back(static_cast<char>(kTables.byte[letter]));
  }
  return bytes;
}

}  // namespace weir::tokenizer
