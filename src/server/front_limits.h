#pragma once

// Bounds of the front that are no settings. Those of a request head are in
// weir/http/request_head.h.

#include <chrono>
#include <cstddef>

namespace weir::server {

constexpr std::chrono::seconds kIdleConnectionMax{75};  // without a request
constexpr std::chrono::milliseconds kLingerForNext{
    5};  // a worker waits so long for the next request itself
constexpr std::chrono::seconds kWorkerIdleMax{10};  // then a worker thread ends
constexpr std::chrono::milliseconds kPollerTick{
    250};  // how often timeouts of waiting connections are looked at
// What a refused client still sends is read for so long. Bytes of it: by a worker, and by the
// poller, which has others to serve and reads from so many of them at most; more are closed at
// once.
constexpr std::chrono::seconds kRefusedDrainMax{2};
constexpr std::size_t kRefusedBytesMax = 256 << 20;
constexpr std::size_t kLeavingBytesMax = 1 << 20;
constexpr std::size_t kLeavingMax = 128;
constexpr std::size_t kPageBodyBytesMax = 1 << 20;  // request body of a page that is no relay
constexpr std::size_t kReadBlockBytes = 65536;

}  // namespace weir::server
