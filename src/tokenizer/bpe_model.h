#pragma once

// Byte-level BPE: a splitter cuts the text into pieces, each is merged on its own.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bpe.h"
#include "char_classes.h"
#include "model.h"
#include "splitter.h"

namespace weir::tokenizer {

// What a model's own file has beside the merges.
struct ModelExtras {
  std::vector<std::uint32_t> ids;  // token -> the model's id; empty: the same
  // Pieces that are one token without any merge, with their ids.
  std::unordered_map<std::string, std::uint32_t> whole_pieces;
  std::array<bool, 256> is_dropped{};  // bytes that are no token and count nothing
};

class BpeModel final : public Model {
 public:
  static constexpr std::uint32_t kNoId = UINT32_MAX;  // of a dropped byte in `extras.ids`

  // `bpe` may be shared with models that split otherwise.
  BpeModel(std::shared_ptr<const Bpe> bpe, CharClasses classes, Splitter splitter,
           ModelExtras extras = {});

  // Bytes that are no valid UTF-8 are read as U+FFFD.
  std::uint64_t count(std::string_view text, Work& work) const override;
  void encode(std::string_view text, Work& work, std::vector<std::uint32_t>& out) const override;
  std::size_t last_cut(std::string_view text) const override;
  std::uint64_t tokens_per_byte_max() const override { return 1; }
  std::uint64_t token_bytes_max() const override { return drops_bytes_ ? 0 : longest_token_; }

  static constexpr std::string_view kTablesName = "bytes";
  bool write(TableWriter& writer) const override;
  // What was written behind the name; nullptr when it is damaged.
  static std::shared_ptr<const Model> read(TableReader& reader);

 private:
  template <class Extras, class Archive>
  static void tables(Extras& extras, Archive& archive) {
    archive(extras.ids);
    archive(extras.is_dropped);
  }
  class Counter;
  std::size_t merge_piece(std::string_view piece, BpeScratch& scratch) const;
  const std::uint32_t* find_whole(std::string_view piece) const;
  std::uint64_t dropped_in(std::string_view text) const;
  void encode_piece(std::string_view piece, Work& work, std::vector<std::uint32_t>& out) const;

  std::shared_ptr<const Bpe> bpe_;
  CharClasses classes_;
  Splitter split_;
  ModelExtras extras_;
  bool drops_bytes_;
  std::size_t whole_bytes_max_ = 0;
  std::size_t longest_token_ = 0;  // bytes
};

// The character classes that are linked in.
base::Result<CharClasses> builtin_classes();

}  // namespace weir::tokenizer
