#pragma once

// Reads the recorded answers in tests/data/captures.

#include <fstream>
#include <sstream>
#include <string>

namespace weir::openai {

struct Capture {
  int status = 0;
  std::string body;  // chunks joined
};

inline std::string joined_chunks(const std::string& chunked) {
  std::string body;
  std::size_t at = 0;
  while (at < chunked.size()) {
    const std::size_t line = chunked.find("\r\n", at);
    const std::size_t size = std::stoul(chunked.substr(at, line - at), nullptr, 16);
    if (size == 0) {
      break;
    }
    body += chunked.substr(line + 2, size);
    at = line + 2 + size + 2;
  }
  return body;
}

inline Capture read_capture(const std::string& name) {
  std::ifstream file(std::string(WEIR_TEST_DATA) + "/captures/" + name, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  const std::string all = text.str();
  const std::size_t head = all.find("\r\n\r\n");
  if (head == std::string::npos) {
    return {};
  }
  Capture capture{std::stoi(all.substr(9, 3)), all.substr(head + 4)};
  if (all.substr(0, head).find("Transfer-Encoding: chunked") != std::string::npos) {
    capture.body = joined_chunks(capture.body);
  }
  return capture;
}

}  // namespace weir::openai
