#include "weir/config/load.h"

#include <fstream>
#include <iterator>

#include "document.h"
#include "loop.h"
#include "source_text.h"
#include "tables.h"
#include "weir/base/text.h"

namespace weir::config {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

constexpr std::uint64_t kFileBytesMax = 1048576;

const std::vector<std::string_view> kTables{"server",  "provider",  "local",
                                            "routing", "tokenizer", "log"};

std::filesystem::path absolute_directory(const std::filesystem::path& file,
                                         const Environment& environment) {
  const std::filesystem::path directory = file.parent_path();
  return directory.is_absolute() ? directory
                                 : (environment.working_directory / directory).lexically_normal();
}

// The table `name` of the file; an empty one when the file has none, or something else there.
Node table_of(Reading& reading, const Node& root, std::string_view name) {
  const Entry* entry = entry_of(root, name);
  if (entry == nullptr) {
    return {};
  }
  if (entry->node.kind != Node::Kind::kTable) {
    reading.fault(entry->place, std::string(name),
                  "a table is needed; write [" + std::string(name) + "] and its keys below it");
    return {};
  }
  return entry->node;
}

// A key of an API wherever it stands, also in a table that nobody knows: no message may show it.
void hide_keys(Reading& reading, const Node& node) {
  for (const Entry& entry : node.entries) {
    const std::string name = base::ascii_lower(std::string_view(entry.key));
    const bool is_key = name.find("key") != std::string::npos || name.ends_with("token") ||
                        name.find("secret") != std::string::npos;
    if (is_key && name != "tls_key" && entry.node.kind == Node::Kind::kText) {
      reading.hide(entry.node.text);
    }
    hide_keys(reading, entry.node);
  }
  for (const Node& item : node.items) {
    hide_keys(reading, item);
  }
}

void check_loops(Reading& reading, const Node& root, const Config& config) {
  for (const Upstream& upstream : config.upstreams) {
    const auto fault = loop_fault(config.server, upstream);
    const Entry* kind = entry_of(root, upstream.kind == UpstreamKind::kLocal ? "local" : "provider");
    const Entry* table = kind == nullptr ? nullptr : entry_of(kind->node, upstream.name);
    const Entry* address = table == nullptr ? nullptr : entry_of(table->node, "base_url");
    if (fault && address != nullptr) {
      reading.fault(address->node.place, upstream.full_name() + ".base_url", *fault);
    }
  }
}

void read_root(Reading& reading, const Node& root, Config& into) {
  TopLevel top;
  read_rows(reading, root, {"", ""}, top_rows(), top, kTables);
  if (const Entry* timeout = entry_of(root, "timeout")) {
    top.timeout_origin = reading.origin_at(timeout->place);
  }
  read_server(reading, table_of(reading, root, "server"), into.server);
  read_upstreams(reading, root, top, into.upstreams);
  check_loops(reading, root, into);
  read_routing(reading, table_of(reading, root, "routing"), into.upstreams, into.routing);
  read_rows(reading, table_of(reading, root, "tokenizer"), {"tokenizer", "tokenizer"},
            tokenizer_rows(), into.tokenizer);
  read_rows(reading, table_of(reading, root, "log"), {"log", "log"}, log_rows(), into.log);
}

}  // namespace

std::optional<std::string> Environment::get(std::string_view name) const {
  return variable ? variable(name) : std::nullopt;
}

Result<Loaded> parse_config(std::string_view text, const std::filesystem::path& path,
                            const Environment& environment) {
  const std::filesystem::path directory = absolute_directory(path, environment);
  Reading reading(path, directory, environment);
  Loaded loaded;
  loaded.config.path = path.empty() ? path : directory / path.filename();
  std::string_view toml;
  if (auto wrong = take_utf8(text, toml)) {
    reading.fault(wrong->place, wrong->key, wrong->text);
    return Error{ErrorCode::kBadConfig, reading.fault_lines()};
  }
  const Document document = parse_document(toml);
  for (const Fault& fault : document.faults) {
    reading.fault(fault.place, fault.key, fault.text);
  }
  reading.is_partial = document.is_partial;
  hide_keys(reading, document.root);
  read_root(reading, document.root, loaded.config);
  if (reading.fault_count() > 0) {
    return Error{ErrorCode::kBadConfig, reading.fault_lines()};
  }
  loaded.warnings = reading.warning_lines();
  loaded.settings = reading.take_settings();
  loaded.variables.assign(reading.variables.begin(), reading.variables.end());
  loaded.credentials.assign(reading.credentials.begin(), reading.credentials.end());
  loaded.files.assign(reading.files.begin(), reading.files.end());
  return loaded;
}

Result<Loaded> load_config(const std::filesystem::path& path, const Environment& environment) {
  const std::filesystem::path file =
      path.is_absolute() ? path : environment.working_directory / path;
  std::error_code failed;
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file, failed)) {
    return Error{ErrorCode::kCannotRun,
                 "cannot read " + utf8_of(path) + "; check that it is a file and may be read"};
  }
  std::string bytes(kFileBytesMax + 1, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  if (bytes.size() > kFileBytesMax) {
    return Error{ErrorCode::kBadConfig, utf8_of(path) + ": larger than 1 MiB; this is no config"};
  }
  return parse_config(bytes, path, environment);
}

}  // namespace weir::config
