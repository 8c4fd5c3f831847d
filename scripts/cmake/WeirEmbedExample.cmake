# cmake -DINPUT=config.toml -DOUTPUT=example_config.cc -P this: the bytes of the file as a C++ array. No string literal,
# because MSVC limits those to 16 KB.
file(READ "${INPUT}" bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
file(WRITE "${OUTPUT}" "// Made from config/config.toml by WeirEmbedExample.cmake.
#include \"weir/config/load.h\"

namespace weir::config {
namespace {

constexpr char kExample[] = {
    ${bytes}};

}  // namespace

std::string_view example_config() {
  return {kExample, sizeof kExample};
}

}  // namespace weir::config
")
