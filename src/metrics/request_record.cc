#include "weir/metrics/request_record.h"

#include <algorithm>
#include <cstdint>

namespace weir::metrics {
namespace {

// "12.345": milliseconds.
std::string milliseconds(std::chrono::microseconds time) {
  std::string digits = std::to_string(std::max<std::int64_t>(time.count(), 0));
  digits.insert(0, digits.size() < 4 ? 4 - digits.size() : 0, '0');
  return digits.insert(digits.size() - 3, ".");
}

}  // namespace

std::vector<std::pair<std::string_view, std::string>> access_fields(const RequestRecord& record) {
  std::vector<std::pair<std::string_view, std::string>> fields{{"id", record.id},
                                                               {"path", record.path}};
  if (!record.key.empty()) {
    fields.emplace_back("key", record.key);
  }
  fields.emplace_back("route", record.route);
  fields.emplace_back("reason", record.reason);
  fields.emplace_back("model", record.model);
  if (record.prompt_tokens) {
    fields.emplace_back("prompt_tokens",
                        (record.is_estimate ? "~" : "") + std::to_string(*record.prompt_tokens));
  }
  if (record.usage_prompt_tokens) {
    fields.emplace_back("usage_prompt_tokens", std::to_string(*record.usage_prompt_tokens));
  }
  fields.emplace_back("status", std::to_string(record.status));
  fields.emplace_back("bytes", std::to_string(record.bytes));
  if (record.count_time) {
    fields.emplace_back("count_ms", milliseconds(*record.count_time));
  }
  if (record.first_byte) {
    fields.emplace_back("first_byte_ms", milliseconds(*record.first_byte));
  }
  fields.emplace_back("total_ms", milliseconds(record.total));
  if (record.client_closed) {
    fields.emplace_back("end", "client closed");
  }
  if (!record.cause.empty()) {
    fields.emplace_back("cause", record.cause);
  }
  return fields;
}

}  // namespace weir::metrics
