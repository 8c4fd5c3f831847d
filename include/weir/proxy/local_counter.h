#pragma once

// The counter in force: the one that the configuration chose, made better by what the local server
// says of itself once it is there.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weir/base/mutex.h"
#include "weir/config/config.h"
#include "weir/log/logger.h"
#include "weir/proxy/prompt_counter.h"
#include "weir/upstream/health.h"

namespace weir::proxy {

// Thread-safe.
class LocalCounter {
 public:
  // `counted` is the server whose tokens are counted, or nullptr when there is no local one.
  // There is no counter before `configure`: reading a model file takes a while, and the port
  // should be open meanwhile.
  LocalCounter(const config::Upstream* counted, log::Logger& logger);
  LocalCounter(PromptCounter configured, const config::Upstream* counted, log::Logger& logger);

  // Once, before anything is learned.
  void configure(PromptCounter configured);

  // Never null; stays as it is while it is held. Waits for `configure`, which comes as soon as a
  // file of limited size is read.
  std::shared_ptr<const PromptCounter> current() const;

  // Whether it is this upstream, by its full name, whose tokens are counted.
  bool counts_for(std::string_view full_name) const {
    return !counted_name_.empty() && counted_name_ == full_name;
  }

  // What a server says of itself; of others than the counted one nothing is taken. With
  // tokenizer.model = "auto", the model file that a server on this machine names is read here
  // (0.3 s), where it can be read; else its name tells the vocabulary. What cannot be used is one
  // line in the log. One thread at a time.
  void learn(const config::Upstream& server, const upstream::Health& health);

 private:
  // The file's counter, or nothing; the one that was read last is kept.
  std::shared_ptr<const PromptCounter> read_file(const std::string& path);

  std::optional<PromptCounter> configured_;  // set once
  const std::string counted_name_;  // empty: there is no local server
  log::Logger& logger_;
  std::string file_path_;  // read last, with success or without; by `learn` only
  std::shared_ptr<const PromptCounter> file_;  // what came of it
  mutable base::Mutex mutex_;
  mutable base::Condition configured_now_;
  std::shared_ptr<const PromptCounter> current_ GUARDED_BY(mutex_);
};

}  // namespace weir::proxy
