#pragma once

// config.toml as plain values (docs/configuration.md has every key). Read once, then never changed:
// a reload makes a new one. The initialisers below are the defaults; a test compares them with
// config/config.toml and the documentation.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/base/secret.h"

namespace weir::config {

using Seconds = std::chrono::duration<double>;

// "127.0.0.1:8090" or "[::1]:8090". Port 0 lets the system choose.
struct ListenAddress {
  std::string host;  // without brackets
  std::uint16_t port = 0;

  // 127.x.x.x, ::1 or localhost: reached from this machine only.
  bool is_loopback() const;
  // As it is written in the file.
  std::string text() const;

  bool operator==(const ListenAddress&) const = default;
};

struct ClientKey {
  std::string name;
  base::Secret key;

  bool operator==(const ClientKey&) const = default;
};

struct Server {
  std::vector<ListenAddress> listen{{"127.0.0.1", 8090}};
  std::uint64_t body_bytes_max = 67108864;  // of one request body, decoded
  std::uint32_t connections_max = 1024;     // client connections, idle ones included
  Seconds header_timeout{10};               // from the first byte of a head to its end
  Seconds body_timeout{60};                 // silence while a request body is read
  Seconds send_timeout{60};                 // no progress while an answer is written to a client
  Seconds drain{30};                        // after a stop: how long running answers may go on
  bool watch = true;                        // reload when the file changes
  std::vector<std::string> allow_origins;
  std::filesystem::path tls_cert;
  std::filesystem::path tls_key;
  std::vector<ClientKey> keys;
};

enum class UpstreamKind { kProvider, kLocal };

// A base_url taken apart. `path` is the base with its version, without a slash at the end
// ("/api/v1"): an endpoint is path + "/chat/completions".
struct BaseUrl {
  bool tls = false;
  std::string host;  // without brackets; a name or an address
  std::uint16_t port = 0;
  std::string path;

  // Value of the Host header: the port only when it is not the scheme's own; IPv6 in brackets.
  std::string authority() const;
  // The whole thing again, for messages.
  std::string text() const;

  bool operator==(const BaseUrl&) const = default;
};

// [local.NAME.launch]: how `weir launch` starts llama-server. What is not set is not passed on.
struct Launch {
  std::filesystem::path server = "llama-server";  // a bare name is looked for in PATH
  std::filesystem::path model;
  std::filesystem::path mmproj;
  std::optional<std::uint32_t> ctx_size;  // tokens over all slots; 0: from the model
  std::string gpu_layers;                 // a number, "auto" or "all"
  std::string cpu_moe;                    // experts on the CPU: "all", or of how many layers
  std::string cache_type_k;
  std::string cache_type_v;
  std::string flash_attn;  // "on", "off" or "auto"
  std::optional<std::uint32_t> batch_size;
  std::optional<std::uint32_t> ubatch_size;
  std::optional<std::int32_t> cache_ram;  // MiB; -1 no limit, 0 off
  std::filesystem::path slot_save_path;
  std::optional<std::int32_t> threads;   // -1: all
  std::optional<std::int32_t> parallel;  // slots; -1: the server chooses
  std::optional<double> rope_scale;
  std::optional<double> rope_freq_base;
  std::vector<std::string> extra_args;  // as they are, after the others

  bool operator==(const Launch&) const = default;
};

struct Upstream {
  UpstreamKind kind = UpstreamKind::kLocal;
  std::string name;  // NAME of [provider.NAME] or [local.NAME]
  BaseUrl base_url;
  base::Secret api_key;                         // may be empty for a local one
  std::optional<std::string> model;             // local only: what the server calls its model
  Seconds timeout{600};                         // longest wait for the first body byte of an answer
  Seconds connect_timeout{5};                   // local 2
  Seconds idle_timeout{600};                    // silence between two body bytes
  std::optional<std::uint32_t> max_concurrent;  // unset: local = slots of /props, cloud = no limit
  std::optional<std::uint32_t> context_tokens;  // of one slot; unset: asked from /props
  std::optional<bool> vision;                   // unset: asked from /props
  std::optional<bool> audio;
  Seconds queue_wait{0};  // local only: wait for a free place before it counts as busy
  std::vector<std::pair<std::string, std::string>> headers;  // extra request headers
  std::filesystem::path ca_file;
  std::string proxy;                          // "http://host:port", or empty
  std::map<std::string, std::string> models;  // provider only: alias -> model id
  std::optional<Launch> launch;               // local only

  // "provider.NAME" or "local.NAME".
  std::string full_name() const;

  bool operator==(const Upstream&) const = default;
};

// Each is a reason that lets a short request go to the long route; see docs/configuration.md.
enum class FallbackCause { kDown, kLoading, kBusy, kContext, kContent, kError };

struct Routing {
  std::uint64_t threshold_tokens = 32768;
  std::string long_route;                    // full_name() of an upstream
  std::string short_route;                   // full_name() of an upstream
  std::string cloud_model = "long_context";  // alias or id, for a long prompt that names none
  bool reserve_output = true;
  std::uint64_t reserve_tokens = 1024;
  std::uint64_t margin_tokens = 0;
  std::vector<FallbackCause> fallback{FallbackCause::kDown,    FallbackCause::kLoading,
                                      FallbackCause::kBusy,    FallbackCause::kContext,
                                      FallbackCause::kContent, FallbackCause::kError};
  bool fallback_long = false;
  Seconds hold{5};
};

struct Tokenizer {
  std::string model = "auto";
  std::uint32_t image_tokens = 1024;
  std::filesystem::path mmproj;        // the projector's file; empty: see docs/tokenizer.md
  std::uint32_t image_min_tokens = 0;  // as llama-server's --image-min-tokens; 0: not set
  std::uint32_t image_max_tokens = 0;

  bool operator==(const Tokenizer&) const = default;
};

enum class LogFormat { kText, kJson };

struct Log {
  std::string level = "info";  // trace, debug, info, warn, error
  std::filesystem::path file;  // empty: standard error
  LogFormat format = LogFormat::kText;
  std::uint32_t rotate_mb = 20;
  std::uint32_t keep = 5;
};

struct Config {
  std::filesystem::path path;  // of the file; empty for a built-in one (weir demo)
  Server server;
  std::vector<Upstream> upstreams;  // in the order of the file
  Routing routing;
  Tokenizer tokenizer;
  Log log;

  // nullptr when there is none of that full name.
  const Upstream* find(std::string_view full_name) const;
};

}  // namespace weir::config
