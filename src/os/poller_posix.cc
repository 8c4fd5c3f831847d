#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>

#include "weir/os/poller.h"

namespace weir::os {

struct Poller::State {
  int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  int wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  std::array<epoll_event, 256> events{};
  std::vector<void*> ready;

  bool control(int operation, NativeSocket socket, std::uint32_t mask, void* token) const {
    epoll_event event{};
    event.events = mask;
    event.data.ptr = token;
    return ::epoll_ctl(epoll, operation, static_cast<int>(socket), &event) == 0;
  }
};

Poller::Poller() : state_(std::make_unique<State>()) {
  state_->control(EPOLL_CTL_ADD, state_->wake, EPOLLIN, nullptr);
}

Poller::~Poller() {
  ::close(state_->wake);
  ::close(state_->epoll);
}

bool Poller::add(NativeSocket socket, void* token) {
  return state_->control(EPOLL_CTL_ADD, socket, EPOLLIN, token);
}

bool Poller::arm_once(NativeSocket socket, void* token) {
  constexpr std::uint32_t kMask = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT;
  return state_->control(EPOLL_CTL_MOD, socket, kMask, token) ||
         state_->control(EPOLL_CTL_ADD, socket, kMask, token);
}

void Poller::remove(NativeSocket socket) {
  state_->control(EPOLL_CTL_DEL, socket, 0, nullptr);
}

void Poller::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(state_->wake, &one, sizeof one);
}

const std::vector<void*>& Poller::wait(std::chrono::milliseconds timeout) {
  state_->ready.clear();
  const int count =
      ::epoll_wait(state_->epoll, state_->events.data(), static_cast<int>(state_->events.size()),
                   static_cast<int>(timeout.count()));
  for (int i = 0; i < count; ++i) {
    void* token = state_->events[static_cast<std::size_t>(i)].data.ptr;
    if (token != nullptr) {
      state_->ready.push_back(token);
      continue;
    }
    std::uint64_t drained = 0;
    [[maybe_unused]] const ssize_t got = ::read(state_->wake, &drained, sizeof drained);
  }
  return state_->ready;
}

}  // namespace weir::os
