#pragma once

// The alphabet in which GPT-2 and its followers write bytes: each byte is one printable character.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::tokenizer {

// The character of a byte, in UTF-8.
std::string byte_letter(std::uint8_t byte);

// The bytes that `letters` spell; nothing when a character is not of the alphabet.
std::optional<std::string> bytes_of_letters(std::string_view letters);

}  // namespace weir::tokenizer
