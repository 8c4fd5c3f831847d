#include "admission.h"

#include <utility>

namespace weir::upstream {
namespace {

Failure failure_of(os::WaitOutcome outcome) {
  switch (outcome) {
    case os::WaitOutcome::kClientGone:
      return {FailureKind::kClientGone, "the client has gone"};
    case os::WaitOutcome::kStopped:
      return {FailureKind::kStopped, "weir is stopping"};
    default:
      return {FailureKind::kBusy, "it is busy with as many requests as it takes at a time"};
  }
}

}  // namespace

Admission::Place::~Place() {
  if (admission_ != nullptr) {
    admission_->leave();
  }
}

Admission::Place::Place(Place&& other) noexcept
    : admission_(std::exchange(other.admission_, nullptr)) {
}

void Admission::set_limit(std::optional<std::uint32_t> places) {
  const base::MutexLock lock(mutex_);
  limit_ = places;
  let_in();
}

std::variant<Admission::Place, Failure> Admission::enter(base::SteadyTime deadline,
                                                         const os::Guards& guards) {
  std::optional<Waiter> self;
  {
    const base::MutexLock lock(mutex_);
    if (waiting_.empty() && has_room()) {
      ++taken_;
      return Place(*this);
    }
    if (deadline <= std::chrono::steady_clock::now()) {
      return failure_of(os::WaitOutcome::kTimeout);
    }
    self.emplace();
    waiting_.push_back(&*self);
  }
  const auto outcome = os::wait_for(self->turn.handle(), os::Interest::kRead, deadline, guards);
  {
    const base::MutexLock lock(mutex_);
    if (!self->has_place) {
      waiting_.remove(&*self);
      return failure_of(outcome);
    }
  }
  Place place(*this);  // its turn may have come together with what ended the wait
  if (outcome == os::WaitOutcome::kClientGone || outcome == os::WaitOutcome::kStopped) {
    return failure_of(outcome);
  }
  return place;
}

void Admission::let_in() {
  while (!waiting_.empty() && has_room()) {
    Waiter& first = *waiting_.front();
    waiting_.pop_front();
    ++taken_;
    first.has_place = true;
    first.turn.raise();
  }
}

void Admission::leave() {
  const base::MutexLock lock(mutex_);
  --taken_;
  let_in();
}

std::uint32_t Admission::taken() const {
  const base::MutexLock lock(mutex_);
  return taken_;
}

bool Admission::is_full() const {
  const base::MutexLock lock(mutex_);
  return !waiting_.empty() || !has_room();
}

std::uint32_t Admission::waiting() const {
  const base::MutexLock lock(mutex_);
  return static_cast<std::uint32_t>(waiting_.size());
}

}  // namespace weir::upstream
