#pragma once

// How many requests an upstream works on at a time. llama-server takes any number, says nothing and
// lets all but one a slot wait; so they wait here, where another upstream can still be asked.

#include <cstdint>
#include <list>
#include <optional>
#include <variant>

#include "weir/base/clock.h"
#include "weir/base/mutex.h"
#include "weir/os/wait.h"
#include "weir/upstream/failure.h"

namespace weir::upstream {

// Thread-safe; outlives its places.
class Admission {
 public:
  // One request's place, given back by the destructor.
  class Place {
   public:
    explicit Place(Admission& admission) : admission_(&admission) {}
    ~Place();
    Place(Place&& other) noexcept;
    Place& operator=(Place&&) = delete;

   private:
    Admission* admission_;
  };

  // How many places there are; nothing: no limit. Those who wait get new ones at once. With fewer
  // than are taken, nobody enters until enough have left.
  void set_limit(std::optional<std::uint32_t> places);

  // Waits for a place until `deadline`, in order of arrival. A failure is kBusy (none until then),
  // kClientGone or kStopped.
  std::variant<Place, Failure> enter(base::SteadyTime deadline, const os::Guards& guards);

  std::uint32_t taken() const;
  std::uint32_t waiting() const;
  bool is_full() const;

 private:
  struct Waiter {
    os::StopSignal turn;
    bool has_place = false;
  };

  bool has_room() const REQUIRES(mutex_) { return !limit_ || taken_ < *limit_; }
  void let_in() REQUIRES(mutex_);
  void leave();

  mutable base::Mutex mutex_;
  std::optional<std::uint32_t> limit_ GUARDED_BY(mutex_);
  std::uint32_t taken_ GUARDED_BY(mutex_) = 0;
  std::list<Waiter*> waiting_ GUARDED_BY(mutex_);  // the one that came first in front
};

}  // namespace weir::upstream
