// Speed of the tokenizer on generated texts: `tokenizer_bench [vocabulary or FILE.gguf]`.
//
// "first" is the first count of that text (words not in the piece cache yet), "best" the best of
// ten.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "texts.h"
#include "weir/base/text.h"
#include "weir/tokenizer/builtin.h"
#include "weir/tokenizer/gguf.h"

namespace {

using weir::bench::chinese;
using weir::bench::english;
using weir::bench::make_words;
using weir::bench::Random;
using weir::tokenizer::Builtins;
using weir::tokenizer::load_gguf_tokenizer;
using weir::tokenizer::SpecialText;
using weir::tokenizer::Tokenizer;

std::string code(Random& random, std::size_t bytes) {
  const std::vector<std::string> words = make_words(random, 3000);
  const auto word = [&]() -> const std::string& { return words[random.skewed(words.size())]; };
  std::string text;
  while (text.size() < bytes) {
    text.append(2 * random.below(6), ' ');
    text += "const auto " + word() + "_" + word() + " = " + word() + "." + word() + "(" + word() +
            ", " + std::to_string(random.below(100)) + ");\n";
    if (random.below(5) == 0) {
      text += "\n  // " + word() + " " + word() + "\n  if (" + word() + " != nullptr) {\n";
    }
  }
  return text;
}

std::string json(Random& random, std::size_t bytes) {
  const std::vector<std::string> words = make_words(random, 3000);
  const auto word = [&]() -> const std::string& { return words[random.skewed(words.size())]; };
  std::string text = "[";
  while (text.size() < bytes) {
    text += "{\"id\": " + std::to_string(random.below(1000000)) + ", \"" + word() + "\": \"" +
            word() + " " + word() + "\", \"value\": " + std::to_string(random.below(1000)) + "." +
            std::to_string(random.below(1000)) + ", \"tags\": [\"" + word() + "\", null, true]},\n";
  }
  return text;
}

std::string random_letters(Random& random, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) {
    text.push_back(static_cast<char>('a' + random.below(26)));
  }
  return text;
}

std::string random_han(Random& random, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) {
    weir::base::append_utf8(text, 0x4E00 + static_cast<std::uint32_t>(random.below(0x5200)));
  }
  return text;
}

std::string one_letter(Random&, std::size_t bytes) {
  return std::string(bytes, 'a');
}
std::string spaces(Random&, std::size_t bytes) {
  return std::string(bytes, ' ');
}

struct Workload {
  const char* name;
  std::string (*make)(Random&, std::size_t);
};

constexpr std::array<Workload, 8> kWorkloads = {{
    {"English", english},
    {"Chinese", chinese},
    {"code", code},
    {"JSON", json},
    {"one letter", one_letter},
    {"random letters", random_letters},
    {"spaces", spaces},
    {"random Han", random_han},
}};

template <class Call>
double milliseconds(Call call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  return took.count();
}

// Counts `text` and prints one line of the table.
void run(const Tokenizer& tokenizer, const char* name, const std::string& text) {
  std::uint64_t tokens = 0;
  const auto count = [&] { tokens = tokenizer.count(text, SpecialText::kParse); };
  const double first = milliseconds(count);
  double best = first;
  for (int i = 0; i < 9; ++i) {
    best = std::min(best, milliseconds(count));
  }
  const auto megabytes = static_cast<double>(text.size()) / 1e6;
  std::printf("%-15s %6.1f MB %9llu tokens %8.2f ms %8.0f MB/s first %8.0f MB/s best\n", name,
              megabytes, static_cast<unsigned long long>(tokens), best, megabytes / first * 1e3,
              megabytes / best * 1e3);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "qwen3.5";
  const Builtins builtins;
  const Tokenizer* tokenizer = nullptr;
  std::unique_ptr<const Tokenizer> from_file;
  const double load = milliseconds([&] {
    tokenizer = builtins.find(name);
    if (tokenizer != nullptr) {
      return;
    }
    if (auto loaded = load_gguf_tokenizer(std::string(name))) {
      from_file = std::move(loaded->tokenizer);
      tokenizer = from_file.get();
    }
  });
  if (tokenizer == nullptr) {
    std::fprintf(stderr, "no vocabulary or model file of that name\n");
    return 2;
  }
  std::printf("%s: tables built in %.0f ms\n", argc > 1 ? argv[1] : "qwen3.5", load);
  for (const std::size_t bytes : {std::size_t{1} << 20, std::size_t{4} << 20}) {
    for (const Workload& workload : kWorkloads) {
      Random random;
      run(*tokenizer, workload.name, workload.make(random, bytes));
    }
  }
  return 0;
}
