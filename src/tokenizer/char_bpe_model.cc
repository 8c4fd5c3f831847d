#include "char_bpe_model.h"

#include <algorithm>
#include <new>
#include <utility>

#include "heap_merge.h"
#include "repair_utf8.h"
#include "safe_cut.h"
#include "utf8_length.h"
#include "weir/base/text.h"

namespace weir::tokenizer {
namespace {

constexpr std::string_view kSpace = "\u2581";
constexpr std::uint32_t kNoId = CharVocabulary::kNoId;
// In the tables: a list's length and its flag; a token's number and the length of its spelling.
constexpr std::size_t kTiesBytesMin = 9;
constexpr std::size_t kSpellingBytesMin = 12;

// `text` with spaces as U+2581: characters are counted after that.
std::string with_wide_spaces(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == ' ') {
      out += kSpace;
    } else {
      out += c;
    }
  }
  return out;
}

bool is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

bool is_one_character(std::string_view bytes) {
  return base::find_invalid_utf8(bytes) == std::string_view::npos;
}

}  // namespace

base::Result<std::shared_ptr<const CharBpeModel>> CharBpeModel::build(CharVocabulary vocabulary,
                                                                      CharBpeRules rules) {
  auto bpe = Bpe::build(vocabulary.vocabulary);
  if (!bpe) {
    return std::move(bpe).error();
  }
  return std::shared_ptr<const CharBpeModel>(
      new CharBpeModel(*std::move(bpe), std::move(vocabulary), rules));
}

CharBpeModel::CharBpeModel(std::unique_ptr<const Bpe> bpe, CharVocabulary vocabulary,
                           CharBpeRules rules)
    : bpe_(std::move(bpe)),
      rules_(rules),
      byte_ids_(vocabulary.byte_ids),
      newline_ids_(std::move(vocabulary.newline_ids)),
      ties_(std::move(vocabulary.ties)) {
  std::size_t texts = bpe_->guards();
  for (const CharVocabulary::Ties& ties : ties_) {
    texts += ties.texts.size();
  }
  is_always_doubtful_ = texts > kGuardsMax;
  set_order(vocabulary);
  set_joins(vocabulary.vocabulary);
  set_spellings(vocabulary.vocabulary, vocabulary.ids);
}

bool CharBpeModel::write(TableWriter& writer) const {
  writer(std::string(kTablesName));
  bpe_->write(writer);
  tables(*this, writer);
  writer(static_cast<std::uint64_t>(ties_.size()));
  for (const CharVocabulary::Ties& ties : ties_) {
    archive_texts(ties.texts, writer);
    writer(ties.one_is_enough);
  }
  writer(static_cast<std::uint64_t>(spellings_.size()));
  for (const auto& [token, spelling] : spellings_) {
    writer(token);
    writer(spelling);
  }
  return true;
}

std::shared_ptr<const Model> CharBpeModel::read(TableReader& reader) {
  const std::shared_ptr<CharBpeModel> model(new CharBpeModel());
  model->bpe_ = Bpe::read(reader);
  tables(*model, reader);
  model->ties_.resize(reader.elements(kTiesBytesMin));
  for (CharVocabulary::Ties& ties : model->ties_) {
    archive_texts(ties.texts, reader);
    reader(ties.one_is_enough);
  }
  for (std::size_t left = reader.elements(kSpellingBytesMin); left > 0 && reader.ok(); --left) {
    std::uint32_t token = 0;
    std::string spelling;
    reader(token);
    reader(spelling);
    model->spellings_.emplace(token, std::move(spelling));
  }
  return reader.ok() && model->bpe_ != nullptr && model->is_sound() ? model : nullptr;
}

bool CharBpeModel::is_sound() const {
  const std::size_t tokens = bpe_->size();
  if (order_.size() != tokens || ids_.size() != tokens || counts_.size() != tokens ||
      joins_.size() != std::size_t{1} << 16) {
    return false;
  }
  for (std::uint32_t token = 0; token < tokens; ++token) {
    if (ids_[token] == kNoId && !spellings_.contains(token)) {
      return false;
    }
  }
  return true;
}

void CharBpeModel::set_order(const CharVocabulary& vocabulary) {
  for (std::uint32_t token = 0; token < vocabulary.vocabulary.size(); ++token) {
    order_.push_back(vocabulary.order[bpe_->published(token)]);
    ids_.push_back(vocabulary.ids[bpe_->published(token)]);
  }
}

// Bytes that meet in a merge follow each other in a token: the last of its left part, the first of
// its right part.
void CharBpeModel::set_joins(const Vocabulary& vocabulary) {
  joins_.assign(std::size_t{1} << 16, 0);
  std::vector<std::uint8_t> first(vocabulary.size());
  std::vector<std::uint8_t> last(vocabulary.size());
  std::copy(vocabulary.bytes.begin(), vocabulary.bytes.end(), first.begin());
  std::copy(vocabulary.bytes.begin(), vocabulary.bytes.end(), last.begin());
  std::vector<bool> is_known(vocabulary.size());
  std::fill_n(is_known.begin(), kByteTokens, true);
  for (bool goes_on = true; goes_on;) {  // parts may come later: a few rounds
    goes_on = false;
    for (std::uint32_t i = 0; i < vocabulary.merges.size(); ++i) {
      const Pair& parts = vocabulary.merges[i];
      const std::uint32_t token = kByteTokens + i;
      if (is_known[token] || !is_known[parts.left] || !is_known[parts.right]) {
        continue;
      }
      is_known[token] = goes_on = true;
      first[token] = first[parts.left];
      last[token] = last[parts.right];
      joins_[std::size_t{last[parts.left]} << 8 | first[parts.right]] = 1;
    }
  }
  for (std::size_t byte = 0; rules_.newlines_apart && byte < 256; ++byte) {
    if (byte != '\n') {
      joins_[byte << 8 | '\n'] = joins_[std::size_t{'\n'} << 8 | byte] = 0;
    }
  }
  if (rules_.newlines_apart) {
    joins_[std::size_t{'\n'} << 8 | '\n'] = 1;
  }
}

void CharBpeModel::set_spellings(const Vocabulary& vocabulary,
                                 const std::vector<std::uint32_t>& ids) {
  std::vector<std::string> texts(vocabulary.size());
  counts_.assign(vocabulary.size(), 1);
  for (std::uint32_t token = 0; token < vocabulary.size(); ++token) {
    const std::uint32_t number = bpe_->published(token);
    if (ids[number] != kNoId) {
      continue;
    }
    std::string bytes;
    std::vector<std::uint32_t> open = {number};
    while (!open.empty()) {
      const std::uint32_t next = open.back();
      open.pop_back();
      if (next < kByteTokens) {
        bytes += static_cast<char>(vocabulary.bytes[next]);
      } else {
        open.push_back(vocabulary.merges[next - kByteTokens].right);
        open.push_back(vocabulary.merges[next - kByteTokens].left);
      }
    }
    bytes = bytes == " " ? std::string(kSpace) : bytes;
    counts_[token] = static_cast<std::uint8_t>(bytes_count(bytes));
    may_cache_ = may_cache_ && (bytes.size() <= 1 || bytes != kSpace);
    spellings_.emplace(token, std::move(bytes));
  }
}

std::uint64_t CharBpeModel::bytes_count(std::string_view bytes) const {
  return !rules_.drops_unknown_bytes
             ? bytes.size()
             : static_cast<std::uint64_t>(
                   std::count_if(bytes.begin(), bytes.end(), [this](char byte) {
                     return byte_ids_[static_cast<std::uint8_t>(byte)] != kNoId;
                   }));
}

void CharBpeModel::append_bytes(std::string_view bytes, std::vector<std::uint32_t>& out) const {
  for (const char byte : bytes) {
    const std::uint32_t id = byte_ids_[static_cast<std::uint8_t>(byte)];
    if (id != kNoId || !rules_.drops_unknown_bytes) {
      out.push_back(id);
    }
  }
}

// `on_piece` gets text without U+2581, `on_bytes` characters that are no valid UTF-8.
template <class OnPiece, class OnBytes>
void CharBpeModel::for_each_run(std::string_view text, bool adds_space, Work& work,
                                OnPiece on_piece, OnBytes on_bytes) const {
  if (base::find_invalid_utf8(text) != std::string_view::npos) {
    if (!rules_.repairs_utf8) {
      const std::string wide = with_wide_spaces((adds_space ? " " : "") + std::string(text));
      std::string run;
      for (std::string_view rest = wide; !rest.empty();) {
        const std::string_view character = rest.substr(0, utf8_length(rest[0]));
        rest.remove_prefix(character.size());
        if (is_one_character(character)) {
          run += character;
          continue;
        }
        cut(with_spaces(run), on_piece);
        run.clear();
        on_bytes(character);
      }
      cut(with_spaces(run), on_piece);
      return;
    }
    text = repair_utf8(text, work.repaired);
  }
  if (text.find(kSpace) != std::string_view::npos) {
    work.buffer = with_spaces(text);
    text = work.buffer;
  }
  if (adds_space) {
    work.spaced.assign(1, ' ').append(text);
    text = work.spaced;
  }
  cut(text, on_piece);
}

template <class OnPiece>
void CharBpeModel::cut(std::string_view text, OnPiece on_piece) const {
  const char* p = text.data();
  const char* end = p + text.size();
  while (p < end) {
    const char* start = p++;
    while (p < end && joins(p[-1], p[0])) {
      ++p;
    }
    on_piece(std::string_view(start, static_cast<std::size_t>(p - start)),
             static_cast<std::size_t>(end - start));
  }
}

std::uint64_t CharBpeModel::count(std::string_view text, Work& work) const {
  return count_run(text, rules_.adds_space, work);
}

std::uint64_t CharBpeModel::count_rest(std::string_view text, Work& work) const {
  return count_run(text, false, work);
}

std::size_t CharBpeModel::last_cut(std::string_view text) const {
  return last_place(text, [this](const char* p) { return is_cut(p); });
}

// Between characters that no token holds side by side. They and those before them must be whole: a
// damaged one takes up to three bytes behind it along. Not behind white space, which may belong to
// a special token before it.
bool CharBpeModel::is_cut(const char* p) const {
  constexpr std::size_t kTakenAlong = 3;
  constexpr std::size_t kHanBytes = 3;
  const bool is_whole =
      is_ascii(p - kTakenAlong, kTakenAlong + 1) ||
      (is_common_han(p - 2 * kHanBytes) && is_common_han(p - kHanBytes) && is_common_han(p));
  return is_whole && !is_blank(p[-1]) && p[0] != '\n' && !joins(p[-1], p[0]);
}

std::uint64_t CharBpeModel::count_run(std::string_view text, bool adds_space, Work& work) const {
  std::uint64_t tokens = 0;
  for_each_run(
      text, adds_space, work,
      [&](std::string_view piece, std::size_t readable) {
        tokens += count_piece(piece, readable, work);
      },
      [&](std::string_view bytes) { tokens += bytes_count(bytes); });
  return tokens;
}

std::size_t CharBpeModel::count_piece(std::string_view piece, std::size_t readable,
                                      Work& work) const {
  if (newlines_id(piece) != kNoId) {
    return 1;
  }
  PieceCache* cache = work.cache.get();
  const bool cached = cache != nullptr && may_cache_ && piece.size() <= PieceCache::kPieceBytesMax;
  PieceCache::Key key;
  if (cached) {
    key = PieceCache::key_of(piece, readable);
    if (const std::size_t known = cache->find(key)) {
      return known;
    }
  }
  const std::size_t merged = merge(piece, work);
  std::size_t tokens = 0;
  for (std::size_t i = 0; i < merged; ++i) {
    tokens += counts_[work.bpe.tokens()[i]];
  }
  if (cached) {
    cache->store(key, tokens);
  }
  return tokens;
}

std::uint32_t CharBpeModel::newlines_id(std::string_view piece) const {
  const bool is_run = rules_.takes_whole_newlines && piece[0] == '\n';
  return is_run && piece.size() < newline_ids_.size() ? newline_ids_[piece.size()] : kNoId;
}

// Leaves the tokens in the scratch and returns how many there are.
std::size_t CharBpeModel::merge(std::string_view piece, Work& work) const {
  if (!is_doubtful(piece)) {
    return bpe_->merge(piece, work.bpe);
  }
  return heap_merge(*bpe_, piece, work.bpe.room(piece.size()), order_);
}

// Whether two different tokens that merge at the same time may both come to be in the piece.
bool CharBpeModel::is_doubtful(std::string_view piece) const {
  if (is_always_doubtful_) {
    return true;
  }
  return std::any_of(ties_.begin(), ties_.end(), [piece](const CharVocabulary::Ties& ties) {
    std::size_t found = ties.one_is_enough ? 1 : 0;
    for (const std::string& text : ties.texts) {
      found += piece.find(text) != std::string_view::npos ? 1 : 0;
      if (found == 2) {
        return true;
      }
    }
    return false;
  });
}

void CharBpeModel::encode(std::string_view text, Work& work,
                          std::vector<std::uint32_t>& out) const {
  const auto encode_piece = [&](std::string_view piece, std::size_t) {
    if (const std::uint32_t id = newlines_id(piece); id != kNoId) {
      out.push_back(id);
      return;
    }
    const std::size_t merged = merge(piece, work);
    for (std::size_t i = 0; i < merged; ++i) {
      const std::uint32_t token = work.bpe.tokens()[i];
      if (ids_[token] != kNoId) {
        out.push_back(ids_[token]);
      } else {
        append_bytes(spellings_.at(token), out);
      }
    }
  };
  for_each_run(text, rules_.adds_space, work, encode_piece,
               [&](std::string_view bytes) { append_bytes(bytes, out); });
}

}  // namespace weir::tokenizer
