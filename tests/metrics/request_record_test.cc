#include "weir/metrics/request_record.h"

#include <gtest/gtest.h>

namespace weir::metrics {
namespace {

std::string line_of(const RequestRecord& record) {
  std::string line;
  for (const auto& [key, value] : access_fields(record)) {
    line.append(line.empty() ? "" : " ").append(key).append("=").append(value);
  }
  return line;
}

TEST(AccessFields, OfAGoodRequest) {
  RequestRecord record;
  record.id = "r-1";
  record.path = "/v1/chat/completions";
  record.key = "laptop";
  record.route = "local.llamacpp";
  record.reason = "short";
  record.model = "m";
  record.prompt_tokens = 42;
  record.usage_prompt_tokens = 43;
  record.status = 200;
  record.bytes = 7;
  record.count_time = std::chrono::microseconds(1500);
  record.first_byte = std::chrono::microseconds(20);
  record.total = std::chrono::microseconds(2000001);
  EXPECT_EQ(line_of(record),
            "id=r-1 path=/v1/chat/completions key=laptop route=local.llamacpp reason=short model=m "
            "prompt_tokens=42 usage_prompt_tokens=43 status=200 bytes=7 count_ms=1.500 "
            "first_byte_ms=0.020 total_ms=2000.001");
}

TEST(AccessFields, LeaveOutWhatIsNotKnown) {
  RequestRecord record;
  record.status = 400;
  record.cause = "no JSON";
  EXPECT_EQ(line_of(record),
            "id= path= route= reason= model= status=400 bytes=0 total_ms=0.000 cause=no JSON");
}

TEST(AccessFields, MarkAnEstimateAndAClientThatLeft) {
  RequestRecord record;
  record.prompt_tokens = 5;
  record.is_estimate = true;
  record.client_closed = true;
  const std::string line = line_of(record);
  EXPECT_NE(line.find("prompt_tokens=~5"), std::string::npos);
  EXPECT_NE(line.find("end=client closed"), std::string::npos);
}

}  // namespace
}  // namespace weir::metrics
