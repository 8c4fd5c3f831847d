#include "weir/proxy/media_counter.h"

#include <filesystem>
#include <optional>

#include "weir/base/text.h"
#include "weir/media/openai_pictures.h"
#include "weir/media/picture_size.h"
#include "weir/media/sound_length.h"
#include "weir/os/process.h"

namespace weir::proxy {
namespace {

namespace fs = std::filesystem;

using Kind = openai::MediaPart::Kind;

constexpr int kDirectoryEntriesMax = 10000;
constexpr std::uint64_t kFileBytesPerToken = 4;

std::shared_ptr<const media::Projector> shared(media::Projector projector) {
  return std::make_shared<const media::Projector>(std::move(projector));
}

bool is_projector_name(const fs::path& file) {
  const std::string name = base::ascii_lower(os::path_to_utf8(file.filename()));
  return name.ends_with(".gguf") && name.find("mmproj") != std::string::npos;
}

// The only projector file in the directory; nothing when there are none or several.
std::optional<fs::path> projector_in(const fs::path& directory) {
  std::optional<fs::path> found;
  std::error_code error;
  fs::directory_iterator at(directory, error);
  for (int i = 0; !error && at != fs::directory_iterator() && i < kDirectoryEntriesMax; ++i) {
    if (is_projector_name(at->path())) {
      if (found) {
        return std::nullopt;
      }
      found = at->path();
    }
    at.increment(error);
  }
  return error ? std::nullopt : found;
}

bool is_openai(const tokenizer::Tokenizer& tokenizer) {
  return tokenizer.name().starts_with("o200k") || tokenizer.name().starts_with("cl100k");
}

// Whether a data URL says that it holds text.
bool is_text_file(std::string_view source) {
  return source.starts_with("data:text/") || source.starts_with("data:text\\/") ||
         source.starts_with("data:application/json") ||
         source.starts_with("data:application\\/json");
}

}  // namespace

struct MediaCounter::Sum : MediaCount {
  // Keeps the first reason.
  void note(std::string_view why) {
    if (why_estimate.empty()) {
      why_estimate = why;
    }
  }
  void add(std::uint64_t more, std::string_view why) {
    tokens += more;
    note(why);
  }
};

base::Result<MediaCounter> MediaCounter::choose(const config::Tokenizer& settings,
                                                const config::Upstream* local) {
  MediaCounter counter(settings.image_tokens);
  counter.limits_ = {settings.image_min_tokens, settings.image_max_tokens};
  const bool is_own = !settings.mmproj.empty();
  const bool is_launched = local != nullptr && local->launch && !local->launch->mmproj.empty();
  if (!is_own && !is_launched) {
    return counter;
  }
  const fs::path& file = is_own ? settings.mmproj : local->launch->mmproj;
  auto projector = media::Projector::load(os::path_to_utf8(file), counter.limits_);
  if (projector) {
    counter.projector_ = shared(*std::move(projector));
    counter.is_configured_ = true;
  } else if (is_own) {
    return base::Error{projector.error().code, "tokenizer.mmproj: " + projector.error().message};
  }
  return counter;
}

MediaCounter MediaCounter::for_file(const std::string& model_path) const {
  const fs::path file = os::path_from_utf8(model_path);
  MediaCounter counter = for_model(os::path_to_utf8(file.filename()));
  const auto beside = is_configured_ ? std::nullopt : projector_in(file.parent_path());
  if (!beside) {
    return counter;
  }
  if (auto projector = media::Projector::load(os::path_to_utf8(*beside), limits_)) {
    counter.projector_ = shared(*std::move(projector));
    counter.is_beside_ = true;
  }
  return counter;
}

MediaCounter MediaCounter::for_model(std::string_view model_name) const {
  MediaCounter counter = *this;
  if (!is_configured_) {
    auto projector = media::Projector::of_model(model_name, limits_);
    counter.projector_ = projector ? shared(*std::move(projector)) : nullptr;
    counter.is_beside_ = false;
  }
  return counter;
}

void MediaCounter::add_picture(const openai::MediaPart& part, const tokenizer::Tokenizer& tokenizer,
                               std::string_view model, Sum& sum) const {
  const auto header = media::picture_header(part.source);
  if (projector_ == nullptr && is_openai(tokenizer)) {
    const media::Detail detail = media::detail_named(part.detail);
    const auto low = detail == media::Detail::kLow ? media::openai_low_tokens(model) : std::nullopt;
    const std::uint64_t tokens = header ? media::openai_picture_tokens(model, header->size, detail)
                                        : low.value_or(image_tokens_);
    return sum.add(tokens, "pictures count by OpenAI's published rules");
  }
  if (!header) {
    return sum.add(image_tokens_, "the size of a picture cannot be read");
  }
  const auto cost = projector_ ? projector_->picture_cost(header->size) : std::nullopt;
  if (!cost) {
    return sum.add(image_tokens_, projector_ != nullptr && !projector_->why_estimate().empty()
                                      ? std::string_view(projector_->why_estimate())
                                      : "how the model counts pictures is not known; set "
                                        "tokenizer.mmproj to its projector's file");
  }
  sum.tokens += cost->tokens;
  for (const std::string& text : cost->texts) {
    sum.tokens += tokenizer.count(text, tokenizer::SpecialText::kParse);
  }
  sum.note(projector_->why_estimate());
  if (is_beside_) {
    sum.note("the projector's file was found beside the model's; set tokenizer.mmproj to be sure");
  }
  if (!header->is_plain) {
    sum.note("the data of a picture is no base64 that llama-server takes");
  }
}

void MediaCounter::add_sound(const openai::MediaPart& part, Sum& sum) const {
  const auto seconds = media::sound_seconds(part.source);
  const std::uint64_t tokens = !seconds                ? image_tokens_
                               : projector_ != nullptr ? projector_->sound_tokens(*seconds)
                                                       : media::default_sound_tokens(*seconds);
  sum.add(tokens, seconds ? "a sound counts by its length" : "the length of a sound is not known");
}

// The text of a file counts by its bytes, three for four characters of base64.
void MediaCounter::add_file(const openai::MediaPart& part, Sum& sum) const {
  const std::uint64_t tokens =
      is_text_file(part.source) ? part.source.size() / 4 * 3 / kFileBytesPerToken : image_tokens_;
  sum.add(tokens, "there is a file or a video");
}

MediaCount MediaCounter::count(const std::vector<openai::MediaPart>& parts,
                               const tokenizer::Tokenizer& tokenizer,
                               std::string_view model) const {
  Sum sum;
  for (const openai::MediaPart& part : parts) {
    if (part.kind == Kind::kPicture) {
      add_picture(part, tokenizer, model, sum);
    } else if (part.kind == Kind::kSound) {
      add_sound(part, sum);
    } else {
      add_file(part, sum);
    }
  }
  return sum;
}

}  // namespace weir::proxy
