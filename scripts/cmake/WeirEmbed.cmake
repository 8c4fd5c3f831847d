# weir_embed(OUT_VARIABLE FILE config/x.toml HEADER weir/part/y.h FUNCTION weir::part::name): a source file, made again when
# FILE changes, in which FUNCTION (a std::string_view(), declared in HEADER) gives FILE's bytes.
#
# The script calls itself to make it: cmake -DINPUT= -DOUTPUT= -DHEADER= -DFUNCTION= -P this. The bytes are an array and
# no string literal, because MSVC limits those to 16 KB.
function(weir_embed out_variable)
  cmake_parse_arguments(ARG "" "FILE;HEADER;FUNCTION" "" ${ARGN})
  set(input "${PROJECT_SOURCE_DIR}/${ARG_FILE}")
  get_filename_component(name "${input}" NAME)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${name}.cc")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DINPUT=${input}" "-DOUTPUT=${output}" "-DHEADER=${ARG_HEADER}"
            "-DFUNCTION=${ARG_FUNCTION}" -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
    DEPENDS "${input}" "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
    VERBATIM)
  set(${out_variable} "${output}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  file(READ "${INPUT}" bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  get_filename_component(name "${INPUT}" NAME)
  string(REGEX REPLACE "::([^:]+)$" "" scope "${FUNCTION}")
  string(REGEX REPLACE "^.*::" "" function "${FUNCTION}")
  file(WRITE "${OUTPUT}" "// Made from ${name} by WeirEmbed.cmake.
#include \"${HEADER}\"

namespace ${scope} {
namespace {

constexpr char kBytes[] = {
    ${bytes}};

}  // namespace

std::string_view ${function}() {
  return {kBytes, sizeof kBytes};
}

}  // namespace ${scope}
")
endif()
