#include "rwkv_model.h"

#include <deque>
#include <string>
#include <utility>

#include "plain_tokens.h"

namespace weir::tokenizer {
namespace {

// -1 when it is none.
int hex_digit(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// The file has bytes that are no text as \x1f, and backslashes and some blanks escaped.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      out += text[at];
      continue;
    }
    const char c = text[++at];
    if (c == 'x' && at + 2 < text.size() && hex_digit(text[at + 1]) >= 0 &&
        hex_digit(text[at + 2]) >= 0) {
      out += static_cast<char>(hex_digit(text[at + 1]) * 16 + hex_digit(text[at + 2]));
      at += 2;
    } else {
      out += c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
    }
  }
  return out;
}

}  // namespace

base::Result<std::shared_ptr<const RwkvModel>> RwkvModel::build(const GgufHeader& header) {
  auto entries = plain_tokens(header);
  if (!entries) {
    return std::move(entries).error();
  }
  std::deque<std::string> texts;
  for (TextTrie::Entry& entry : *entries) {
    texts.push_back(unescaped(entry.text));
    entry.text = texts.back();
  }
  TextTrie tokens(*std::move(entries));
  for (int byte = 0; byte < 256; ++byte) {
    const char text = static_cast<char>(byte);
    if (tokens.longest(&text, &text + 1).bytes == 0) {
      return base::Error{base::ErrorCode::kBadConfig,
                         "tokenizer.ggml.tokens has no token for byte " + std::to_string(byte)};
    }
  }
  return std::make_shared<const RwkvModel>(std::move(tokens));
}

std::uint64_t RwkvModel::count(std::string_view text, Work& /*work*/) const {
  std::uint64_t tokens = 0;
  for (const char *p = text.data(), *end = p + text.size(); p < end; ++tokens) {
    p += tokens_.longest(p, end).bytes;
  }
  return tokens;
}

void RwkvModel::encode(std::string_view text, Work& /*work*/,
                       std::vector<std::uint32_t>& out) const {
  for (const char *p = text.data(), *end = p + text.size(); p < end;) {
    const TextTrie::Match match = tokens_.longest(p, end);
    out.push_back(match.value);
    p += match.bytes;
  }
}

}  // namespace weir::tokenizer
