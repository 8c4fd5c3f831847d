#include "weir/proxy/services.h"

namespace weir::proxy {

upstream::Upstream& Services::upstream_of(const config::Upstream& settings) const {
  return *upstreams[static_cast<std::size_t>(&settings - config.upstreams.data())];
}

}  // namespace weir::proxy
