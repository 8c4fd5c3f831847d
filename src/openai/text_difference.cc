#include "text_difference.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace weir::openai {
namespace {

// The part of a text that is not compared yet: pieces from `first` up to and with `last`. A text is
// used up when its last piece has gone.
struct Window {
  explicit Window(std::string_view text) : pieces(tag_pieces(text)) {
    last = pieces.empty() ? 0 : pieces.size() - 1;
  }

  const TagPiece& front() const { return pieces[first]; }
  const TagPiece& back() const { return pieces[last]; }
  bool is_open() const { return first != last; }

  // What is left of it. One piece always, but for a text that is used up.
  std::string rest() const {
    std::string text;
    for (std::size_t i = first; i < last + (is_used_up ? 0 : 1); ++i) {
      text += pieces[i].text;
    }
    return text;
  }

  std::vector<TagPiece> pieces;
  std::size_t first = 0;
  std::size_t last = 0;
  bool is_used_up = false;
};

// Equal pieces go from both ends, as long as both texts have more than one. `last` goes back even
// when `first` has just met it.
void drop_equal_ends(Window& left, Window& right) {
  while (left.is_open() && right.is_open()) {
    bool any = false;
    if (left.front() == right.front()) {
      ++left.first;
      ++right.first;
      any = true;
    }
    if (left.back() == right.back()) {
      for (Window* side : {&left, &right}) {
        if (side->is_open()) {
          --side->last;
        } else {
          side->is_used_up = true;
        }
      }
      any = true;
    }
    if (!any) {
      return;
    }
  }
}

// One text has a single piece left: it may still be the other's end or beginning. The order of the
// questions differs between the two sides, as in the server.
void drop_single_piece(Window& left, Window& right) {
  if (!left.is_open() && right.is_open()) {
    if (left.front() == right.back()) {
      --right.last;
      left.is_used_up = true;
    } else if (left.front() == right.front()) {
      ++right.first;
      left.is_used_up = true;
    }
  } else if (!right.is_open() && left.is_open()) {
    if (left.back() == right.front()) {
      --left.last;
      right.is_used_up = true;
    } else if (left.front() == right.front()) {
      ++left.first;
      right.is_used_up = true;
    }
  } else if (!left.is_open() && left.front() == right.front() && left.front().is_tag) {
    left.is_used_up = true;
    right.is_used_up = true;
  }
}

std::size_t equal_at_front(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(
      std::mismatch(a.begin(),
                    a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())),
                    b.begin())
          .first -
      a.begin());
}

std::size_t equal_at_end(std::string_view a, std::string_view b) {
  std::size_t n = 0;
  while (n < a.size() && n < b.size() && a[a.size() - 1 - n] == b[b.size() - 1 - n]) {
    ++n;
  }
  return n;
}

}  // namespace

std::vector<TagPiece> tag_pieces(std::string_view text) {
  std::vector<TagPiece> pieces;
  std::size_t start = 0;
  char closer = '\0';  // of the tag that is open
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (closer == '\0' && (text[at] == '<' || text[at] == '[')) {
      if (start < at) {
        pieces.push_back({false, text.substr(start, at - start)});
      }
      start = at;
      closer = text[at] == '<' ? '>' : ']';
    } else if (closer != '\0' && text[at] == closer) {
      pieces.push_back({true, text.substr(start, at + 1 - start)});
      start = at + 1;
      closer = '\0';
    }
  }
  if (start < text.size()) {
    pieces.push_back({false, text.substr(start)});
  }
  return pieces;
}

std::vector<TagPiece> visible_tag_pieces(std::string_view text) {
  std::vector<TagPiece> pieces = tag_pieces(text);
  std::erase_if(pieces, [](const TagPiece& piece) {
    return piece.text.find_first_not_of(" \t\n\v\f\r") == std::string_view::npos;
  });
  return pieces;
}

TextDifference text_difference(std::string_view left_text, std::string_view right_text) {
  if (left_text.empty() || right_text.empty()) {
    return {std::string(left_text), std::string(right_text)};
  }
  Window left(left_text);
  Window right(right_text);
  drop_equal_ends(left, right);
  drop_single_piece(left, right);
  const bool ends_in_text = !left.back().is_tag && !right.back().is_tag;
  const bool begins_with_text = !left.front().is_tag && !right.front().is_tag;
  std::string a = left.rest();
  std::string b = right.rest();
  const std::size_t behind = ends_in_text ? equal_at_end(a, b) : 0;
  a.resize(a.size() - behind);
  b.resize(b.size() - behind);
  const std::size_t before = begins_with_text ? equal_at_front(a, b) : 0;
  a.erase(0, before);
  b.erase(0, before);
  if (a.empty() && !b.empty() && right_text.starts_with(left_text)) {
    b = right_text.substr(left_text.size());
  }
  return {std::move(a), std::move(b)};
}

}  // namespace weir::openai
