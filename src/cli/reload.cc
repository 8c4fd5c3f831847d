// How a running weir takes another configuration. First everything that can fail is done beside
// what is in force; then it is put in force in a few steps that cannot.

#include "config_changes.h"
#include "runtime.h"
#include "weir/base/json_text.h"
#include "weir/openai/error_reply.h"

namespace weir::cli {
namespace {

using base::Error;
using base::ErrorCode;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : ", ") + word;
  }
  return text.empty() ? "no setting" : text;
}

std::string json_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) {
    list += list.empty() ? "" : ",";
    base::append_json_string(list, text);
  }
  return "[" + list + "]";
}

std::string report_json(const ReloadReport& report) {
  return "{\"changed\":" + json_list(report.changed) +
         ",\"needs_restart\":" + json_list(report.needs_restart) +
         ",\"warnings\":" + json_list(report.warnings) + "}";
}

server::Page error_page(const Error& error) {
  const openai::ErrorReply reply = openai::error_reply(error);
  return {.status = reply.status, .body = reply.body, .error_code = std::string(reply.code)};
}

// One line of the log for each fault.
void log_faults(log::Logger& logger, std::string_view faults) {
  while (!faults.empty()) {
    const auto end = std::min(faults.find('\n'), faults.size());
    if (end > 0) {
      logger.error("fault in the configuration", {{"fault", std::string(faults.substr(0, end))}});
    }
    faults.remove_prefix(std::min(end + 1, faults.size()));
  }
}

// What stays in force of the old one may not fit to what is new: an open address without keys, or
// an upstream where weir still listens.
base::Result<void> check_what_stays(const config::Config& config,
                                    const std::vector<std::string>& needs_restart) {
  if (needs_restart.empty()) {
    return {};
  }
  auto checked = config::check_listen(config.server);
  if (checked) {
    checked = config::check_no_loop(config);
  }
  if (!checked) {
    return Error{ErrorCode::kBadConfig,
                 checked.error().message +
                     "; weir goes on listening where it does until it is started again"};
  }
  return {};
}

}  // namespace

base::Result<ReloadReport> Runtime::reload(std::string_view asked_by) {
  const base::MutexLock lock(reload_mutex_);
  return reload_now(asked_by);
}

void Runtime::reload_if_changed() {
  if (!reloading_.read || !current()->config().server.watch) {
    return;
  }
  const base::MutexLock lock(reload_mutex_);
  if (watch_.has_changed()) {
    static_cast<void>(reload_now("a changed file"));  // its faults are in the log
  }
}

base::Result<ReloadReport> Runtime::reload_now(std::string_view asked_by) {
  logger_.info("reads the configuration again", {{"asked_by", std::string(asked_by)}});
  if (reloading_.on_begin) {
    reloading_.on_begin();
  }
  auto outcome = read_and_apply();
  note(outcome);
  if (reloading_.on_end) {
    reloading_.on_end();
  }
  return outcome;
}

base::Result<ReloadReport> Runtime::read_and_apply() {
  watch_.accept();
  auto loaded = reloading_.read();
  if (!loaded) {
    return Error{ErrorCode::kBadConfig, loaded.error().message};
  }
  const auto before = current();
  ReloadReport report;
  report.warnings = loaded->warnings;
  report.changed = changed_keys(before->loaded, *loaded);
  report.needs_restart = keep_what_needs_a_start(before->config(), loaded->config);
  if (auto checked = check_what_stays(loaded->config, report.needs_restart); !checked) {
    return checked.error();
  }
  auto opened = open_snapshot(std::move(*loaded), before.get(), foundation());
  if (!opened) {
    return opened.error();
  }
  if (auto counter = load_counter(**opened, *before); !counter) {
    return counter.error();
  }
  const auto contents = changed_contents(before->contents, (*opened)->contents, report.changed);
  report.changed.insert(report.changed.end(), contents.begin(), contents.end());
  const auto& more = (*opened)->warnings;
  report.warnings.insert(report.warnings.end(), more.begin(), more.end());
  apply(*opened);
  return report;
}

// As good as the one before from the first request on: with what the server has told already, and
// with its tables built.
base::Result<void> Runtime::load_counter(Snapshot& after, const Snapshot& before) {
  if (after.counter == before.counter) {
    return {};
  }
  if (auto chosen = choose_counter(after, foundation()); !chosen) {
    return chosen.error();
  }
  const config::Upstream* local = counted_local(after.config());
  const config::Upstream* old = local ? before.config().find(local->full_name()) : nullptr;
  if (old != nullptr && old->base_url == local->base_url) {
    const upstream::Health health = health_.of(*local);
    if (health.state == upstream::HealthState::kReady) {
      after.counter->learn(*local, health);
    }
  }
  after.counter->current()->warm_up();
  return {};
}

void Runtime::apply(const std::shared_ptr<Snapshot>& snapshot) {
  const auto before = current();
  hide_secrets(snapshot->config(), logger_);
  logger_.set_level(snapshot->config().log.level);
  prober_.reset();  // it writes of the old upstreams
  take_over(*before, *snapshot, health_);
  {
    const base::MutexLock lock(mutex_);
    current_ = snapshot;
    config_status_.loaded_at = clock_.system_now();
  }
  server_->apply(snapshot->terms);
  start_prober(snapshot);
  watch_.watch(files_of(snapshot->loaded));
}

void Runtime::note(const base::Result<ReloadReport>& outcome) {
  {
    const base::MutexLock lock(mutex_);
    ++(outcome ? config_status_.reloads : config_status_.reloads_failed);
    config_status_.last_fault = outcome ? "" : outcome.error().message;
  }
  if (!outcome) {
    log_faults(logger_, outcome.error().message);
    logger_.error("the new configuration is not used; the old one stays in force");
    return;
  }
  for (const std::string& warning : outcome->warnings) {
    logger_.warn(warning);
  }
  if (!outcome->needs_restart.empty()) {
    logger_.warn("these settings change with the next start only",
                 {{"keys", joined(outcome->needs_restart)}});
  }
  logger_.info("the new configuration is in force", {{"changed", joined(outcome->changed)}});
}

server::Page Runtime::answer_reload(const proxy::ClientRequest& request) {
  if (!request.peer_is_loopback) {
    return error_page({ErrorCode::kForbiddenOrigin,
                       "only a client on the machine that weir runs on may ask for a reload"});
  }
  const auto outcome = reload("POST /weir/reload");
  return outcome ? server::Page{.body = report_json(*outcome)} : error_page(outcome.error());
}

}  // namespace weir::cli
