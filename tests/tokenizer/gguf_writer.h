#pragma once

// Writes GGUF headers for tests, right ones and wrong ones.

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace weir::tokenizer::test {

enum class GgufType : std::uint32_t { kU8 = 0, kU32 = 4, kI32, kF32, kBool, kString, kArray };

class GgufWriter {
 public:
  template <class Number>
  GgufWriter& number(Number value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    body_.append(bytes, sizeof value);
    return *this;
  }
  GgufWriter& text(std::string_view text) {
    number<std::uint64_t>(text.size());
    body_ += text;
    return *this;
  }
  // A key and the type of its value; the value is for the caller.
  GgufWriter& key(std::string_view name, GgufType type) {
    ++keys_;
    text(name);
    return number(static_cast<std::uint32_t>(type));
  }
  GgufWriter& array(std::string_view name, GgufType type, std::uint64_t elements) {
    key(name, GgufType::kArray);
    number(static_cast<std::uint32_t>(type));
    return number(elements);
  }
  GgufWriter& key_text(std::string_view name, std::string_view value) {
    return key(name, GgufType::kString).text(value);
  }
  GgufWriter& key_texts(std::string_view name, const std::vector<std::string>& values) {
    array(name, GgufType::kString, values.size());
    for (const std::string& value : values) {
      text(value);
    }
    return *this;
  }
  GgufWriter& key_types(std::string_view name, const std::vector<std::int32_t>& values) {
    array(name, GgufType::kI32, values.size());
    for (const std::int32_t value : values) {
      number(value);
    }
    return *this;
  }
  GgufWriter& key_scores(std::string_view name, const std::vector<float>& values) {
    array(name, GgufType::kF32, values.size());
    for (const float value : values) {
      number(value);
    }
    return *this;
  }
  GgufWriter& key_bool(std::string_view name, bool value) {
    return key(name, GgufType::kBool).number<std::uint8_t>(value ? 1 : 0);
  }

  std::string file(std::uint32_t version = 3) const {
    GgufWriter head;
    head.body_ = "GGUF";
    head.number(version).number<std::uint64_t>(0).number<std::uint64_t>(keys_);
    return head.body_ + body_;
  }

 private:
  std::uint64_t keys_ = 0;
  std::string body_;
};

}  // namespace weir::tokenizer::test
