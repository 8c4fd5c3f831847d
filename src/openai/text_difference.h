#pragma once

// Where two renderings of a template differ, as llama-server sees it: it compares them by tags such
// as <think> or [INST] and the texts between these, from both ends at once.

#include <string>
#include <string_view>
#include <vector>

namespace weir::openai {

struct TagPiece {
  bool is_tag = false;  // from '<' to the next '>', or from '[' to the next ']'
  std::string_view text;

  bool operator==(const TagPiece&) const = default;
};

// The pieces of a text, in order; together they are the text.
std::vector<TagPiece> tag_pieces(std::string_view text);

// Those that are more than white space.
std::vector<TagPiece> visible_tag_pieces(std::string_view text);

struct TextDifference {
  std::string left;   // what the first text has alone
  std::string right;  // what the second one has
};

TextDifference text_difference(std::string_view left, std::string_view right);

}  // namespace weir::openai
