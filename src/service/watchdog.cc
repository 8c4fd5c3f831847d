#include "weir/service/watchdog.h"

#include <algorithm>
#include <charconv>

namespace weir::service {
namespace {

// A manager that wants to hear more often than this is misled; a sign of life every few
// microseconds would be a load of its own.
constexpr std::chrono::milliseconds kPauseMin{1};
constexpr std::chrono::hours kPauseMax{1};

std::optional<std::uint64_t> number_of(const std::optional<std::string>& text) {
  std::uint64_t number = 0;
  if (!text || text->empty()) {
    return std::nullopt;
  }
  const char* end = text->data() + text->size();
  const auto [last, error] = std::from_chars(text->data(), end, number);
  return error == std::errc() && last == end ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<std::chrono::microseconds> watchdog_interval(
    const std::function<std::optional<std::string>(std::string_view name)>& variable,
    std::uint64_t process_id) {
  const auto interval = number_of(variable("WATCHDOG_USEC"));
  const auto meant = variable("WATCHDOG_PID");
  if (!interval || *interval == 0 || (meant && number_of(meant) != process_id)) {
    return std::nullopt;
  }
  constexpr std::chrono::microseconds kMost = 2 * kPauseMax;
  return std::chrono::microseconds(
      std::min<std::uint64_t>(*interval, static_cast<std::uint64_t>(kMost.count())));
}

Watchdog::Watchdog(const Notices& notices, std::chrono::microseconds interval,
                   std::function<bool()> is_answering, log::Logger& logger)
    : notices_(notices),
      pause_(std::max<std::chrono::microseconds>(interval / 2, kPauseMin)),
      is_answering_(std::move(is_answering)),
      logger_(logger),
      thread_([this] { watch(); }) {
}

Watchdog::~Watchdog() {
  {
    const base::MutexLock lock(mutex_);
    ending_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

void Watchdog::watch() {
  bool was_answering = true;
  do {
    const bool answers = is_answering_();
    if (answers) {
      notices_.alive();
    } else if (was_answering) {
      logger_.error("some thread hangs: the service manager gets no sign of life");
    }
    was_answering = answers;
  } while (wait_for_turn());
}

// False: it is over.
bool Watchdog::wait_for_turn() {
  const auto turn = std::chrono::steady_clock::now() + pause_;
  const base::MutexLock lock(mutex_);
  while (!ending_ && changed_.wait_until(mutex_, turn)) {
  }
  return !ending_;
}

}  // namespace weir::service
