#pragma once

// A proxy under measurement: weir or nginx, started as users start it, with its files in a
// directory of its own. It ends with its owner, and also when the measuring program dies.

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weir::bench {

struct Memory {
  double now_mb = 0;
  double peak_mb = 0;
};

class ProxyProcess {
 public:
  // Returns when the port accepts.
  static ProxyProcess weir(const std::string& program, const std::filesystem::path& directory,
                           std::uint16_t stub_port);
  static ProxyProcess nginx(const std::string& program, const std::filesystem::path& directory,
                            std::uint16_t stub_port);
  ~ProxyProcess();
  ProxyProcess(ProxyProcess&& other) noexcept;
  ProxyProcess& operator=(ProxyProcess&&) = delete;

  std::uint16_t port() const { return port_; }
  double cpu_seconds() const;  // of all threads, also ended ones
  Memory memory() const;       // resident
  int threads() const;
  double start_ms() const { return start_ms_; }  // from exec to the first connect that succeeds

 private:
  ProxyProcess(const std::vector<std::string>& command, const std::filesystem::path& directory,
               std::uint16_t port);
  std::string status_value(const std::string& name) const;

  pid_t pid_ = -1;
  std::uint16_t port_ = 0;
  double start_ms_ = 0;
};

}  // namespace weir::bench
