#include "bpe_model.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "embedded.h"
#include "pre_tokenizers.h"
#include "repair_utf8.h"
#include "safe_cut.h"

namespace weir::tokenizer {
namespace {

constexpr std::size_t kPieceBytesMin = 12;  // of a piece in the tables: its length and its id
constexpr std::size_t kBatch = 128;         // pieces that are split off in one go

// Calls `use(piece, readable)` for each piece; `readable` bytes may be read from its start on.
template <class Use>
void for_each_piece(Splitter split, const CharClasses& classes, std::string_view text, Use use) {
  std::array<std::uint32_t, kBatch> ends{};
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t pieces = split(classes, text, from, ends);
    for (std::size_t i = 0; i < pieces; ++i) {
      use(text.substr(from, ends[i] - from), text.size() - from);
      from = ends[i];
    }
  }
}

// As llama.cpp reads it. Throws when the text becomes too long for the splitters.
std::string_view valid_text(std::string_view text, std::string& buffer) {
  const std::string_view valid = repair_utf8(text, buffer);
  if (valid.size() > Tokenizer::kTextBytesMax) {
    throw std::bad_alloc();
  }
  return valid;
}

}  // namespace

BpeModel::BpeModel(std::shared_ptr<const Bpe> bpe, CharClasses classes, Splitter splitter,
                   ModelExtras extras)
    : bpe_(std::move(bpe)),
      classes_(std::move(classes)),
      split_(splitter),
      extras_(std::move(extras)),
      drops_bytes_(std::count(extras_.is_dropped.begin(), extras_.is_dropped.end(), true) > 0) {
  for (const auto& [piece, id] : extras_.whole_pieces) {
    whole_bytes_max_ = std::max(whole_bytes_max_, piece.size());
  }
  longest_token_ = std::max<std::size_t>(bpe_->token_bytes_max(), whole_bytes_max_);
}

// Counts pieces with a cache: some at a time, so that the memory of one is fetched while the
// others are looked at.
class BpeModel::Counter {
 public:
  Counter(const BpeModel& model, Work& work)
      : model_(model), cache_(*work.cache.get()), scratch_(work.bpe) {}

  // `readable` bytes may be read from the piece's start on.
  void add(std::string_view piece, std::size_t readable) {
    if (piece.size() == 1) {
      ++tokens_;
    } else if (piece.size() <= PieceCache::kPieceBytesMax) {
      add_short(piece, readable);
    } else if (model_.extras_.whole_pieces.empty()) {
      add_long(piece, readable);
    } else {
      tokens_ += model_.merge_piece(piece, scratch_);  // a part of it must not be taken for a piece
    }
  }

  std::uint64_t finish() {
    look_up();
    return tokens_;
  }

 private:
  static constexpr std::size_t kWaitingMax = 32;

  struct Waiting {
    PieceCache::Key key;
    std::string_view piece;
  };

  void add_short(std::string_view piece, std::size_t readable) {
    const PieceCache::Key key = PieceCache::key_of(piece, readable);
    cache_.prefetch(key);
    waiting_[count_] = {key, piece};
    if (++count_ == kWaitingMax) {
      look_up();
    }
  }

  // What comes before Chinese, a space or a word, comes again.
  void add_long(std::string_view piece, std::size_t readable) {
    if (static_cast<std::uint8_t>(piece[0]) < 0x80) {
      const std::size_t bytes = model_.bpe_->first_cut(piece);
      const std::string_view part = piece.substr(0, bytes);
      if (bytes <= PieceCache::kPieceBytesMax) {
        add_short(part, readable);
      } else {
        tokens_ += model_.bpe_->merge(part, scratch_);
      }
      piece.remove_prefix(bytes);
    }
    if (!piece.empty()) {
      tokens_ += model_.bpe_->count(piece, scratch_);
    }
  }

  void look_up() {
    for (std::size_t i = 0; i < count_; ++i) {
      const auto& [key, piece] = waiting_[i];
      std::size_t tokens = cache_.find(key);
      if (tokens == 0) {
        tokens = model_.merge_piece(piece, scratch_);
        cache_.store(key, tokens);
      }
      tokens_ += tokens;
    }
    count_ = 0;
  }

  const BpeModel& model_;
  PieceCache& cache_;
  BpeScratch& scratch_;
  std::array<Waiting, kWaitingMax> waiting_;
  std::size_t count_ = 0;
  std::uint64_t tokens_ = 0;
};

std::uint64_t BpeModel::count(std::string_view text, Work& work) const {
  text = valid_text(text, work.repaired);
  std::uint64_t tokens = 0;
  if (work.cache.get() == nullptr) {
    for_each_piece(split_, classes_, text, [&](std::string_view piece, std::size_t) {
      tokens += piece.size() == 1 ? 1 : merge_piece(piece, work.bpe);
    });
  } else {
    Counter counter(*this, work);
    for_each_piece(split_, classes_, text, [&](std::string_view piece, std::size_t readable) {
      counter.add(piece, readable);
    });
    tokens = counter.finish();
  }
  return drops_bytes_ ? tokens - dropped_in(text) : tokens;
}

std::size_t BpeModel::last_cut(std::string_view text) const {
  const IsPlace is_place = places_between_pieces(split_);
  return is_place == nullptr ? 0 : last_place(text, is_place);
}

// A byte that is no token is part of no merge: it stands alone wherever it occurs.
std::uint64_t BpeModel::dropped_in(std::string_view text) const {
  return static_cast<std::uint64_t>(std::count_if(text.begin(), text.end(), [this](char byte) {
    return extras_.is_dropped[static_cast<std::uint8_t>(byte)];
  }));
}

// The id of a piece that is a token as it is, or nullptr.
const std::uint32_t* BpeModel::find_whole(std::string_view piece) const {
  if (piece.size() > whole_bytes_max_) {
    return nullptr;
  }
  const auto found = extras_.whole_pieces.find(std::string(piece));
  return found == extras_.whole_pieces.end() ? nullptr : &found->second;
}

std::size_t BpeModel::merge_piece(std::string_view piece, BpeScratch& scratch) const {
  return find_whole(piece) != nullptr ? 1 : bpe_->count(piece, scratch);
}

void BpeModel::encode(std::string_view text, Work& work, std::vector<std::uint32_t>& out) const {
  text = valid_text(text, work.repaired);
  for_each_piece(split_, classes_, text,
                 [&](std::string_view piece, std::size_t) { encode_piece(piece, work, out); });
}

void BpeModel::encode_piece(std::string_view piece, Work& work,
                            std::vector<std::uint32_t>& out) const {
  if (const std::uint32_t* id = find_whole(piece)) {
    out.push_back(*id);
    return;
  }
  const std::size_t from = out.size();
  bpe_->encode(piece, work.bpe, out);
  if (extras_.ids.empty()) {
    return;
  }
  const auto start = out.begin() + static_cast<std::ptrdiff_t>(from);
  std::transform(start, out.end(), start,
                 [this](std::uint32_t token) { return extras_.ids[token]; });
  out.erase(std::remove(start, out.end(), kNoId), out.end());
}

bool BpeModel::write(TableWriter& writer) const {
  const std::string_view splitter = name_of(split_);
  if (splitter.empty()) {
    return false;
  }
  writer(std::string(kTablesName));
  writer(std::string(splitter));
  bpe_->write(writer);
  tables(extras_, writer);
  writer(static_cast<std::uint64_t>(extras_.whole_pieces.size()));
  for (const auto& [piece, id] : extras_.whole_pieces) {
    writer(piece);
    writer(id);
  }
  return true;
}

std::shared_ptr<const Model> BpeModel::read(TableReader& reader) {
  std::string splitter;
  reader(splitter);
  const PreTokenizer* pre = find_pre_tokenizer(splitter);
  std::unique_ptr<const Bpe> bpe = Bpe::read(reader);
  auto classes = builtin_classes();
  ModelExtras extras;
  tables(extras, reader);
  for (std::size_t left = reader.elements(kPieceBytesMin); left > 0 && reader.ok(); --left) {
    std::string piece;
    std::uint32_t id = 0;
    reader(piece);
    reader(id);
    extras.whole_pieces.emplace(std::move(piece), id);
  }
  const bool has_ids = bpe != nullptr && extras.ids.size() == bpe->size();
  if (!reader.ok() || pre == nullptr || bpe == nullptr || !classes ||
      !(has_ids || extras.ids.empty())) {
    return nullptr;
  }
  return std::make_shared<BpeModel>(std::move(bpe), *std::move(classes), pre->splitter,
                                    std::move(extras));
}

base::Result<CharClasses> builtin_classes() {
  return CharClasses::read(embedded::unicode15_classes());
}

base::Result<std::shared_ptr<const Model>> build_model(std::string_view bpe,
                                                       std::string_view splitter) {
  const PreTokenizer* pre = find_pre_tokenizer(splitter);
  if (pre == nullptr) {
    return base::Error{base::ErrorCode::kBadConfig,
                       "unknown splitter: " + std::string(splitter.substr(0, 64))};
  }
  auto vocabulary = read_bpe_pairs(bpe);
  if (!vocabulary) {
    return std::move(vocabulary).error();
  }
  auto classes = builtin_classes();
  if (!classes) {
    return std::move(classes).error();
  }
  auto built = Bpe::build(*std::move(vocabulary));
  if (!built) {
    return std::move(built).error();
  }
  return std::shared_ptr<const Model>(
      std::make_shared<BpeModel>(*std::move(built), *std::move(classes), pre->splitter));
}

}  // namespace weir::tokenizer
