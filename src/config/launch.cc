#include <algorithm>

#include "tables.h"

namespace weir::config {
namespace {

constexpr std::int64_t kTokensMax = 1000000000;
constexpr std::string_view kHiddenOption = "--api-key";

// A number without quotes, so that what is printed can be read again.
std::string show_number_or_word(const std::string& value) {
  const bool is_number =
      std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
  return is_number ? value : shown(value);
}

// A number, or one of `words`.
template <class T>
Field<T> number_or_word(std::string T::*member, const std::vector<std::string_view>& words) {
  return {"integer or text", "",
          [=](const Value& value, T& into) {
            if (value.node.kind == Node::Kind::kInteger) {
              if (const auto found = value.integer({0, 100000})) {
                into.*member = std::to_string(*found);
              }
            } else if (auto found = value.choice(words)) {
              into.*member = std::move(*found);
            }
          },
          [=](const T& from) { return show_number_or_word(from.*member); }};
}

// true is `yes`, false is `no`; otherwise as `other` reads it.
template <class T>
Field<T> flag_or(std::string T::*member, const std::string& yes, const std::string& no,
                 std::string_view type, Field<T> other) {
  return {type, "",
          [=](const Value& value, T& into) {
            if (value.node.kind == Node::Kind::kFlag) {
              into.*member = value.node.flag ? yes : no;
            } else {
              other.read(value, into);
            }
          },
          other.show};
}

// A bare name is looked for in PATH, so it stays as it is.
void read_server_path(const Value& value, Launch& into) {
  const auto text = value.text();
  if (!text) {
    return;
  }
  if (text->empty()) {
    value.fault("the program is empty; write server = \"llama-server\" or its path");
  } else if (text->find_first_of("/\\") == std::string::npos) {
    into.server = path_of(*text);
  } else if (const auto found = value.path()) {
    into.server = *found;
  }
}

void read_extra_args(const Value& value, Launch& into) {
  if (auto found = value.texts()) {
    into.extra_args = std::move(*found);
  }
}

// The key in `--api-key KEY` and `--api-key=KEY` is not shown.
std::string show_extra_args(const Launch& launch) {
  std::vector<std::string> args = launch.extra_args;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i].starts_with(std::string(kHiddenOption) + "=")) {
      args[i] = std::string(kHiddenOption) + "=***";
    } else if (i > 0 && args[i - 1] == kHiddenOption) {
      args[i] = "***";
    }
  }
  return shown(args);
}

}  // namespace

std::vector<Row<Launch>> launch_rows() {
  constexpr Range kTokens{0, kTokensMax};
  return {
      {"server",
       {"path", "", read_server_path, [](const Launch& launch) { return shown(launch.server); }},
       "\"llama-server\"",
       "the program; a bare name is looked for in PATH"},
      {"model", path(&Launch::model), "\"models/Qwen3.6-35B-A3B-Q4_K_M.gguf\"", "the GGUF to load"},
      {"mmproj", path(&Launch::mmproj), "\"models/mmproj.gguf\"", "the picture part of the model"},
      {"ctx_size", whole(&Launch::ctx_size, kTokens, "tokens"), "65536",
       "context over all slots; 0 takes the model's own"},
      {"gpu_layers", number_or_word(&Launch::gpu_layers, {"auto", "all"}), "99",
       "layers on the GPU: a number, \"auto\" or \"all\""},
      {"cpu_moe",
       flag_or(&Launch::cpu_moe, "all", "", "flag or integer",
               number_or_word(&Launch::cpu_moe, {"all"})),
       "true", "experts on the CPU: true for all, or of how many layers"},
      {"cache_type_k", text(&Launch::cache_type_k), "\"q8_0\"", "type of the K cache"},
      {"cache_type_v", text(&Launch::cache_type_v), "\"q8_0\"", "type of the V cache"},
      {"flash_attn",
       flag_or(&Launch::flash_attn, "on", "off", "flag or text",
               choice(&Launch::flash_attn, {"on", "off", "auto"})),
       "\"auto\"", "flash attention: \"on\", \"off\" or \"auto\""},
      {"batch_size", whole(&Launch::batch_size, {1, kTokensMax}, "tokens"), "2048",
       "logical batch of the prefill"},
      {"ubatch_size", whole(&Launch::ubatch_size, {1, kTokensMax}, "tokens"), "512",
       "physical batch of the prefill; larger needs more GPU memory"},
      {"cache_ram", whole(&Launch::cache_ram, {-1, 100000000}, "MiB"), "8192",
       "prompt cache in main memory; -1 no limit, 0 off"},
      {"slot_save_path", path(&Launch::slot_save_path), "\"slots\"",
       "folder for saved slots; must exist"},
      {"threads", whole(&Launch::threads, {-1, 4096}, "threads"), "8", "CPU threads; -1 all"},
      {"parallel", whole(&Launch::parallel, {-1, 4096}, "slots"), "1",
       "slots; each gets its share of ctx_size; -1 lets the server choose"},
      {"rope_scale", number(&Launch::rope_scale, {0.000001, 1000000}), "2",
       "stretches the context by this factor"},
      {"rope_freq_base", number(&Launch::rope_freq_base, {0.000001, 1e12}), "1000000",
       "base frequency of RoPE"},
      {"extra_args",
       {"list", "", read_extra_args, show_extra_args},
       "[\"--mlock\"]",
       "further arguments, as they are"},
  };
}

}  // namespace weir::config
