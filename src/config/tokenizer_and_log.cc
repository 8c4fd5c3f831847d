#include "tables.h"
#include "weir/base/text.h"

namespace weir::config {
namespace {

// "auto" and built-in names stay as they are; a file is found from the config file.
void read_tokenizer_model(const Value& value, Tokenizer& into) {
  const auto name = value.text();
  if (!name) {
    return;
  }
  const std::string trimmed(base::trim_ascii(*name));
  if (trimmed.empty()) {
    value.fault("the model is empty; write \"auto\", a built-in name or the path of a .gguf");
  } else if (base::ascii_lower(trimmed).ends_with(".gguf")) {
    if (const auto found = value.file()) {
      into.model = utf8_of(*found);
    }
  } else {
    into.model = trimmed;
  }
}

void read_format(const Value& value, Log& into) {
  if (const auto found = value.choice({"text", "json"})) {
    into.format = *found == "json" ? LogFormat::kJson : LogFormat::kText;
  }
}

}  // namespace

std::vector<Row<TopLevel>> top_rows() {
  return {{"timeout", seconds(&TopLevel::timeout, kWait), "600",
           "for every upstream: longest wait for the first body byte of an answer"}};
}

std::vector<Row<Tokenizer>> tokenizer_rows() {
  return {
      {"model",
       {"text", "", read_tokenizer_model,
        [](const Tokenizer& tokenizer) { return shown(tokenizer.model); }},
       "\"qwen3.5\"",
       "\"auto\", a built-in name, or the path of a .gguf"},
      {"image_tokens", whole(&Tokenizer::image_tokens, {0, 1000000}, "tokens"), "1024",
       "a picture whose size cannot be read counts as this"},
      {"mmproj", file(&Tokenizer::mmproj), "\"models/mmproj.gguf\"",
       "the projector's file, as llama-server gets it with --mmproj; makes pictures exact"},
      {"image_min_tokens", whole(&Tokenizer::image_min_tokens, {0, 1000000}, "tokens"), "1024",
       "as llama-server's --image-min-tokens, if it has one; 0: none"},
      {"image_max_tokens", whole(&Tokenizer::image_max_tokens, {0, 1000000}, "tokens"), "4096",
       "as llama-server's --image-max-tokens, if it has one; 0: none"},
  };
}

std::vector<Row<Log>> log_rows() {
  return {
      {"level", choice(&Log::level, {"trace", "debug", "info", "warn", "error"}), "\"info\"",
       "least important line that is written: trace, debug, info, warn or error"},
      {"file", path(&Log::file), "\"weir.log\"", "file to write to; not set: standard error"},
      {"format",
       {"text", "", read_format,
        [](const Log& log) {
          return std::string(log.format == LogFormat::kJson ? "\"json\"" : "\"text\"");
        }},
       "\"json\"",
       "\"text\" or \"json\", one object a line"},
      {"rotate_mb", whole(&Log::rotate_mb, {1, 1000000}, "MB"), "20",
       "size at which a new file is begun"},
      {"keep", whole(&Log::keep, {0, 1000}, "files"), "5", "old files that are kept"},
  };
}

}  // namespace weir::config
