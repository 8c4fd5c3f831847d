#pragma once

// The way back to a client that is not there: writes down what it is sent.

#include <string>

#include "weir/proxy/client.h"

namespace weir::fakes {

class RecordingSink final : public proxy::ClientSink {
 public:
  bool write(std::span<const std::string_view> pieces) override {
    ++writes;
    for (const std::string_view piece : pieces) {
      bytes += piece;
    }
    return !is_gone;
  }
  os::NativeSocket watched() const override { return os::kNoSocket; }
  bool keeps_alive() const override { return keeps_alive_; }
  void close_after() override { keeps_alive_ = false; }

  std::string bytes;
  int writes = 0;
  bool is_gone = false;

 private:
  bool keeps_alive_ = true;
};

}  // namespace weir::fakes
