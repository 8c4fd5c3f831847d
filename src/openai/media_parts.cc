#include <algorithm>
#include <iterator>

#include "json_reader.h"
#include "weir/openai/prompt.h"

namespace weir::openai {
namespace {

using Kind = MediaPart::Kind;

// A type of content part, and the members that may hold its data or its address.
struct MediaType {
  std::string_view name;
  Kind kind;
  bool is_known_to_server;  // llama-server refuses a request with one of the others
  std::string_view sources[2];
};

constexpr MediaType kTypes[] = {
    {"image_url", Kind::kPicture, true, {"url", ""}},
    {"image", Kind::kPicture, false, {"url", "data"}},
    {"input_audio", Kind::kSound, true, {"data", "url"}},
    {"audio_url", Kind::kSound, false, {"url", ""}},
    {"input_video", Kind::kVideo, true, {"data", "url"}},
    {"video_url", Kind::kVideo, true, {"data", "url"}},
    {"file", Kind::kFile, false, {"file_data", ""}},
    {"input_file", Kind::kFile, false, {"file_data", ""}},
};

std::string_view inside_quotes(JsonView text) {
  return text.is(JsonKind::kString) ? text.raw().substr(1, text.raw().size() - 2)
                                    : std::string_view();
}

const MediaType* type_of(JsonView part) {
  const JsonView name = part.member("type");
  const auto* found = std::find_if(std::begin(kTypes), std::end(kTypes),
                                   [&](const MediaType& type) { return name.equals(type.name); });
  return found == std::end(kTypes) ? nullptr : found;
}

// The member of the type's own name holds an object with the source, or is the source.
MediaPart read_part(JsonView part, const MediaType& type) {
  const JsonView holder = part.member(type.name);
  MediaPart media{type.kind, inside_quotes(holder), inside_quotes(holder.member("detail"))};
  for (const std::string_view name : type.sources) {
    if (media.source.empty() && !name.empty()) {
      media.source = inside_quotes(holder.member(name));
    }
  }
  return media;
}

std::size_t marks_in(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(kMediaMark, at)) != std::string_view::npos; ++count) {
    at += kMediaMark.size();
  }
  return count;
}

}  // namespace

void add_media(const ChatRequest& request, PromptText& prompt) {
  prompt.media.clear();
  if (request.images() + request.audios() + request.files() == 0) {
    return;
  }
  prompt.model = request.model().value_or("");
  std::size_t known = 0;
  for (ElementCursor message(JsonView(request.messages_json())); message.next();) {
    for (ElementCursor part(message.value().member("content")); part.next();) {
      if (const MediaType* type = type_of(part.value())) {
        prompt.media.push_back(read_part(part.value(), *type));
        known += type->is_known_to_server ? 1 : 0;
      }
    }
  }
  if (marks_in(prompt.text) != known && !prompt.is_estimate) {
    prompt.is_estimate = true;
    prompt.why_estimate = "the chat template leaves out a picture or a sound";
  }
}

std::vector<std::string_view> text_pieces(const PromptText& prompt) {
  std::vector<std::string_view> pieces;
  std::string_view rest = prompt.text;
  while (!prompt.media.empty()) {
    const std::size_t at = rest.find(kMediaMark);
    if (at == std::string_view::npos) {
      break;
    }
    pieces.push_back(rest.substr(0, at));
    rest.remove_prefix(at + kMediaMark.size());
  }
  pieces.push_back(rest);
  return pieces;
}

}  // namespace weir::openai
