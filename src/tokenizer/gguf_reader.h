#pragma once

// Reads numbers and strings one after the other from a GGUF header. The first thing that goes wrong
// is kept; after it every read gives zeros.

#include <bit>
#include <cstdint>
#include <cstring>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace weir::tokenizer {

static_assert(std::endian::native == std::endian::little, "numbers are read as they are");

class GgufReader {
 public:
  // `bytes` are all that may be read.
  GgufReader(std::istream& file, std::uint64_t bytes) : file_(file), left_(bytes) {}

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  void fail(std::string what);

  // Bytes that may still be read: what a length must not be above.
  std::uint64_t left() const { return left_; }

  template <class Number>
  Number number() {
    Number value{};
    read(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  }
  void read(char* out, std::uint64_t bytes);
  void skip(std::uint64_t bytes);
  // A length, then so many bytes. Above `bytes_max` it is an error that calls it `what`.
  std::uint64_t length(std::uint64_t bytes_max, std::string_view what);
  std::string text(std::uint64_t bytes_max, std::string_view what);

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{256} << 10;
  bool refill();

  std::istream& file_;
  std::uint64_t left_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;  // in the buffer
  std::string error_;
};

}  // namespace weir::tokenizer
