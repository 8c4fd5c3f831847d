#pragma once

// For a browser: says in the head of an answer that this origin may read it, in place of what an
// upstream said.

#include <span>
#include <string>
#include <string_view>

#include "weir/proxy/client.h"

namespace weir::server {

// The header lines that let a page of `origin` read an answer.
std::string cors_lines(std::string_view origin);

// Passes all on to `inner`; only the head, which is written whole at the front of the first write,
// is changed.
class CorsSink final : public proxy::ClientSink {
 public:
  CorsSink(proxy::ClientSink& inner, std::string_view origin) : inner_(inner), origin_(origin) {}

  bool write(std::span<const std::string_view> pieces) override;
  os::NativeSocket watched() const override { return inner_.watched(); }
  bool keeps_alive() const override { return inner_.keeps_alive(); }
  void close_after() override { inner_.close_after(); }

 private:
  std::string head_with_origin(std::string_view head) const;

  proxy::ClientSink& inner_;
  std::string_view origin_;
  bool head_done_ = false;
};

}  // namespace weir::server
