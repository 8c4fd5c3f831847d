#pragma once

// Counts what is no text in a chat request: pictures, sounds, files (docs/tokenizer.md has the
// rules).

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/result.h"
#include "weir/config/config.h"
#include "weir/media/projector.h"
#include "weir/openai/prompt.h"
#include "weir/tokenizer/tokenizer.h"

namespace weir::proxy {

struct MediaCount {
  std::uint64_t tokens = 0;
  std::string why_estimate;  // one line; "" when the count is exact
};

// Cheap to copy; thread-safe after construction.
class MediaCounter {
 public:
  // Knows no projector: a part counts as `image_tokens`. Not explicit: a number says all of it.
  MediaCounter(std::uint32_t image_tokens) : image_tokens_(image_tokens) {}

  // By tokenizer.mmproj, else by the mmproj of `local`'s launch table where that can be read.
  // `local` may be null.
  // Errors: kBadConfig when tokenizer.mmproj cannot be used.
  static base::Result<MediaCounter> choose(const config::Tokenizer& settings,
                                           const config::Upstream* local);

  // The same, or when no file was configured: by the one projector that lies beside the model's
  // file, or else by the model's name. Their counts are estimates.
  MediaCounter for_file(const std::string& model_path) const;
  MediaCounter for_model(std::string_view model_name) const;

  // `tokenizer` counts the texts around the pictures; `model` is the request's, for pictures of
  // OpenAI's models.
  MediaCount count(const std::vector<openai::MediaPart>& parts,
                   const tokenizer::Tokenizer& tokenizer, std::string_view model) const;

 private:
  struct Sum;
  void add_picture(const openai::MediaPart& part, const tokenizer::Tokenizer& tokenizer,
                   std::string_view model, Sum& sum) const;
  void add_sound(const openai::MediaPart& part, Sum& sum) const;
  void add_file(const openai::MediaPart& part, Sum& sum) const;

  std::uint32_t image_tokens_;
  media::TokenLimits limits_;
  std::shared_ptr<const media::Projector> projector_;  // null when it is not known
  bool is_configured_ = false;                         // by a file that the configuration names
  bool is_beside_ = false;                             // found beside the model
};

}  // namespace weir::proxy
