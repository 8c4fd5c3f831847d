#include "proxy_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <fstream>
#include <stdexcept>

#include "net.h"

namespace weir::bench {
namespace {

constexpr std::int64_t kStartMaxNs = 10'000'000'000;
constexpr std::int64_t kStopMaxNs = 10'000'000'000;

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

// In the child, between fork and exec.
[[noreturn]] void become(const std::vector<std::string>& command, const std::string& log) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int fd = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  ::dup2(fd, STDOUT_FILENO);
  ::dup2(fd, STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

}  // namespace

ProxyProcess::ProxyProcess(const std::vector<std::string>& command,
                           const std::filesystem::path& directory, std::uint16_t port)
    : port_(port) {
  const std::string log = (directory / "log").string();
  const std::int64_t start = now_ns();
  pid_ = ::fork();
  if (pid_ == 0) {
    become(command, log);
  }
  while (!try_connect(port_)) {
    int status = 0;
    const bool ended = ::waitpid(pid_, &status, WNOHANG) == pid_;
    if (ended || now_ns() - start > kStartMaxNs) {
      pid_ = ended ? -1 : pid_;
      throw std::runtime_error(command[0] + " does not listen; see " + log);
    }
    ::usleep(100);
  }
  start_ms_ = static_cast<double>(now_ns() - start) / 1e6;
}

ProxyProcess::ProxyProcess(ProxyProcess&& other) noexcept
    : pid_(other.pid_), port_(other.port_), start_ms_(other.start_ms_) {
  other.pid_ = -1;
}

ProxyProcess::~ProxyProcess() {
  if (pid_ <= 0) {
    return;
  }
  ::kill(pid_, SIGTERM);
  const std::int64_t start = now_ns();
  int status = 0;
  while (::waitpid(pid_, &status, WNOHANG) == 0) {
    if (now_ns() - start > kStopMaxNs) {
      ::kill(pid_, SIGKILL);
    }
    ::usleep(1000);
  }
}

ProxyProcess ProxyProcess::weir(const std::string& program, const std::filesystem::path& directory,
                                std::uint16_t stub_port) {
  const std::uint16_t port = free_port();
  const std::string stub = "base_url = \"http://127.0.0.1:" + std::to_string(stub_port) + "/v1\"\n";
  std::filesystem::create_directories(directory);
  write_file(directory / "config.toml", "[provider.cloud]\n" + stub +
                                            "api_key = \"key-of-the-bench\"\n"
                                            "[local.llamacpp]\n" +
                                            stub +
                                            "model = \"qwen3.5\"\n"
                                            "[routing]\n"
                                            "threshold_tokens = 32768\n"
                                            "long_route = \"cloud\"\n"
                                            "short_route = \"local\"\n"
                                            "[server]\n"
                                            "listen = \"127.0.0.1:" +
                                            std::to_string(port) +
                                            "\"\n"
                                            "connections_max = 12000\n");
  return {{program, "serve", "--config", (directory / "config.toml").string()}, directory, port};
}

// One process that is its own worker, with connections to the stub kept and nothing written that
// weir does not write either.
ProxyProcess ProxyProcess::nginx(const std::string& program, const std::filesystem::path& directory,
                                 std::uint16_t stub_port) {
  const std::uint16_t port = free_port();
  std::filesystem::create_directories(directory);
  std::string temporary;
  for (const std::string name : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"}) {
    temporary += "  " + name + "_temp_path " + name + ";\n";
  }
  write_file(directory / "nginx.conf",
             "daemon off; master_process off; worker_processes 1; pid pid; error_log log warn;\n"
             "events { worker_connections 8192; }\n"
             "http {\n" +
                 temporary +
                 "  access_log off; client_max_body_size 64m; client_body_buffer_size 4m;\n"
                 "  keepalive_requests 100000000; tcp_nodelay on;\n"
                 "  upstream stub { server 127.0.0.1:" +
                 std::to_string(stub_port) +
                 "; keepalive 64; keepalive_requests 100000000; }\n"
                 "  server {\n"
                 "    listen 127.0.0.1:" +
                 std::to_string(port) +
                 " backlog=4096;\n"
                 "    location / {\n"
                 "      proxy_pass http://stub; proxy_http_version 1.1;\n"
                 "      proxy_set_header Connection \"\"; proxy_buffering off;\n"
                 "    }\n  }\n}\n");
  return {{program, "-p", directory.string(), "-e", "log", "-c", "nginx.conf"}, directory, port};
}

double ProxyProcess::cpu_seconds() const {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(pid_, &clock) != 0 || ::clock_gettime(clock, &time) != 0) {
    throw std::runtime_error("the process has ended");
  }
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

std::string ProxyProcess::status_value(const std::string& name) const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/status");
  std::string word;
  while (file >> word) {
    if (word == name + ":") {
      file >> word;
      return word;
    }
  }
  throw std::runtime_error("the process has ended");
}

Memory ProxyProcess::memory() const {
  return {std::stod(status_value("VmRSS")) / 1024, std::stod(status_value("VmHWM")) / 1024};
}

int ProxyProcess::threads() const {
  return std::stoi(status_value("Threads"));
}

}  // namespace weir::bench
