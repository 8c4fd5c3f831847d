// What a chat request costs before it can be sent on: `request_bench DIR`, DIR as for
// tokenizer_bench. Exit code: 0 when every limit is kept, 1 when one is not.
//
// No text is counted twice: each body holds another part of 8 MB of English, or of chats.

#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "report.h"
#include "weir/openai/chat_request.h"
#include "weir/proxy/prompt_counter.h"
#include "weir/tokenizer/builtin.h"

namespace {

using weir::bench::median;
using weir::bench::number;
using weir::bench::Report;
using weir::openai::ChatRequest;
using weir::openai::json_quoted;
using weir::proxy::PromptCounter;
using weir::tokenizer::Builtins;
using weir::tokenizer::SpecialText;

constexpr std::size_t kSmallBytes = 2048;
constexpr std::size_t kLargeBytes = std::size_t{1} << 20;
constexpr std::size_t kGroup = 500;           // small requests in one figure
constexpr double kSmallMicrosecondsMax = 12;  // of CPU
constexpr double kLargeMillisecondsMax = 10;
constexpr double kMemoryMegabytesMax = 25;

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s cannot be read; tests/bench/corpora.py makes it\n", path.c_str());
    std::exit(2);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double resident_megabytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  statm >> all >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

// Bodies of about `bytes` bytes each, of which `message_bytes` are in one message.
std::vector<std::string> make_bodies(std::string_view text, std::size_t bytes,
                                     std::size_t message_bytes) {
  std::vector<std::string> bodies;
  while (text.size() > bytes) {
    std::string body = R"({"model":"auto","stream":true,"temperature":0.7,"messages":[)"
                       R"({"role":"system","content":"You are a helpful assistant."})";
    for (int turn = 0; body.size() + 64 < bytes; ++turn) {
      std::size_t take = std::min(message_bytes, bytes - body.size() - 48);
      while (take > 0 && (static_cast<unsigned char>(text[take]) & 0xC0) == 0x80) {
        --take;
      }
      body +=
          turn % 2 == 0 ? R"(,{"role":"user","content":)" : R"(,{"role":"assistant","content":)";
      body += json_quoted(text.substr(0, take));
      body += "}";
      text.remove_prefix(take);
    }
    bodies.push_back(body + "]}");
  }
  return bodies;
}

// CPU seconds of reading, counting and making ready to send.
double prepare(const PromptCounter& counter, const std::string& body, std::uint64_t& tokens) {
  const double start = cpu_seconds();
  const auto request = ChatRequest::parse(body);
  if (!request) {
    std::fprintf(stderr, "%s\n", request.error().message.c_str());
    std::exit(2);
  }
  tokens += counter.count(*request).tokens;
  const std::size_t slices = request->with_model("\"local-model\"").size();
  const double took = cpu_seconds() - start;
  return slices > 1 ? took : 0;
}

void measure_small(const PromptCounter& counter, const std::string& text, Report& report) {
  const std::vector<std::string> bodies = make_bodies(text, kSmallBytes, kSmallBytes);
  std::vector<double> groups;
  std::uint64_t tokens = 0;
  for (std::size_t from = 0; from + kGroup <= bodies.size(); from += kGroup) {
    double seconds = 0;
    for (std::size_t i = from; i < from + kGroup; ++i) {
      seconds += prepare(counter, bodies[i], tokens);
    }
    groups.push_back(seconds / kGroup * 1e6);
  }
  const double best = *std::min_element(groups.begin(), groups.end());
  report.add({"CPU of a 2 KB chat request: parse, count, splice",
              number(best) + " us (median " + number(median(groups)) + ")", "", "",
              number(kSmallMicrosecondsMax, 0) + " us", best <= kSmallMicrosecondsMax});
}

void measure_large(const PromptCounter& counter, const std::string& text, Report& report) {
  std::vector<double> times;
  std::uint64_t tokens = 0;
  const std::vector<std::string> bodies = make_bodies(text, kLargeBytes, 6000);
  for (const std::string& body : bodies) {
    times.push_back(prepare(counter, body, tokens) * 1e3);
  }
  const double best = *std::min_element(times.begin(), times.end());
  report.add({"1 MB of chat, " + std::to_string(tokens / bodies.size()) +
                  " tokens: parse, count, ready to send",
              number(best) + " ms (median " + number(median(times)) + ")", "", "",
              number(kLargeMillisecondsMax, 0) + " ms", best <= kLargeMillisecondsMax});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: request_bench DIR\n");
    return 2;
  }
  const std::string directory = argv[1];
  const std::string english = read_file(directory + "/English.long.txt");
  const std::string chat = read_file(directory + "/chat.long.txt");
  Report report;
  const double before = resident_megabytes();
  Builtins builtins;
  const double start = cpu_seconds();
  const auto* tokenizer = builtins.find("qwen3.5");
  const double load_ms = (cpu_seconds() - start) * 1e3;
  const std::string_view some = std::string_view(chat).substr(0, kLargeBytes / 2);
  (void)tokenizer->count(some, SpecialText::kParse);
  const double memory = resident_megabytes() - before;
  report.add({"memory of one vocabulary, used", number(memory) + " MB", "", "",
              number(kMemoryMegabytesMax, 0) + " MB", memory <= kMemoryMegabytesMax});
  const auto counter = PromptCounter::choose("qwen3.5", "", 1024, builtins);
  if (!counter) {
    std::fprintf(stderr, "%s\n", counter.error().message.c_str());
    return 2;
  }
  measure_small(*counter, english, report);
  measure_large(*counter, chat, report);
  report.note("tables of the vocabulary: ready after " + number(load_ms, 0) + " ms");
  report.end();
  return report.all_met() ? 0 : 1;
}
