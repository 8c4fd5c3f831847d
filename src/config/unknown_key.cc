#include "unknown_key.h"

#include <algorithm>
#include <array>

#include "shown.h"
#include "syntax_fault.h"
#include "weir/base/text.h"

namespace weir::config {
namespace {

// What other programs call it.
struct Synonym {
  std::string_view written;
  std::string_view known;
};
constexpr std::array kSynonyms{
    Synonym{"port", "listen"},
    Synonym{"host", "listen"},
    Synonym{"bind", "listen"},
    Synonym{"address", "listen"},
    Synonym{"token", "api_key"},
    Synonym{"key", "api_key"},
    Synonym{"url", "base_url"},
    Synonym{"endpoint", "base_url"},
    Synonym{"api_base", "base_url"},
    Synonym{"base", "base_url"},
    Synonym{"threshold", "threshold_tokens"},
    Synonym{"log_file", "file"},
    Synonym{"log_level", "level"},
    Synonym{"max_body", "body_bytes_max"},
    Synonym{"context", "context_tokens"},
    Synonym{"concurrency", "max_concurrent"},
    Synonym{"n_gpu_layers", "gpu_layers"},
    Synonym{"ngl", "gpu_layers"},
    Synonym{"route", "routing"},
    Synonym{"logging", "log"},
    Synonym{"upstream", "provider.NAME"},
    Synonym{"upstreams", "provider.NAME"},
};

std::string in_table(const std::string& table) {
  if (table == "server.keys") {
    return "in [[server.keys]]";
  }
  return table.empty() ? "at the top of the file" : "in [" + table + "]";
}

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

// "[provider.NAME] or [local.NAME]": every table that knows `key`.
std::string places_of(const std::vector<KeyDoc>& docs, std::string_view key) {
  std::vector<std::string> places;
  for (const KeyDoc& doc : docs) {
    const std::string place = in_table(doc.table);
    if (doc.key == key && !contains(places, place)) {
      places.push_back(place);
    }
  }
  std::string out;
  for (const std::string& place : places) {
    out += (out.empty() ? "" : " or ") + place;
  }
  return out;
}

// The key that other programs call `written`, when it is among `keys`.
std::string synonym_of(std::string_view written, const std::vector<std::string_view>& keys) {
  const auto found = std::find_if(kSynonyms.begin(), kSynonyms.end(), [&](const Synonym& synonym) {
    return synonym.written == written &&
           std::find(keys.begin(), keys.end(), synonym.known) != keys.end();
  });
  return found == kSynonyms.end() ? "" : std::string(found->known);
}

// "threshold" of "threshold_tokens" counts as that key: people leave the unit out.
std::string nearest_key(std::string_view written, const std::vector<std::string_view>& keys) {
  std::string synonym = synonym_of(written, keys);
  if (!synonym.empty()) {
    return synonym;
  }
  std::vector<std::string_view> candidates = keys;
  for (const std::string_view key : keys) {
    for (auto end = key.find('_'); end != std::string_view::npos; end = key.find('_', end + 1)) {
      if (end >= 5) {
        candidates.push_back(key.substr(0, end));
      }
    }
  }
  const std::string lowered = base::ascii_lower(written);
  const std::string_view nearest = base::nearest_of(lowered, candidates);
  if (nearest.empty() || std::find(keys.begin(), keys.end(), nearest) != keys.end()) {
    return std::string(nearest);
  }
  const auto whole = std::find_if(keys.begin(), keys.end(), [&](std::string_view key) {
    return key.starts_with(std::string(nearest) + "_");
  });
  return std::string(*whole);
}

std::vector<std::string_view> keys_of(const std::vector<KeyDoc>& docs, const std::string& table) {
  std::vector<std::string_view> keys;
  for (const KeyDoc& doc : docs) {
    if (doc.table == table) {
      keys.push_back(doc.key);
    }
  }
  return keys;
}

std::vector<std::string_view> all_keys(const std::vector<KeyDoc>& docs) {
  std::vector<std::string_view> keys;
  keys.reserve(docs.size());
  for (const KeyDoc& doc : docs) {
    keys.push_back(doc.key);
  }
  return keys;
}

std::string listed(const std::vector<std::string_view>& keys) {
  std::string out;
  for (const std::string_view key : keys) {
    out += (out.empty() ? "" : ", ") + std::string(key);
  }
  return out;
}

constexpr std::array<std::string_view, 6> kTables{"server",  "provider.NAME", "local.NAME",
                                                  "routing", "tokenizer",     "log"};
constexpr std::string_view kKnownTables =
    "[server], [provider.NAME], [local.NAME], [routing], [tokenizer] and [log]";

// An unknown table at top level.
std::string table_advice(const std::string& written) {
  std::vector<std::string_view> names(kTables.begin(), kTables.end());
  names.insert(names.end(), {"provider", "local"});
  const std::string nearest = nearest_key(written, names);
  if (nearest == "provider" || nearest == "local") {
    return "no such table; nearest is [" + nearest + ".NAME]";
  }
  if (!nearest.empty()) {
    return "no such table; nearest is [" + nearest + "]";
  }
  return "no such table; known are " + std::string(kKnownTables);
}

std::string near_advice(const std::string& near, const std::string& places) {
  return "unknown key; nearest is " + near + " " + places;
}

std::string key_advice(const std::string& written, const std::string& pattern, bool is_table) {
  const std::vector<KeyDoc> docs = known_keys();
  const std::vector<std::string_view> here = keys_of(docs, pattern);
  const std::string elsewhere = places_of(docs, written);
  const std::string near_here = nearest_key(written, here);
  // [provider.NAME.model] is a slip for models, although there are keys called model.
  if (!near_here.empty() && (is_table || !synonym_of(written, here).empty())) {
    return near_advice(near_here, in_table(pattern));
  }
  if (!elsewhere.empty()) {
    return "does not belong here; it belongs " + elsewhere;
  }
  if (!near_here.empty()) {
    return near_advice(near_here, in_table(pattern));
  }
  const std::string near_anywhere = nearest_key(written, all_keys(docs));
  if (!near_anywhere.empty()) {
    return near_advice(near_anywhere, places_of(docs, near_anywhere));
  }
  return "unknown key; known " + in_table(pattern) + " are " + listed(here) +
         (pattern.empty() ? " and " + std::string(kKnownTables) : "");
}

}  // namespace

void report_unknown(Reading& reading, const Entry& entry, const std::string& name,
                    const std::string& pattern) {
  if (entry.key.starts_with(kSkippedTable)) {
    return;
  }
  const std::string shown_key = shown_name(entry.key);
  const bool is_table = entry.node.kind == Node::Kind::kTable ||
                        (entry.node.kind == Node::Kind::kList && !entry.node.items.empty() &&
                         entry.node.items.front().kind == Node::Kind::kTable);
  reading.fault(entry.place, name.empty() ? shown_key : name + "." + shown_key,
                pattern.empty() && is_table ? table_advice(entry.key)
                                            : key_advice(entry.key, pattern, is_table));
}

}  // namespace weir::config
