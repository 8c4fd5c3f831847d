#pragma once

// A table of the file is a list of rows: key, how to read it, an example, one line of what it does.
// Reading, printing and the documentation all go through the same rows.

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "reading.h"
#include "shown.h"
#include "unknown_key.h"

namespace weir::config {

template <class T>
struct Field {
  std::string_view type;
  std::string_view unit;
  std::function<void(const Value&, T&)> read;
  std::function<std::string(const T&)> show;  // as TOML, empty: not set; none for a table
};

template <class T>
struct Row {
  std::string_view key;
  Field<T> field;
  std::string_view example;  // the value
  std::string_view summary;
  bool is_required = false;
};

template <class M>
struct Held {
  using Type = M;
};
template <class M>
struct Held<std::optional<M>> {
  using Type = M;
};

template <class T, class M>
Field<T> whole(M T::*member, Range range, std::string_view unit) {
  return {"integer", unit,
          [=](const Value& value, T& into) {
            if (const auto found = value.integer(range)) {
              into.*member = static_cast<typename Held<M>::Type>(*found);
            }
          },
          [=](const T& from) { return shown(from.*member); }};
}

template <class T>
Field<T> seconds(Seconds T::*member, NumberRange range) {
  return {"number", "seconds",
          [=](const Value& value, T& into) {
            if (const auto found = value.number(range)) {
              into.*member = Seconds(*found);
            }
          },
          [=](const T& from) { return shown(from.*member); }};
}

template <class T>
Field<T> number(std::optional<double> T::*member, NumberRange range) {
  return {"number", "",
          [=](const Value& value, T& into) {
            if (const auto found = value.number(range)) {
              into.*member = *found;
            }
          },
          [=](const T& from) { return shown(from.*member); }};
}

template <class T, class M>
Field<T> flag(M T::*member) {
  return {"flag", "",
          [=](const Value& value, T& into) {
            if (const auto found = value.flag()) {
              into.*member = *found;
            }
          },
          [=](const T& from) { return shown(from.*member); }};
}

template <class T>
Field<T> path(std::filesystem::path T::*member) {
  return {"path", "",
          [=](const Value& value, T& into) {
            if (const auto found = value.path()) {
              into.*member = *found;
            }
          },
          [=](const T& from) { return shown(from.*member); }};
}

// The path of a file that weir reads.
template <class T>
Field<T> file(std::filesystem::path T::*member) {
  Field<T> field = path(member);
  field.read = [=](const Value& value, T& into) {
    if (const auto found = value.file()) {
      into.*member = *found;
    }
  };
  return field;
}

template <class T, class M>
Field<T> text(M T::*member) {
  return {"text", "",
          [=](const Value& value, T& into) {
            if (auto found = value.text()) {
              into.*member = std::move(*found);
            }
          },
          [=](const T& from) { return shown(from.*member); }};
}

template <class T>
Field<T> choice(std::string T::*member, const std::vector<std::string_view>& choices) {
  return {"text", "",
          [=](const Value& value, T& into) {
            if (auto found = value.choice(choices)) {
              into.*member = std::move(*found);
            }
          },
          [=](const T& from) { return shown(from.*member); }};
}

template <class T>
Field<T> secret(base::Secret T::*member, bool may_be_empty) {
  return {"key", "",
          [=](const Value& value, T& into) {
            if (auto found = value.secret(may_be_empty)) {
              into.*member = std::move(*found);
            }
          },
          [=](const T& from) { return shown(std::string((from.*member).redacted())); }};
}

// Which table is read: `name` as it stands in the file ("provider.taotoken"), `pattern` as in the
// documentation ("provider.NAME").
struct TableName {
  std::string name;
  std::string pattern;

  std::string full(std::string_view key) const {
    return name.empty() ? std::string(key) : name + "." + std::string(key);
  }
};

template <class T>
const Row<T>* row_of(const std::vector<Row<T>>& rows, std::string_view key) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row<T>& row) { return row.key == key; });
  return found == rows.end() ? nullptr : &*found;
}

// Where the value of `row` comes from. `default_origin` is for a row that is not in the file.
inline std::string origin_of(const Reading& reading, const std::string& full_key,
                             const Entry* entry) {
  if (entry == nullptr) {
    return "default";
  }
  const auto special = reading.origins.find(full_key);
  const std::string at = reading.origin_at(entry->place);
  return special == reading.origins.end() ? at : special->second + ", " + at;
}

inline const Entry* entry_of(const Node& table, std::string_view key) {
  const auto found = std::find_if(table.entries.begin(), table.entries.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  return found == table.entries.end() ? nullptr : &*found;
}

// Reports required rows that are missing and notes every value in force.
template <class T>
void settle_rows(Reading& reading, const Node& table, const TableName& name,
                 const std::vector<Row<T>>& rows, const T& into, std::size_t settings_at) {
  std::vector<Setting> own;
  for (const Row<T>& row : rows) {
    const Entry* entry = entry_of(table, row.key);
    if (entry == nullptr && row.is_required && !reading.is_partial) {
      reading.fault(table.place, name.full(row.key),
                    "is missing; write " + std::string(row.key) + " = " + std::string(row.example));
    }
    if (row.field.show) {
      own.push_back({name.name, std::string(row.key), row.field.show(into),
                     origin_of(reading, name.full(row.key), entry)});
    }
  }
  reading.settings.insert(reading.settings.begin() + static_cast<std::ptrdiff_t>(settings_at),
                          own.begin(), own.end());
}

// Reads `table` into `into`. `children` are the keys that the caller reads itself.
template <class T>
void read_rows(Reading& reading, const Node& table, const TableName& name,
               const std::vector<Row<T>>& rows, T& into,
               const std::vector<std::string_view>& children = {}) {
  const std::size_t settings_at = reading.settings.size();
  for (const Entry& entry : table.entries) {
    if (std::find(children.begin(), children.end(), entry.key) != children.end()) {
      continue;
    }
    const Row<T>* row = row_of(rows, entry.key);
    if (row == nullptr) {
      report_unknown(reading, entry, name.name, name.pattern);
      continue;
    }
    const std::string example = std::string(row->key) + " = " + std::string(row->example);
    row->field.read(Value{reading, entry.node, name.full(row->key), example}, into);
  }
  settle_rows(reading, table, name, rows, into, settings_at);
}

template <class T>
void add_docs(std::vector<KeyDoc>& docs, const std::string& pattern,
              const std::vector<Row<T>>& rows, const T& defaults) {
  for (const Row<T>& row : rows) {
    docs.push_back({pattern, std::string(row.key), std::string(row.field.type),
                    std::string(row.field.unit),
                    row.field.show ? row.field.show(defaults) : std::string(),
                    std::string(row.example), std::string(row.summary), row.is_required});
  }
}

}  // namespace weir::config
