#pragma once

// The clients of a measurement. Each call runs on the calling thread, bounded in count and time.

#include <cstdint>
#include <string>
#include <vector>

#include "net.h"

namespace weir::bench {

// Sends `requests` requests over `connections` keep-alive connections, the next one on a connection
// when its answer is there, the bodies in turn. Returns how many were not answered with 200.
std::uint64_t run_requests(std::uint16_t port, int connections, std::uint64_t requests,
                           const std::vector<std::string>& bodies);

// One request on a connection of its own and its answer. Returns the nanoseconds from the first
// byte sent until the stub had the whole of it.
std::int64_t time_upload(std::uint16_t port, const std::string& body);

struct StreamResult {
  std::uint64_t errors = 0;                 // streams that did not come whole
  std::vector<std::uint32_t> latencies_us;  // of every event, from the stub's send to the client
};

// `streams` streams at a time, each of `events` events.
StreamResult run_streams(std::uint16_t port, int streams, int events, const std::string& text);

// Connections that have each had one answer and stay open until destroyed.
std::vector<Fd> idle_connections(std::uint16_t port, int connections, const std::string& body);

struct RateResult {
  std::uint64_t errors = 0;
  std::vector<std::uint32_t> latencies_us;  // from the moment it was due to the whole answer
};

// Opens `per_second` connections in each of `seconds`, with one request on each of them. Late ones
// are made up for, and their lateness counts.
RateResult connect_at_rate(std::uint16_t port, int per_second, int seconds,
                           const std::string& body);

}  // namespace weir::bench
