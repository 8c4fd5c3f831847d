#include "gguf_tables.h"

#include <string_view>
#include <utility>

#include "bpe_model.h"
#include "char_bpe_model.h"
#include "table_archive.h"
#include "table_file.h"

namespace weir::tokenizer {
namespace {

constexpr std::size_t kSpecialBytesMin = 15;  // of one in the tables: id, length of its text, three flags

// The bindings name every member, so that none is forgotten when one is added; raise kFormat then.
template <class Special, class Archive>
void special_tables(Special& special, Archive& archive) {
  auto& [id, kind, text, strips_before, strips_after] = special;
  bool is_user = kind == SpecialToken::Kind::kUser;
  archive(id);
  archive(is_user);
  archive(text);
  archive(strips_before);
  archive(strips_after);
  if constexpr (std::same_as<Archive, TableReader>) {
    kind = is_user ? SpecialToken::Kind::kUser : SpecialToken::Kind::kControl;
  }
}

template <class Parts, class Archive>
void other_tables(Parts& parts, Archive& archive) {
  auto& [why_estimate, added_tokens] = parts.facts;
  archive(why_estimate);
  archive(added_tokens);
  auto& [tokenizer, model_name, chat_template, bos, eos, adds_bos, adds_eos] = parts.rest;
  archive(model_name);
  archive(chat_template);
  archive(bos);
  archive(eos);
  archive(adds_bos);
  archive(adds_eos);
}

std::shared_ptr<const Model> read_model(TableReader& reader) {
  std::string kind;
  reader(kind);
  return kind == BpeModel::kTablesName       ? BpeModel::read(reader)
         : kind == CharBpeModel::kTablesName ? CharBpeModel::read(reader)
                                             : nullptr;
}

std::optional<GgufParts> read_parts(std::string_view tables) {
  TableReader reader(tables);
  GgufParts parts;
  parts.model = read_model(reader);
  parts.special_tokens.resize(reader.elements(kSpecialBytesMin));
  for (SpecialToken& special : parts.special_tokens) {
    special_tables(special, reader);
    if (special.text.empty()) {
      reader.fail();
    }
  }
  other_tables(parts, reader);
  return parts.model != nullptr && reader.is_at_end() ? std::optional(std::move(parts))
                                                      : std::nullopt;
}

}  // namespace

std::optional<GgufParts> read_gguf_tables(const std::string& path, TableStore& store) {
  const std::optional<std::string> file = store.read(table_name_of(path));
  const auto sealed = file ? open_tables(*file) : std::nullopt;
  if (!sealed || key_of_gguf(path, sealed->key.header_bytes) != sealed->key) {
    return std::nullopt;
  }
  return read_parts(sealed->tables);
}

void write_gguf_tables(const std::string& path, std::uint64_t header_bytes, const GgufParts& parts,
                       TableStore& store) {
  const auto key = key_of_gguf(path, header_bytes);
  TableWriter writer;
  if (!key || !parts.model->write(writer)) {
    return;
  }
  writer(static_cast<std::uint64_t>(parts.special_tokens.size()));
  for (const SpecialToken& special : parts.special_tokens) {
    special_tables(special, writer);
  }
  other_tables(parts, writer);
  const std::string sealed = seal_tables(*key, writer.bytes());
  if (sealed.size() <= TableStore::kFileBytesMax) {
    store.write(table_name_of(path), sealed);
  }
}

}  // namespace weir::tokenizer
