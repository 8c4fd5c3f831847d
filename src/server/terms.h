#pragma once

// What the front goes by: settings that a reload replaces as a whole. Who has begun with one value
// stays with it to the end of what it does.

#include <memory>
#include <utility>

#include "tls_context.h"
#include "weir/base/mutex.h"
#include "weir/config/config.h"
#include "weir/server/server.h"

namespace weir::server {

struct Terms {
  config::Server settings;
  std::unique_ptr<const TlsContext> tls;  // null: plain HTTP
};

// Thread-safe.
class TermsInForce {
 public:
  explicit TermsInForce(std::shared_ptr<const Terms> terms) : terms_(std::move(terms)) {}

  // Never null.
  std::shared_ptr<const Terms> get() const {
    const base::MutexLock lock(mutex_);
    return terms_;
  }
  void replace(std::shared_ptr<const Terms> terms) {
    const base::MutexLock lock(mutex_);
    terms_.swap(terms);  // what went out of force is freed without the lock
  }

 private:
  mutable base::Mutex mutex_;
  std::shared_ptr<const Terms> terms_ GUARDED_BY(mutex_);
};

}  // namespace weir::server
