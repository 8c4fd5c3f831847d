#pragma once

// What the running program asks of the operating system about itself.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "weir/base/result.h"

namespace weir::os {

std::optional<std::string> environment_variable(std::string_view name);
bool is_windows();
std::filesystem::path program_file();
std::filesystem::path program_directory();
std::filesystem::path home_directory();

// Paths are UTF-8 in config files and messages, whatever the system uses.
std::filesystem::path path_from_utf8(std::string_view text);
std::string path_to_utf8(const std::filesystem::path& path);

// The whole file. Errors: kCannotRun, naming the file; also when it is larger than `bytes_max`.
base::Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t bytes_max);
base::Result<std::string> read_standard_input(std::uint64_t bytes_max);

// The same, block by block, for what need not be in memory as a whole. Ends with the first error
// that `take` returns.
using TakeBlock = std::function<base::Result<void>(std::string_view block)>;
base::Result<void> read_file_in_blocks(const std::filesystem::path& path, const TakeBlock& take);
base::Result<void> read_standard_input_in_blocks(const TakeBlock& take);

// Called once at the start: a vanished reader must not end the process (SIGPIPE), open files up to
// the hard limit, no core file (it would hold keys and prompts), large blocks of freed memory back
// to the system at once, UTF-8 on a Windows console.
void prepare_process();

// Calls `on_stop` from a thread of its own when the system asks the program to end (SIGTERM,
// SIGINT; Ctrl-C on Windows); a second request ends the process at once. SIGHUP calls `on_reload`,
// any number of times; without one it is a request to end, too. Install once, before other threads
// start.
void call_on_stop_request(std::function<void()> on_stop, std::function<void()> on_reload = {});

// Sends one datagram to the service manager (to NOTIFY_SOCKET of systemd); does nothing without
// one. What it says is the business of weir/service/notices.h.
void notify_service_manager(std::string_view state);

std::uint64_t process_id();
// May it change what belongs to the whole system (root)?
bool is_privileged();

// Descriptors that are open, and how many may be.
std::uint64_t open_files();
std::uint64_t open_files_max();

// Bytes of memory that the process holds in RAM.
std::uint64_t resident_bytes();

// CPU time of the process so far, in microseconds.
std::uint64_t cpu_microseconds();

}  // namespace weir::os
