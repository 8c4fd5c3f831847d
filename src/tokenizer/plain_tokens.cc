#include "plain_tokens.h"

#include <string>

#include "vocabulary.h"

namespace weir::tokenizer {

base::Result<std::vector<TextTrie::Entry>> plain_tokens(const GgufHeader& header) {
  const auto bad = [](std::string what) {
    return base::Error{base::ErrorCode::kBadConfig, std::move(what)};
  };
  if (header.tokens.size() == 0) {
    return bad("there are no tokens (tokenizer.ggml.tokens)");
  }
  if (header.tokens.size() >= TextTrie::kValuesMax) {
    return bad("there are too many tokens (tokenizer.ggml.tokens)");
  }
  std::vector<TextTrie::Entry> entries;
  entries.reserve(header.tokens.size());
  for (std::size_t id = 0; id < header.tokens.size(); ++id) {
    const std::string_view text = header.tokens[id];
    if (text.size() > kTokenBytesMax) {
      return bad("token " + std::to_string(id) + " is longer than " +
                 std::to_string(kTokenBytesMax) + " bytes");
    }
    entries.push_back({text, static_cast<std::uint32_t>(id)});
  }
  return entries;
}

}  // namespace weir::tokenizer
