#pragma once

// Keeps the tables of vocabularies in the user's cache folder.

#include <optional>

#include "weir/config/load.h"
#include "weir/log/logger.h"
#include "weir/os/cache_folder.h"
#include "weir/tokenizer/table_store.h"

namespace weir::cli {

// What does not work is a debug line, if there is a log: everything goes without.
class TableFolder : public tokenizer::TableStore {
 public:
  explicit TableFolder(const config::Environment& environment, log::Logger* logger = nullptr);

  std::optional<std::string> read(const std::string& name) override;
  void write(const std::string& name, std::string_view bytes) override;

 private:
  void note(std::string_view what, const base::Error& error);

  std::optional<os::CacheFolder> folder_;
  log::Logger* logger_;
};

}  // namespace weir::cli
