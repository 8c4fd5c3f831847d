#pragma once

// Writes one answer to a client: a relayed one piece by piece, or one of weir's own whole. Chooses
// the framing: the upstream's Content-Length, else chunks, else (HTTP/1.0) the close.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/base/result.h"
#include "weir/metrics/request_record.h"
#include "weir/proxy/client.h"
#include "weir/upstream/exchange.h"

namespace weir::proxy {

using ExtraHeaders = std::vector<std::pair<std::string_view, std::string>>;

class ReplyWriter {
 public:
  // Status, bytes and the time of the first byte go into `record`.
  ReplyWriter(const ClientRequest& request, ClientSink& sink, metrics::RequestRecord& record)
      : request_(request), sink_(sink), record_(record) {}

  // The head of a relayed answer, kept until the first piece or `flush`. `extra` are the headers
  // that weir adds where they are missing.
  void start(const upstream::Exchange& exchange, const ExtraHeaders& extra);
  // False: the client has gone.
  bool piece(std::string_view bytes);
  // Sends the head if it still waits.
  bool flush();
  // The proper end of the body.
  bool finish();
  // The end of an answer that broke: `last_words` are sent as one more piece, then the connection
  // closes without a proper end.
  void abort(std::string_view last_words);

  // A whole answer of weir's own.
  bool whole(int status, std::string_view content_type, const ExtraHeaders& extra,
             std::string_view body);
  bool error(const base::Error& error, const ExtraHeaders& extra);

  // Something has gone out: the status can no longer be changed.
  bool has_sent() const { return sent_; }

 private:
  enum class Framing { kLength, kChunked, kClose };
  void begin_head(int status, std::string_view reason_phrase);
  void add(std::string_view name, std::string_view value);
  void end_head();
  bool send(std::span<const std::string_view> pieces);

  const ClientRequest& request_;
  ClientSink& sink_;
  metrics::RequestRecord& record_;
  Framing framing_ = Framing::kLength;
  std::string head_;  // not sent yet
  bool sent_ = false;
  bool has_body_ = true;
};

}  // namespace weir::proxy
