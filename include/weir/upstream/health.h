#pragma once

// What is known of each upstream at this moment. Requests and the prober write it; each request
// reads one snapshot.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "weir/base/clock.h"
#include "weir/base/mutex.h"
#include "weir/log/logger.h"
#include "weir/openai/prompt.h"
#include "weir/os/wait.h"
#include "weir/upstream/upstream.h"

namespace weir::upstream {

enum class HealthState {
  kUnknown,  // not asked yet; clouds stay so until they are used
  kReady,
  kLoading,  // answers 503 while it reads its model
  kDown,     // no connection, or no HTTP
};

// "ready", "loading", "down", "unknown".
std::string_view health_state_name(HealthState state);

// One line in the log for a state that has changed.
void log_health_change(log::Logger& logger, std::string_view full_name, HealthState state,
                       std::string_view cause);

struct Health {
  HealthState state = HealthState::kUnknown;
  std::string cause;     // why it is not ready
  bool is_hung = false;  // kDown: it takes connections and does not answer
  // Of a local server, from /props and /v1/models:
  std::vector<std::string> model_ids;
  std::optional<std::uint32_t> slot_context_tokens;  // of one slot
  std::optional<std::uint32_t> total_slots;
  std::optional<bool> vision;
  std::optional<bool> audio;
  std::optional<std::string> model_path;
  std::optional<bool> typed_content;                            // see openai::TextParts
  std::shared_ptr<const openai::TemplateSource> chat_template;  // null when it names none
  std::optional<std::uint32_t> build;
};

// Why a server is down.
struct Outage {
  std::string cause;
  bool is_hung = false;  // as in Health
};

// By name and address: a request that began before a reload pointed the name to another server says
// nothing of that one. Thread-safe.
class HealthTable {
 public:
  explicit HealthTable(const base::Clock& clock) : clock_(clock) {}

  Health of(const config::Upstream& server) const;

  // A request was sent there, whatever came of it: the prober asks more often for a while.
  void mark_used(const config::Upstream& server);
  // What a request or a probe found out. True when that changed the state.
  bool set_state(const config::Upstream& server, HealthState state, std::string cause = "",
                 bool is_hung = false);
  // Nothing unless it is down.
  std::optional<Outage> outage_of(const config::Upstream& server) const;
  // How often the state has changed, by whomever: the properties are of one of these times.
  std::uint64_t state_changes(const config::Upstream& server) const;
  // Keeps the state; replaces the rest.
  void set_properties(const config::Upstream& server, Health properties);

  // No configuration names that server any more.
  void forget(const config::Upstream& server);

  // Used or failed within the last minute.
  bool is_of_interest(const config::Upstream& server) const;

 private:
  struct Entry {
    Health health;
    std::uint64_t state_changes = 0;
    base::SteadyTime interest_until{};
  };
  static std::string key_of(const config::Upstream& server);
  const base::Clock& clock_;
  mutable base::Mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_ GUARDED_BY(mutex_);
};

// Asks every local server /health, every 2 s while it has been used or failed lately and every 15 s
// otherwise, and /props and /v1/models after each change to ready and every 30 s, since a restart
// can fall between two probes. Clouds are not asked; of all upstreams it closes the idle
// connections that are of no use any more. Runs in a thread of its own from the constructor to the
// destructor.
class HealthProber {
 public:
  // Called in the prober's thread when a server has told what it is, and when that has changed.
  using OnProperties = std::function<void(const Upstream& local, const Health& properties)>;

  HealthProber(std::vector<Upstream*> upstreams, HealthTable& table, log::Logger& logger,
               const base::Clock& clock, OnProperties on_properties);
  ~HealthProber();

 private:
  struct Watched {
    base::SteadyTime next_probe{};
    // The properties that are known are those of this time.
    std::optional<std::uint64_t> state_changes;
    base::SteadyTime properties_until{};
  };

  void run();
  void probe_if_due(Upstream& local);
  void probe(Upstream& local, Watched& watched);
  void read_properties(Upstream& local, Watched& watched);
  // The body of a GET, or nothing; `status` and `failure` tell more.
  struct Reply {
    int status = 0;
    std::string body;
    Failure failure;
  };
  static bool was_not_asked(const Reply& reply);
  Reply get(Upstream& local, std::string_view endpoint, bool at_root);

  std::vector<Upstream*> upstreams_;
  HealthTable& table_;
  log::Logger& logger_;
  const base::Clock& clock_;
  const OnProperties on_properties_;
  os::StopSignal stop_;
  std::map<Upstream*, Watched> watched_;
  std::thread thread_;
};

}  // namespace weir::upstream
