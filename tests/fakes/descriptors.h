#pragma once

// Takes all descriptors that the process may have, so that there are none for what is tested.

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace weir::fakes {

class Descriptors {
 public:
  Descriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit few{std::min<rlim_t>(before_.rlim_cur, 256), before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
    for (int fd = ::dup(0); fd >= 0; fd = ::dup(0)) {
      taken_.push_back(fd);
    }
  }
  ~Descriptors() {
    release(taken_.size());
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }
  Descriptors(const Descriptors&) = delete;
  Descriptors& operator=(const Descriptors&) = delete;

  void release(std::size_t count) {
    for (; count > 0; --count) {
      ::close(taken_.back());
      taken_.pop_back();
    }
  }

 private:
  rlimit before_{};
  std::vector<int> taken_;
};

}  // namespace weir::fakes
