#include "weir/proxy/local_counter.h"

#include <algorithm>
#include <utility>

#include "weir/base/text.h"
#include "weir/os/process.h"

namespace weir::proxy {
namespace {

bool is_on_this_machine(const config::Upstream& server) {
  return config::ListenAddress{server.base_url.host, 0}.is_loopback();
}

// The counter for the first name that tells its vocabulary.
PromptCounter named_by(const PromptCounter& configured, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (auto counter = configured.for_model(name)) {
      return *std::move(counter);
    }
  }
  return configured;
}

// llama.cpp 0.7.0 is the first known to write fractions out.
constexpr std::uint32_t kExactFractionsBuild = 11669;

openai::ServerRules rules_of(const upstream::Health& health) {
  openai::ServerRules rules;
  if (health.typed_content) {
    rules.parts = *health.typed_content ? openai::TextParts::kJoined : openai::TextParts::kLines;
  }
  if (health.build.value_or(0) >= kExactFractionsBuild) {
    rules.fractions = openai::Fractions::kExact;
  }
  return rules;
}

}  // namespace

LocalCounter::LocalCounter(const config::Upstream* counted, log::Logger& logger)
    : counted_name_(counted == nullptr ? "" : counted->full_name()), logger_(logger) {
}

LocalCounter::LocalCounter(PromptCounter configured, const config::Upstream* counted,
                           log::Logger& logger)
    : LocalCounter(counted, logger) {
  configure(std::move(configured));
}

void LocalCounter::configure(PromptCounter configured) {
  configured_ = std::move(configured);
  const base::MutexLock lock(mutex_);
  current_ = std::make_shared<const PromptCounter>(*configured_);
  configured_now_.notify_all();
}

std::shared_ptr<const PromptCounter> LocalCounter::current() const {
  const base::MutexLock lock(mutex_);
  while (current_ == nullptr) {
    configured_now_.wait(mutex_);
  }
  return current_;
}

std::shared_ptr<const PromptCounter> LocalCounter::read_file(const std::string& path) {
  if (path == file_path_) {
    return file_;
  }
  file_path_ = path;
  file_.reset();
  std::error_code none;
  if (!std::filesystem::is_regular_file(os::path_from_utf8(path), none)) {
    logger_.info("the local server's model file cannot be read here", {{"file", path}});
    return nullptr;
  }
  auto counter = configured_->for_file(path);
  if (!counter) {
    logger_.warn("the local server's model file tells no vocabulary",
                 {{"cause", counter.error().message}});
    return nullptr;
  }
  file_ = std::make_shared<const PromptCounter>(std::move(*counter));
  return file_;
}

void LocalCounter::learn(const config::Upstream& server, const upstream::Health& health) {
  if (!counts_for(server.full_name())) {
    return;
  }
  PromptCounter best =
      configured_->is_guess() ? named_by(*configured_, health.model_ids) : *configured_;
  if (configured_->is_automatic() && is_on_this_machine(server) && health.model_path &&
      base::ascii_lower(*health.model_path).ends_with(".gguf")) {
    if (const auto file = read_file(*health.model_path)) {
      best = *file;
    }
  }
  if (health.chat_template) {
    if (auto with_template = best.with_template(*health.chat_template)) {
      best = *std::move(with_template);
    } else {
      logger_.warn("the local server's chat template cannot be read",
                   {{"cause", with_template.error().message}});
    }
  }
  auto counter = std::make_shared<const PromptCounter>(best.with_rules(rules_of(health)));
  counter->warm_up();
  const std::string tokenizer(counter->tokenizer_name());
  const std::string why = counter->why_estimate();
  bool changed = false;
  {
    const base::MutexLock lock(mutex_);
    changed = current_->tokenizer_name() != tokenizer || current_->why_estimate() != why;
    current_ = std::move(counter);
  }
  if (changed) {
    logger_.info("the local server tells how to count",
                 {{"tokenizer", tokenizer}, {"estimate", why.empty() ? "no" : why}});
  }
}

}  // namespace weir::proxy
