#include "char_tokens.h"

#include <algorithm>

#include "char_vocabulary.h"
#include "utf8_length.h"
#include "weir/base/text.h"

namespace weir::tokenizer {
namespace {

constexpr std::uint32_t kCodePoints = 0x110000;

StringList usable_texts(const GgufHeader& header, std::vector<std::uint32_t>& ids) {
  StringList texts;
  for (std::uint32_t id = 0; id < header.tokens.size(); ++id) {
    const std::string_view text = header.tokens[id];
    if (!text.empty() && text.find(' ') == std::string_view::npos &&
        base::find_invalid_utf8(text) == std::string_view::npos) {
      texts.append(with_spaces(text));
      ids.push_back(id);
    }
  }
  return texts;
}

}  // namespace

CharTokens::CharTokens(const GgufHeader& header)
    : texts_(usable_texts(header, ids_)), index_(texts_), number_of_(kCodePoints, kNone) {
  for (std::uint32_t token = 0; token < size(); ++token) {
    if (utf8_length(text(token)[0]) == text(token).size()) {
      std::uint32_t& number = number_of_[code_point_of(text(token))];
      number = std::min(number, token);
    }
  }
  for (std::uint32_t token = 0; token < size(); ++token) {
    for (std::string_view rest = text(token); !rest.empty();) {
      const std::string_view character = rest.substr(0, utf8_length(rest[0]));
      rest.remove_prefix(character.size());
      std::uint32_t& number = number_of_[code_point_of(character)];
      if (number == kNone) {
        number = size() + static_cast<std::uint32_t>(other_characters_.size());
        other_characters_.append(character);
      }
    }
  }
}

std::uint32_t CharTokens::code_point_of(std::string_view character) {
  const auto lead = static_cast<std::uint8_t>(character[0]);
  if (character.size() == 1) {
    return lead;
  }
  std::uint32_t code_point = lead & (0x7FU >> character.size());
  for (const char byte : character.substr(1)) {
    code_point = code_point << 6 | (static_cast<std::uint8_t>(byte) & 0x3FU);
  }
  return code_point;
}

std::vector<std::uint32_t> CharTokens::characters(std::string_view text) const {
  std::vector<std::uint32_t> numbers;
  while (!text.empty()) {
    const std::size_t bytes = utf8_length(text[0]);
    numbers.push_back(number_of_[code_point_of(text.substr(0, bytes))]);
    text.remove_prefix(bytes);
  }
  return numbers;
}

std::vector<CharTokens::Character> CharTokens::all_characters() const {
  std::vector<Character> characters;
  for (const std::uint32_t number : number_of_) {
    if (number != kNone) {
      characters.push_back(
          {number < size() ? text(number) : other_characters_[number - size()], number});
    }
  }
  return characters;
}

}  // namespace weir::tokenizer
