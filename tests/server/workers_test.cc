#include "workers.h"

#include <gtest/gtest.h>

#include <atomic>

#include "gate.h"
#include "weir/os/wait.h"

namespace weir::server {
namespace {

void wait_for_gate(const fakes::Gate& gate) {
  os::wait_for(os::kNoSocket, os::Interest::kNothing, base::SteadyTime::max(),
               {os::kNoSocket, gate.handle()});
}

TEST(Workers, EveryJobRunsAtOnceHoweverManyAreBusy) {
  fakes::Gate gate;
  std::atomic<int> running{0};
  Workers workers;
  fakes::Gate all_there;
  for (int i = 0; i < 50; ++i) {
    workers.run([&] {
      if (++running == 50) {
        all_there.open();
      }
      wait_for_gate(gate);
    });
  }
  wait_for_gate(all_there);
  gate.open();
  workers.join();
  EXPECT_EQ(running, 50);
}

TEST(Workers, JoinWaitsForWhatRuns) {
  std::atomic<int> done{0};
  {
    Workers workers;
    for (int i = 0; i < 1000; ++i) {
      workers.run([&] { ++done; });
    }
  }
  EXPECT_EQ(done, 1000);
}

}  // namespace
}  // namespace weir::server
