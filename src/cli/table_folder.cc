#include "table_folder.h"

#include <utility>

namespace weir::cli {

TableFolder::TableFolder(const config::Environment& environment, log::Logger* logger)
    : logger_(logger) {
  if (auto path = config::cache_folder(environment)) {
    folder_.emplace(*std::move(path));
  }
}

void TableFolder::note(std::string_view what, const base::Error& error) {
  if (logger_ != nullptr) {
    logger_->write(log::Level::kDebug, what, {{"cause", error.message}});
  }
}

std::optional<std::string> TableFolder::read(const std::string& name) {
  if (!folder_) {
    return std::nullopt;
  }
  auto bytes = folder_->read(name, kFileBytesMax);
  if (!bytes) {
    note("no tables of the vocabulary are kept", bytes.error());
    return std::nullopt;
  }
  return *std::move(bytes);
}

void TableFolder::write(const std::string& name, std::string_view bytes) {
  if (!folder_) {
    return;
  }
  if (auto written = folder_->write(name, bytes); !written) {
    note("the tables of the vocabulary cannot be kept", written.error());
  }
}

}  // namespace weir::cli
