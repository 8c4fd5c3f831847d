// Tokens of many texts, for tests that compare with another tokenizer:
//
//     encode_lines FILE.gguf < LINES
//
// A line is "1 " or "0 ", special tokens parsed or not, and the text in hexadecimal digits. For
// each comes one line with the number of tokens and their ids. The first line of the output tells
// how many tokens the server adds before and after a whole prompt, and why counts are estimates, if
// so.

#include <cstdio>
#include <iostream>
#include <string>

#include "weir/tokenizer/gguf.h"

namespace {

int digit(char c) {
  return c <= '9' ? c - '0' : c - 'a' + 10;
}

std::string from_hex(const std::string& digits) {
  std::string text;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    text += static_cast<char>(digit(digits[i]) << 4 | digit(digits[i + 1]));
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  using weir::tokenizer::SpecialText;
  const auto loaded = weir::tokenizer::load_gguf_tokenizer(argc > 1 ? argv[1] : "");
  if (!loaded) {
    std::fprintf(stderr, "%s\n", loaded.error().message.c_str());
    return 1;
  }
  std::printf("%d %d %s\n", loaded->adds_bos ? 1 : 0, loaded->adds_eos ? 1 : 0,
              loaded->tokenizer->facts().why_estimate.c_str());
  for (std::string line; std::getline(std::cin, line);) {
    const SpecialText special = line.starts_with('1') ? SpecialText::kParse : SpecialText::kPlain;
    const std::string text = from_hex(line.substr(2));
    std::printf("%llu", static_cast<unsigned long long>(loaded->tokenizer->count(text, special)));
    for (const std::uint32_t id : loaded->tokenizer->encode(text, special)) {
      std::printf(" %u", id);
    }
    std::putchar('\n');
  }
  return 0;
}
