// Any bytes as an event stream: fed at once and byte by byte, with the same findings.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "weir/openai/event_scanner.h"
#include "weir/openai/refusal.h"
#include "weir/openai/server_props.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weir::openai;
  const std::string_view stream(reinterpret_cast<const char*>(data), size);
  EventScanner whole;
  EventScanner single;
  whole.feed(stream);
  for (std::size_t at = 0; at < size; ++at) {
    single.feed(stream.substr(at, 1));
  }
  if (whole.first_event() != single.first_event() || whole.done_seen() != single.done_seen() ||
      whole.at_boundary() != single.at_boundary() ||
      whole.first_event_began() != single.first_event_began() ||
      whole.usage_prompt_tokens() != single.usage_prompt_tokens()) {
    std::abort();
  }
  (void)classify_answer(500, stream);
  (void)usage_prompt_tokens(stream);
  (void)parse_model_ids(stream);
  (void)parse_server_props(stream);
  return 0;
}
