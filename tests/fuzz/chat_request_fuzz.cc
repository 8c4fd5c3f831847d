// Any bytes as a request body: read, rename, render. What is accepted must come out of the rename
// as JSON again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "weir/openai/chat_request.h"
#include "weir/openai/prompt.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weir::openai;
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const auto request = ChatRequest::parse(body);
  if (!request) {
    return 0;
  }
  std::string renamed;
  for (const std::string_view slice : request->with_model("\"other\"")) {
    renamed += slice;
  }
  const auto again = ChatRequest::parse(renamed);
  if (!again || again->model() != "other") {
    std::abort();
  }
  for (const auto form : {ChatTemplate::kQwen35, ChatTemplate::kQwen3, ChatTemplate::kQwen25,
                          ChatTemplate::kOpenAi, ChatTemplate::kDeepSeek}) {
    if (render_prompt(*request, form).text != render_prompt(*again, form).text) {
      std::abort();
    }
  }
  return 0;
}
