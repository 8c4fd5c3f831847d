// Speed of the tokenizer: `tokenizer_bench DIR [PEERS]`, or of any other one, without limits for
// it: `tokenizer_bench DIR --tokenizer VOCABULARY-or-FILE.gguf`.
//
// DIR holds the texts that corpora.py writes. PEERS is what peer_tiktoken.cjs and peer_llama.py
// found for the same files in this run, one line each: peer, text, tokens, seconds (tab between).
// scripts/bench.sh runs all of it. Exit code: 0 when every limit is kept and every count is equal,
// 1 when one is not.
//
// What is timed is a text that was not counted before, by a tokenizer that has counted 8 MB of
// another text of that kind: a daemon in use. Each figure is the best of several.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report.h"
#include "weir/tokenizer/builtin.h"
#include "weir/tokenizer/gguf.h"

namespace {

using weir::bench::number;
using weir::bench::Report;
using weir::bench::Row;
using weir::tokenizer::Builtins;
using weir::tokenizer::SpecialText;
using weir::tokenizer::Tokenizer;

constexpr int kRounds = 7;
constexpr double kLongShareMax = 1.3;       // cost of a byte of 8 MB, in that of a byte of 1 MB
constexpr double kTimesTiktokenMin = 10.0;  // on ordinary texts
constexpr double kTimesServerMin = 30.0;

struct Text {
  const char* name;
  double megabytes_min;  // a second
  bool is_ordinary;      // so it is compared with the peers
};

constexpr Text kTexts[] = {
    {"English", 100, true},        {"Chinese", 60, true},      {"code", 100, true},
    {"JSON", 100, true},           {"chat", 60, true},         {"one letter", 30, false},
    {"random letters", 30, false}, {"spaces", 30, false},      {"random Han", 30, false},
    {"base64", 30, false},         {"punctuation", 30, false}, {"random marks", 30, false},
    {"digits", 30, false},
};

struct Speed {
  std::uint64_t tokens = 0;
  double megabytes = 0;  // a second
};

// Peer, then text.
using Peers = std::map<std::string, std::map<std::string, Speed>>;

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s cannot be read; tests/bench/corpora.py makes it\n", path.c_str());
    std::exit(2);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string short_file(const std::string& directory, const Text& text) {
  return directory + "/" + text.name + ".txt";
}

Peers read_peers(const std::string& path, const std::string& directory) {
  Peers peers;
  std::istringstream lines(path.empty() ? "" : read_file(path));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string peer;
    std::string name;
    std::string tokens;
    std::string seconds;
    std::getline(fields, peer, '\t');
    std::getline(fields, name, '\t');
    std::getline(fields, tokens, '\t');
    std::getline(fields, seconds, '\t');
    const auto bytes = static_cast<double>(read_file(directory + "/" + name + ".txt").size());
    peers[peer][name] = {std::stoull(tokens), bytes / 1e6 / std::stod(seconds)};
  }
  return peers;
}

Speed count_once(const Tokenizer& tokenizer, std::string_view text) {
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t tokens = tokenizer.count(text, SpecialText::kParse);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return {tokens, static_cast<double>(text.size()) / 1e6 / took.count()};
}

struct Measured {
  double first = 0;  // megabytes a second with nothing remembered
  Speed fresh;       // best of the rounds
  double of_long = 0;
};

Measured measure(const Tokenizer& tokenizer, std::string_view text, std::string_view other) {
  Measured measured;
  measured.first = count_once(tokenizer, text).megabytes;
  for (int round = 0; round < kRounds; ++round) {
    measured.of_long = std::max(measured.of_long, count_once(tokenizer, other).megabytes);
    const Speed speed = count_once(tokenizer, text);
    measured.fresh = {speed.tokens, std::max(measured.fresh.megabytes, speed.megabytes)};
  }
  return measured;
}

// One line of the table, filled field by field.
class Line {
 public:
  Line(const Text& text, std::size_t bytes) {
    row_.measure = std::string(text.name) + ", " + number(static_cast<double>(bytes) / 1e6) + " MB";
  }

  void own(const Measured& measured, double megabytes_min) {
    row_.weir = number(measured.fresh.megabytes, 0) + " MB/s (first " + number(measured.first, 0) +
                ", 8 MB " + number(measured.of_long, 0) + ")";
    check(measured.fresh.megabytes >= megabytes_min, number(megabytes_min, 0) + " MB/s");
    const double share = measured.fresh.megabytes / measured.of_long;
    check(share <= kLongShareMax, "8 MB " + number(kLongShareMax) + " times");
  }

  void peer(const char* name, const Speed& peer, const Speed& own, double times_min) {
    append(row_.beside, std::string(name) + " " + number(peer.megabytes) + " MB/s");
    append(row_.ratio, number(own.megabytes / peer.megabytes) + " times");
    check(own.megabytes >= times_min * peer.megabytes, number(times_min, 0) + " times");
    if (peer.tokens != own.tokens) {
      row_.met = false;
      append(row_.ratio, "COUNTS DIFFER: " + std::to_string(own.tokens) + " and " +
                             std::to_string(peer.tokens));
    }
  }

  const Row& row() const { return row_; }

 private:
  void append(std::string& field, const std::string& text) {
    field += (field.empty() ? "" : ", ") + text;
  }
  void check(bool met, const std::string& limit) {
    append(row_.limit, met ? limit : "**" + limit + "**");
    row_.met = row_.met && met;
  }

  Row row_;
};

const Speed* find(const Peers& peers, const char* peer, const char* text) {
  const auto found = peers.find(peer);
  if (found == peers.end()) {
    return nullptr;
  }
  const auto speed = found->second.find(text);
  return speed == found->second.end() ? nullptr : &speed->second;
}

// The text for the tokenizer that runs on the server, and beside it OpenAI's against tiktoken.
Row measure_text(const Builtins& builtins, const Text& kind, const std::string& directory,
                 const Peers& peers) {
  const std::string text = read_file(short_file(directory, kind));
  const std::string other = read_file(directory + "/" + kind.name + ".long.txt");
  Line line(kind, text.size());
  const Measured own = measure(*builtins.find("qwen3.5"), text, other);
  line.own(own, kind.megabytes_min);
  const Speed* server = find(peers, "llama-server", kind.name);
  if (kind.is_ordinary && server != nullptr) {
    line.peer("/tokenize", *server, own.fresh, kTimesServerMin);
  }
  const Speed* tiktoken = find(peers, "tiktoken", kind.name);
  if (kind.is_ordinary && tiktoken != nullptr && builtins.has("o200k")) {
    const Measured o200k = measure(*builtins.find("o200k"), text, other);
    line.peer(("o200k " + number(o200k.fresh.megabytes, 0) + " MB/s against tiktoken").c_str(),
              *tiktoken, o200k.fresh, kTimesTiktokenMin);
  }
  return line.row();
}

// Figures of any tokenizer, for comparing.
int measure_other(const Builtins& builtins, const std::string& name, const std::string& directory) {
  const Tokenizer* tokenizer = builtins.find(name);
  std::unique_ptr<const Tokenizer> from_file;
  if (tokenizer == nullptr) {
    auto loaded = weir::tokenizer::load_gguf_tokenizer(name);
    if (!loaded) {
      std::fprintf(stderr, "%s\n", loaded.error().message.c_str());
      return 2;
    }
    from_file = std::move(loaded->tokenizer);
    tokenizer = from_file.get();
  }
  for (const Text& text : kTexts) {
    const Measured measured = measure(*tokenizer, read_file(short_file(directory, text)),
                                      read_file(directory + "/" + text.name + ".long.txt"));
    std::printf("%-15s %9llu tokens %6.0f MB/s, first %6.0f, 8 MB %6.0f\n", text.name,
                static_cast<unsigned long long>(measured.fresh.tokens), measured.fresh.megabytes,
                measured.first, measured.of_long);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool is_other = arguments.size() == 3 && arguments[1] == "--tokenizer";
  if (!is_other && arguments.size() != 1 && arguments.size() != 2) {
    std::fprintf(stderr, "usage: tokenizer_bench DIR [PEERS | --tokenizer NAME]\n");
    return 2;
  }
  const std::string& directory = arguments[0];
  const Builtins builtins;
  if (is_other) {
    return measure_other(builtins, arguments[2], directory);
  }
  const Peers peers = read_peers(arguments.size() > 1 ? arguments[1] : "", directory);
  Report report;
  for (const Text& text : kTexts) {
    report.add(measure_text(builtins, text, directory, peers));
  }
  report.end();
  return report.all_met() ? 0 : 1;
}
