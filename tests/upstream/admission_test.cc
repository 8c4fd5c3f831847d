#include "admission.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "byte_stream.h"

namespace weir::upstream {
namespace {

using Entered = std::variant<Admission::Place, Failure>;

bool is_in(const Entered& entered) {
  return std::holds_alternative<Admission::Place>(entered);
}
FailureKind kind_of(const Entered& entered) {
  return std::get<Failure>(entered).kind;
}

class AdmissionTest : public testing::Test {
 protected:
  Entered enter_now() { return admission_.enter(base::SteadyTime(), {}); }
  Entered enter(const os::Guards& guards = {}) {
    return admission_.enter(fakes::patience(), guards);
  }
  void wait_for_waiting(std::uint32_t count) {
    const auto deadline = fakes::patience();
    while (admission_.waiting() != count && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_EQ(admission_.waiting(), count);
  }

  Admission admission_;
};

TEST_F(AdmissionTest, WithoutALimitEverybodyEnters) {
  std::vector<Entered> in;
  for (int i = 0; i < 100; ++i) {
    in.push_back(enter_now());
    ASSERT_TRUE(is_in(in.back()));
  }
  EXPECT_EQ(admission_.taken(), 100U);
  EXPECT_FALSE(admission_.is_full());
}

TEST_F(AdmissionTest, OneTooManyIsBusy) {
  admission_.set_limit(2);
  const Entered first = enter_now();
  {
    const Entered second = enter_now();
    EXPECT_TRUE(is_in(first) && is_in(second));
    EXPECT_TRUE(admission_.is_full());
    const Entered third = enter_now();
    ASSERT_FALSE(is_in(third));
    EXPECT_EQ(kind_of(third), FailureKind::kBusy);
  }
  EXPECT_EQ(admission_.taken(), 1U);
  EXPECT_TRUE(is_in(enter_now()));
}

TEST_F(AdmissionTest, TheyEnterInOrderOfArrival) {
  admission_.set_limit(1);
  std::optional<Entered> first(enter_now());
  base::Mutex mutex;
  std::vector<int> order;
  std::vector<std::thread> threads;
  for (int i = 0; i < 5; ++i) {
    threads.emplace_back([&, i] {
      const Entered entered = enter();
      EXPECT_TRUE(is_in(entered));
      const base::MutexLock lock(mutex);
      order.push_back(i);
    });
    wait_for_waiting(static_cast<std::uint32_t>(i) + 1);
  }
  EXPECT_FALSE(is_in(enter_now()));  // nobody goes past those who wait
  first.reset();
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(admission_.taken(), 0U);
}

TEST_F(AdmissionTest, WhoIsStoppedLeavesTheQueue) {
  admission_.set_limit(1);
  const Entered first = enter_now();
  os::StopSignal stop;
  std::thread waiter([&] {
    const Entered entered = enter({os::kNoSocket, stop.handle()});
    ASSERT_FALSE(is_in(entered));
    EXPECT_EQ(kind_of(entered), FailureKind::kStopped);
  });
  wait_for_waiting(1);
  stop.raise();
  waiter.join();
  EXPECT_EQ(admission_.waiting(), 0U);
}

TEST_F(AdmissionTest, MorePlacesLetMoreInAtOnce) {
  admission_.set_limit(1);
  const Entered first = enter_now();
  std::thread waiter([&] { EXPECT_TRUE(is_in(enter())); });
  wait_for_waiting(1);
  admission_.set_limit(2);
  waiter.join();
}

TEST_F(AdmissionTest, FewerPlacesThanAreTakenLetNobodyIn) {
  admission_.set_limit(3);
  std::vector<Entered> in;
  for (int i = 0; i < 3; ++i) {
    in.push_back(enter_now());
  }
  admission_.set_limit(1);
  in.pop_back();
  EXPECT_FALSE(is_in(enter_now()));
  in.clear();
  EXPECT_TRUE(is_in(enter_now()));
}

// Entering, giving up, being stopped and changes of the limit, all at once: never too many inside,
// nobody forgotten, nothing left over.
TEST_F(AdmissionTest, CountingStaysRight) {
  constexpr std::uint32_t kMost = 4;
  admission_.set_limit(kMost);
  std::atomic<std::uint32_t> inside{0};
  std::atomic<std::uint32_t> most{0};
  std::atomic<int> entered_count{0};
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < 300; ++i) {
        os::StopSignal stop;
        const auto wait = std::chrono::microseconds((t * 37 + i * 101) % 700);
        if ((t + i) % 5 == 0) {
          stop.raise();
        }
        const Entered entered = admission_.enter(std::chrono::steady_clock::now() + wait,
                                                 {os::kNoSocket, stop.handle()});
        if (!is_in(entered)) {
          continue;
        }
        ++entered_count;
        const std::uint32_t now = ++inside;
        std::uint32_t seen = most;
        while (now > seen && !most.compare_exchange_weak(seen, now)) {
        }
        std::this_thread::sleep_for(std::chrono::microseconds(i % 50));
        --inside;
      }
    });
  }
  std::thread changer([&] {
    for (std::uint32_t i = 0; !over; ++i) {
      admission_.set_limit(1 + i % kMost);
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  });
  for (std::thread& thread : threads) {
    thread.join();
  }
  over = true;
  changer.join();
  EXPECT_LE(most, kMost);
  EXPECT_GT(entered_count, 0);
  EXPECT_EQ(admission_.taken(), 0U);
  EXPECT_EQ(admission_.waiting(), 0U);
}

}  // namespace
}  // namespace weir::upstream
