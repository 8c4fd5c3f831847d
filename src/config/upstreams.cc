#include <algorithm>

#include "base_url.h"
#include "header_rules.h"
#include "secret_rules.h"
#include "tables.h"
#include "weir/base/text.h"

namespace weir::config {
namespace {

// Sets `member` to what `parse` makes of the text, or reports why not.
template <class M, class Parse>
Field<Upstream> parsed(M Upstream::*member, Parse parse,
                       std::function<std::string(const Upstream&)> show) {
  return {"text", "",
          [=](const Value& value, Upstream& into) {
            const auto text = value.text();
            if (!text) {
              return;
            }
            if (auto found = parse(*text)) {
              into.*member = std::move(*found);
            } else {
              value.fault(found.error().message);
            }
          },
          std::move(show)};
}

std::string show_base_url(const Upstream& upstream) {
  return upstream.base_url.host.empty() ? "" : in_quotes(upstream.base_url.text());
}

void read_proxy(const Value& value, Upstream& into) {
  const auto text = value.text();
  if (!text || text->empty()) {
    return;
  }
  if (auto found = parse_proxy(*text)) {
    into.proxy = *found;
  } else {
    value.fault(found.error().message);
  }
}

void read_one_alias(const Value& value, const std::string& alias, Upstream& into) {
  const auto id = value.text();
  if (alias == "auto" || base::trim_ascii(alias).empty()) {
    value.fault("an alias cannot be empty or \"auto\", which is weir's own word; choose another");
  } else if (id && base::trim_ascii(*id).empty()) {
    value.fault("the model id is empty; write what the provider calls the model");
  } else if (id) {
    into.models[alias] = base::trim_ascii(*id);
  }
}

void read_models(const Value& value, Upstream& into) {
  if (value.node.kind != Node::Kind::kTable) {
    value.wrong_type("a table of alias = \"model id\"");
    return;
  }
  for (const Entry& entry : value.node.entries) {
    read_one_alias(value.part(entry.node, shown_name(entry.key)), entry.key, into);
  }
}

std::string show_models(const Upstream& upstream) {
  std::string out;
  for (const auto& [alias, id] : upstream.models) {
    out += (out.empty() ? " " : ", ") + in_quotes(alias) + " = " + in_quotes(id);
  }
  return "{" + out + (out.empty() ? "}" : " }");
}

void read_model_name(const Value& value, Upstream& into) {
  const auto name = value.text();
  if (name && !base::trim_ascii(*name).empty()) {
    into.model = std::string(base::trim_ascii(*name));
  } else if (name) {
    value.fault("the name is empty; write what the server calls its model, or leave the key out");
  }
}

void read_launch(const Value& value, Upstream& into) {
  if (value.node.kind != Node::Kind::kTable) {
    value.wrong_type("a table");
    return;
  }
  Launch launch;
  read_rows(value.reading, value.node, {value.key, "local.NAME.launch"}, launch_rows(), launch);
  into.launch = std::move(launch);
}

void add_provider_rows(std::vector<Row<Upstream>>& rows) {
  rows.push_back({"models",
                  {"table", "", read_models, show_models},
                  "{ fast_chat = \"gpt-4o-mini\" }",
                  "alias = model id, for clients that ask by alias"});
}

void add_local_rows(std::vector<Row<Upstream>>& rows) {
  rows.push_back({"model",
                  {"text", "", read_model_name,
                   [](const Upstream& upstream) { return shown(upstream.model); }},
                  "\"Qwen3.6-35B-A3B\"",
                  "what the server calls its model; else asked from it"});
  rows.push_back({"queue_wait", seconds(&Upstream::queue_wait, kWaitOrNone), "2",
                  "wait for a free place before it counts as busy"});
  rows.push_back({"launch",
                  {"table", "", read_launch, nullptr},
                  "{ model = \"models/model.gguf\" }",
                  "how `weir launch` starts llama-server"});
}

// Used in headers, the log and the metrics, so plain letters only.
bool is_upstream_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (base::ascii_lower(c) >= 'a' && base::ascii_lower(c) <= 'z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '-' || c == '.';
  });
}

void check_name(Reading& reading, const Entry& entry, const Upstream& upstream) {
  const std::string key = kind_name(upstream.kind) + "." + shown_name(entry.key);
  if (!is_upstream_name(entry.key)) {
    reading.fault(entry.place, key,
                  "the name has other letters than a-z, A-Z, 0-9, _, - and ., or is too long; "
                  "choose a short plain one");
  } else if (entry.key == "auto" ||
             (entry.key == "local" && upstream.kind == UpstreamKind::kProvider)) {
    reading.fault(entry.place, key, "this name has a meaning of its own; choose another");
  }
}

// A value that was not in the table came from the top of the file.
void note_inherited_timeout(Reading& reading, const TopLevel& top, const std::string& table) {
  for (Setting& setting : reading.settings) {
    if (setting.table == table && setting.key == "timeout" && setting.origin == "default" &&
        !top.timeout_origin.empty()) {
      setting.origin = top.timeout_origin;
    }
  }
}

// The example's text was left as it is: it works until the first request goes there.
void warn_of_placeholder(Reading& reading, const Entry& table, const std::string& name,
                         const Upstream& upstream) {
  const Entry* entry = entry_of(table.node, "api_key");
  if (upstream.kind == UpstreamKind::kLocal || entry == nullptr ||
      !is_placeholder_key(upstream.api_key.reveal())) {
    return;
  }
  const std::string key = name + ".api_key";
  const auto origin = reading.origins.find(key);
  reading.warn(entry->node.place, key,
               "this is the placeholder of an example, not a key" +
                   (origin == reading.origins.end() ? "" : " (from " + origin->second + ")") +
                   "; write your own, or this upstream will refuse every request (401)");
}

void read_one(Reading& reading, const Entry& entry, const TopLevel& top, Upstream& into) {
  into.name = entry.key;
  into.timeout = top.timeout;
  check_name(reading, entry, into);
  const std::string kind = kind_name(into.kind);
  const TableName name{kind + "." + shown_name(entry.key), kind + ".NAME"};
  read_rows(reading, entry.node, name, upstream_rows(into.kind), into);
  note_inherited_timeout(reading, top, name.name);
  warn_of_placeholder(reading, entry, name.name, into);
}

void read_kind(Reading& reading, const Node& root, UpstreamKind kind, const TopLevel& top,
               std::vector<std::pair<Place, Upstream>>& found) {
  const std::string name = kind_name(kind);
  const Entry* group = entry_of(root, name);
  if (group == nullptr) {
    return;
  }
  if (group->node.kind != Node::Kind::kTable) {
    reading.fault(group->place, name, "a table with a name is needed; write [" + name + ".NAME]");
    return;
  }
  for (const Entry& entry : group->node.entries) {
    if (entry.node.kind == Node::Kind::kList) {
      reading.fault(entry.place, name + "." + shown_name(entry.key),
                    "one table is needed; write [" + name + ".NAME] in single brackets");
    } else if (entry.node.kind != Node::Kind::kTable) {
      report_unknown(reading, entry, name, "");
    } else {
      Upstream upstream = upstream_defaults(kind);
      read_one(reading, entry, top, upstream);
      found.emplace_back(entry.node.place, std::move(upstream));
    }
  }
}

}  // namespace

Upstream upstream_defaults(UpstreamKind kind) {
  Upstream upstream;
  upstream.kind = kind;
  if (kind == UpstreamKind::kLocal) {
    upstream.connect_timeout = Seconds(2);
  }
  return upstream;
}

std::string kind_name(UpstreamKind kind) {
  return kind == UpstreamKind::kLocal ? "local" : "provider";
}

std::string Upstream::full_name() const {
  return kind_name(kind) + "." + name;
}

std::vector<Row<Upstream>> upstream_rows(UpstreamKind kind) {
  const bool local = kind == UpstreamKind::kLocal;
  std::vector<Row<Upstream>> rows{
      {"base_url", parsed(&Upstream::base_url, parse_base_url, show_base_url),
       local ? "\"http://127.0.0.1:8080/v1\"" : "\"https://taotoken.net/api\"",
       "where it is, with or without /v1", true},
      {"api_key", secret(&Upstream::api_key, local),
       local ? "\"no-key-needed\"" : "\"${TAOTOKEN_KEY}\"",
       local ? "its --api-key, if it has one" : "the key that this upstream gets, and no other",
       !local},
      {"timeout", seconds(&Upstream::timeout, kWait), "600",
       "longest wait for the first body byte of an answer; else the timeout at the top"},
      {"connect_timeout", seconds(&Upstream::connect_timeout, kWait), local ? "2" : "5",
       "longest wait for a connection, TLS included"},
      {"idle_timeout", seconds(&Upstream::idle_timeout, kWait), "600",
       "longest silence between two body bytes of an answer"},
      {"max_concurrent", whole(&Upstream::max_concurrent, {1, 100000}, "requests"), "1",
       local ? "requests at a time; not set: its slot count"
             : "requests at a time; not set: no limit"},
      {"headers",
       {"table", "", read_headers, show_headers},
       "{ X-Title = \"weir\" }",
       "extra request headers"},
      {"ca_file", file(&Upstream::ca_file), "\"ca.pem\"",
       "certificates to trust instead of the system's, PEM"},
      {"proxy",
       {"text", "", read_proxy, [](const Upstream& from) { return shown(from.proxy); }},
       "\"http://127.0.0.1:3128\"",
       "HTTP proxy on the way there"},
      {"context_tokens", whole(&Upstream::context_tokens, {1, 1000000000}, "tokens"), "65536",
       "context of one slot; not set: asked from the server's /props"},
      {"vision", flag(&Upstream::vision), "true",
       "it can read pictures; not set: asked from the server's /props"},
      {"audio", flag(&Upstream::audio), "false",
       "it can read audio; not set: asked from the server's /props"},
  };
  if (local) {
    add_local_rows(rows);
  } else {
    add_provider_rows(rows);
  }
  return rows;
}

void read_upstreams(Reading& reading, const Node& root, const TopLevel& top,
                    std::vector<Upstream>& into) {
  std::vector<std::pair<Place, Upstream>> found;
  const std::size_t faults_before = reading.fault_count();
  read_kind(reading, root, UpstreamKind::kProvider, top, found);
  read_kind(reading, root, UpstreamKind::kLocal, top, found);
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.first.line != b.first.line ? a.first.line < b.first.line
                                        : a.first.column < b.first.column;
  });
  for (auto& [place, upstream] : found) {
    into.push_back(std::move(upstream));
  }
  if (into.empty() && !reading.is_partial && reading.fault_count() == faults_before) {
    reading.fault({}, "",
                  "no upstream; write a table [local.NAME] or [provider.NAME] with base_url");
  }
}

}  // namespace weir::config
