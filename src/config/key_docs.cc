#include "tables.h"

namespace weir::config {

std::vector<KeyDoc> known_keys() {
  std::vector<KeyDoc> docs;
  add_docs(docs, "", top_rows(), TopLevel());
  add_docs(docs, "server", server_rows(), Server());
  add_docs(docs, "server.keys", client_key_rows(), ClientKey());
  add_docs(docs, "provider.NAME", upstream_rows(UpstreamKind::kProvider),
           upstream_defaults(UpstreamKind::kProvider));
  docs.push_back({"provider.NAME.models", "ALIAS", "text", "", "", "\"gpt-4o-mini\"",
                  "the provider's model id for this alias", false});
  add_docs(docs, "local.NAME", upstream_rows(UpstreamKind::kLocal),
           upstream_defaults(UpstreamKind::kLocal));
  add_docs(docs, "local.NAME.launch", launch_rows(), Launch());
  add_docs(docs, "routing", routing_rows(), Routing());
  add_docs(docs, "tokenizer", tokenizer_rows(), Tokenizer());
  add_docs(docs, "log", log_rows(), Log());
  return docs;
}

}  // namespace weir::config
