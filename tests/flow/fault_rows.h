#pragma once

// The rows of the fault matrix: what an upstream can do wrong, and what comes of it.

#include <string>
#include <vector>

#include "weir_fixture.h"

namespace weir::flow {

// What the upstream does; `go_on` opens when the client has got `Fault::seen_before`.
using FaultScript = std::function<void(Talk& talk, const fakes::Gate& go_on)>;

enum class Ending {
  kWhole,       // as its head said
  kErrorEvent,  // one error event behind what had come, and no proper end
  kCut,         // no proper end
};

// What a client is told when no other upstream is asked.
struct Told {
  int status = 0;
  std::string error_code;  // X-Weir-Error; "" when the answer is the upstream's own
  Ending ending = Ending::kWhole;
  std::string fallback;  // what the other upstream is asked for if that is allowed; "": it never is
};

struct Fault {
  std::string name;
  Told plain{};
  Told stream{};
  std::size_t connections = 0;  // that the upstream gets
  std::size_t requests = 0;
  std::string cause{};  // part of what the log gives as the cause; "": it gives none
  std::string body{};   // part of what the client gets of the upstream
  fakes::Script on_connection{};
  FaultScript plain_script{};
  FaultScript stream_script{};
  // What has gone out before the fault comes, where nothing is held.
  std::string seen_before{};
  std::string seen_before_plain{};
  void (*configure)(config::Upstream&) = [](config::Upstream&) {};
  bool runs = true;
  bool is_tls = false;
};

std::vector<Fault> all_faults();

}  // namespace weir::flow
