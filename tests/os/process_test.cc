#include "weir/os/process.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace weir::os {
namespace {

// What a service manager does: listens on a datagram socket, whose name is in NOTIFY_SOCKET.
class NotifySocket {
 public:
  explicit NotifySocket(const std::string& name) : name_(name) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.data(), name.size());
    if (name[0] == '@') {
      address.sun_path[0] = '\0';
    }
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr*>(&address), length), 0);
    ::setenv("NOTIFY_SOCKET", name.c_str(), 1);
  }
  ~NotifySocket() {
    ::unsetenv("NOTIFY_SOCKET");
    ::close(fd_);
    if (name_[0] != '@') {
      ::unlink(name_.c_str());
    }
  }
  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;

  // The next datagram that has come already; empty when there is none.
  std::string next() const {
    char text[4096];
    const ssize_t got = ::recv(fd_, text, sizeof text, MSG_DONTWAIT);
    return got < 0 ? "" : std::string(text, static_cast<std::size_t>(got));
  }

 private:
  std::string name_;
  int fd_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
};

TEST(NotifyServiceManager, SendsOneDatagramToAFile) {
  const NotifySocket manager("/tmp/weir-notify-" + std::to_string(::getpid()));
  notify_service_manager("READY=1\nSTATUS=x");
  EXPECT_EQ(manager.next(), "READY=1\nSTATUS=x");
  EXPECT_EQ(manager.next(), "");
}

TEST(NotifyServiceManager, SendsToAnAbstractSocket) {
  const NotifySocket manager("@weir-notify-" + std::to_string(::getpid()));
  notify_service_manager("STOPPING=1");
  EXPECT_EQ(manager.next(), "STOPPING=1");
}

TEST(NotifyServiceManager, WithoutAManagerItDoesNothing) {
  ::unsetenv("NOTIFY_SOCKET");
  notify_service_manager("READY=1");
  for (const std::string& gone : {std::string("/no/such/socket"), std::string(500, 'x')}) {
    ::setenv("NOTIFY_SOCKET", gone.c_str(), 1);
    notify_service_manager("READY=1");
  }
  ::unsetenv("NOTIFY_SOCKET");
}

}  // namespace
}  // namespace weir::os
