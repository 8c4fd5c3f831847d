#pragma once

// The tables of the file, each with its rows and its reader.

#include <string>
#include <vector>

#include "reading.h"
#include "rows.h"

namespace weir::config {

// Seconds, up to a year: for people who mean "as long as it takes".
inline constexpr NumberRange kWait{0.001, 31536000};
inline constexpr NumberRange kWaitOrNone{0, 31536000};

// What stands before the first table.
struct TopLevel {
  Seconds timeout{600};
  std::string timeout_origin;  // empty: the default
};

std::vector<Row<TopLevel>> top_rows();
std::vector<Row<Server>> server_rows();
std::vector<Row<ClientKey>> client_key_rows();
std::vector<Row<Upstream>> upstream_rows(UpstreamKind kind);
std::vector<Row<Launch>> launch_rows();
std::vector<Row<Routing>> routing_rows();
std::vector<Row<Tokenizer>> tokenizer_rows();
std::vector<Row<Log>> log_rows();

// "provider" or "local".
std::string kind_name(UpstreamKind kind);

// An upstream before its table is read.
Upstream upstream_defaults(UpstreamKind kind);

// Each reads its table, which is an empty one when the file has none.
void read_server(Reading& reading, const Node& table, Server& into);
void read_upstreams(Reading& reading, const Node& root, const TopLevel& top,
                    std::vector<Upstream>& into);
void read_routing(Reading& reading, const Node& table, const std::vector<Upstream>& upstreams,
                  Routing& into);

}  // namespace weir::config
