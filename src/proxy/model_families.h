#pragma once

// What a model's name tells about its vocabulary and chats.

#include <string_view>

#include "weir/openai/prompt.h"

namespace weir::proxy {

struct Family {
  std::string_view letters;     // in the model's name, lower case, without '-', '_', '.' and blanks
  std::string_view vocabulary;  // a name of tokenizer::Builtins
  openai::ChatTemplate chat_template;
  // Why every chat is an estimate, "" when nothing makes it one; the second holds only as long as
  // nothing better than the name tells the chat template.
  std::string_view why_vocabulary = {};
  std::string_view why_template = {};
};

// The family that `name` names, or nullptr.
const Family* family_of(std::string_view name);

// For names that tell nothing.
const Family& default_family();

}  // namespace weir::proxy
