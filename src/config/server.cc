#include "address.h"
#include "base_url.h"
#include "tables.h"
#include "weir/base/text.h"

namespace weir::config {
namespace {

void read_one_address(const Value& value, std::vector<ListenAddress>& into) {
  const auto text = value.text();
  if (!text) {
    return;
  }
  if (auto address = parse_listen(*text)) {
    into.push_back(*address);
  } else {
    value.fault(address.error().message);
  }
}

void read_listen(const Value& value, Server& into) {
  std::vector<ListenAddress> addresses;
  if (value.node.kind == Node::Kind::kText) {
    read_one_address(value, addresses);
  } else if (value.node.kind != Node::Kind::kList) {
    value.wrong_type("an address in quotes, or a list of them,");
  } else if (value.node.items.empty()) {
    value.fault("the list is empty; write at least one address, " + std::string(value.example));
  } else {
    for (const Node& item : value.node.items) {
      read_one_address(value.part(item, ""), addresses);
    }
  }
  if (!addresses.empty()) {
    into.listen = std::move(addresses);
  }
}

std::string show_listen(const Server& server) {
  std::vector<std::string> texts;
  for (const ListenAddress& address : server.listen) {
    texts.push_back(address.text());
  }
  return texts.size() == 1 ? shown(texts.front()) : shown(texts);
}

void read_origins(const Value& value, Server& into) {
  const auto texts = value.texts();
  if (!texts) {
    return;
  }
  for (std::size_t i = 0; i < texts->size(); ++i) {
    if (auto origin = parse_origin((*texts)[i])) {
      into.allow_origins.push_back(*origin);
    } else {
      value.part(value.node.items[i], "").fault(origin.error().message);
    }
  }
}

void check_unique(const Value& value, const std::vector<ClientKey>& earlier, const ClientKey& key) {
  for (const ClientKey& other : earlier) {
    if (!key.name.empty() && other.name == key.name) {
      value.fault("the name " + shown_text(key.name) + " is there twice; give each key its own");
    }
    if (!key.key.empty() && other.key.equals(key.key.reveal())) {
      value.fault("the same key as that of " + shown_text(other.name) + "; give each its own");
    }
  }
}

void read_client_keys(const Value& value, Server& into) {
  if (value.node.kind != Node::Kind::kList) {
    value.fault("one table a key is needed; write [[server.keys]] with double brackets");
    return;
  }
  for (const Node& item : value.node.items) {
    const Value part = value.part(item, "");
    if (item.kind != Node::Kind::kTable) {
      part.fault("a table with name and key is needed; write [[server.keys]]");
      continue;
    }
    ClientKey key;
    const std::vector<Setting> printed = value.reading.settings;
    read_rows(value.reading, item, {"server.keys", "server.keys"}, client_key_rows(), key);
    value.reading.settings = printed;  // they are shown in one line, see show_client_keys
    check_unique(part, into.keys, key);
    into.keys.push_back(std::move(key));
  }
}

std::string show_client_keys(const Server& server) {
  std::string out;
  for (const ClientKey& key : server.keys) {
    out += (out.empty() ? "" : ", ") + std::string("{ name = ") + in_quotes(key.name) +
           ", key = \"***\" }";
  }
  return "[" + out + "]";
}

void check_pair(Reading& reading, const Node& table, const Server& server) {
  if (server.tls_cert.empty() != server.tls_key.empty() && !reading.is_partial) {
    const bool has_cert = !server.tls_cert.empty();
    const Entry* entry = entry_of(table, has_cert ? "tls_cert" : "tls_key");
    reading.fault(entry == nullptr ? table.place : entry->place,
                  has_cert ? "server.tls_cert" : "server.tls_key",
                  has_cert ? "there is no tls_key with it; set both or none"
                           : "there is no tls_cert with it; set both or none");
  }
}

void read_client_key_name(const Value& value, ClientKey& into) {
  const auto name = value.text();
  if (name && base::trim_ascii(*name).empty()) {
    value.fault("the name is empty; write whose key it is, name = \"laptop\"");
  } else if (name) {
    into.name = base::trim_ascii(*name);
  }
}

}  // namespace

std::vector<Row<Server>> server_rows() {
  return {
      {"listen",
       {"text or list", "", read_listen, show_listen},
       "\"127.0.0.1:8090\"",
       "address and port, or a list of them; IPv6 in brackets; port 0 takes a free one"},
      {"body_bytes_max", whole(&Server::body_bytes_max, {1024, std::int64_t{1} << 40}, "bytes"),
       "67108864", "longest request body, decoded"},
      {"connections_max", whole(&Server::connections_max, {1, 1000000}, "connections"), "1024",
       "client connections at a time, idle ones included"},
      {"header_timeout", seconds(&Server::header_timeout, kWait), "10",
       "from the first byte of a request head to its end"},
      {"body_timeout", seconds(&Server::body_timeout, kWait), "60",
       "silence while a request body is read"},
      {"send_timeout", seconds(&Server::send_timeout, kWait), "60",
       "no progress while an answer is written to a client"},
      {"drain", seconds(&Server::drain, kWaitOrNone), "30",
       "after a stop: how long running answers may go on"},
      {"watch", flag(&Server::watch), "true", "read the file again when it has changed"},
      {"allow_origins",
       {"list", "", read_origins, [](const Server& server) { return shown(server.allow_origins); }},
       "[\"http://localhost:3000\"]",
       "web pages (scheme, host, port) that may call from a browser"},
      {"tls_cert", file(&Server::tls_cert), "\"cert.pem\"",
       "certificate chain for HTTPS towards clients, PEM; with tls_key"},
      {"tls_key", file(&Server::tls_key), "\"key.pem\"", "private key of tls_cert, PEM"},
      {"keys",
       {"tables", "", read_client_keys, show_client_keys},
       "[{ name = \"laptop\", key = \"...\" }]",
       "keys that clients must send; needed when listening on more than loopback"},
  };
}

std::vector<Row<ClientKey>> client_key_rows() {
  return {
      {"name",
       {"text", "", read_client_key_name, nullptr},
       "\"laptop\"",
       "whose key it is, for the log",
       true},
      {"key", secret(&ClientKey::key, false), "\"${WEIR_CLIENT_KEY}\"",
       "what the client sends as its key", true},
  };
}

void read_server(Reading& reading, const Node& table, Server& into) {
  read_rows(reading, table, {"server", "server"}, server_rows(), into);
  check_pair(reading, table, into);
  if (const auto checked = check_listen(into); !checked && !reading.is_partial) {
    const Entry* entry = entry_of(table, "listen");
    reading.fault(entry == nullptr ? table.place : entry->node.place, "server.listen",
                  checked.error().message);
  }
}

}  // namespace weir::config
