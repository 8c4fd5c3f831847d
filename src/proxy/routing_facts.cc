#include "weir/proxy/routing_facts.h"

namespace weir::proxy {

routing::RouteFacts request_facts(const openai::ChatRequest& request, std::uint64_t prompt_tokens,
                                  std::string_view pin_header) {
  routing::RouteFacts facts;
  if (request.model()) {
    facts.model = *request.model();
  }
  facts.pin_header = pin_header;
  facts.prompt_tokens = prompt_tokens;
  facts.output_tokens = request.output_tokens();
  facts.images = request.images();
  facts.audios = request.audios();
  facts.files = request.files();
  return facts;
}

routing::RouteFacts routing_facts(const Services& services, const openai::ChatRequest& request,
                                  std::uint64_t prompt_tokens, std::string_view pin_header) {
  routing::RouteFacts facts = request_facts(request, prompt_tokens, pin_header);
  for (const auto& upstream : services.upstreams) {
    upstream::Health health = services.health.of(upstream->settings());
    facts.upstreams.push_back({upstream->full_name(), std::move(health.model_ids),
                               health.slot_context_tokens, health.vision, health.audio});
  }
  return facts;
}

}  // namespace weir::proxy
