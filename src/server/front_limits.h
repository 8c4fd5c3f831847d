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
constexpr std::chrono::seconds kRefusedDrainMax{2};  // reading what a refused client still sends
constexpr std::size_t kRefusedBytesMax = 1 << 20;    // of it
// Refused clients that the poller reads from; more are closed at once.
constexpr std::size_t kLeavingMax = 128;
constexpr std::size_t kPageBodyBytesMax = 1 << 20;  // request body of a page that is no relay
constexpr std::size_t kReadBlockBytes = 65536;

}  // namespace weir::server
