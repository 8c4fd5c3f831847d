# Flags for our own code only; never part of a part's public interface.
add_library(weir_flags INTERFACE)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  target_compile_options(weir_flags INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor
    $<$<BOOL:${WEIR_WARNINGS_AS_ERRORS}>:-Werror>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 sees overlaps in std::string's operator+ that are not there (GCC bug 105651).
    target_compile_options(weir_flags INTERFACE -Wno-restrict)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(weir_flags INTERFACE -Wthread-safety)
  endif()
elseif(MSVC)
  target_compile_options(weir_flags INTERFACE /W4 /utf-8 $<$<BOOL:${WEIR_WARNINGS_AS_ERRORS}>:/WX>)
endif()
if(WEIR_SANITIZE)
  add_compile_options(-fsanitize=${WEIR_SANITIZE} -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With its checks in between GCC 12 takes members of std::regex and std::optional for unset.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
  add_link_options(-fsanitize=${WEIR_SANITIZE})
endif()

if(WEIR_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)  # tells libFuzzer which code an input reached
endif()

# weir_part(NAME SOURCES a.cc b.cc [HEADERS a.h b.h] [USES base log] [PRIVATE_LIBS fmt::fmt])
#
# Declares the static library weir_NAME (alias weir::NAME). HEADERS are the public ones, relative to
# include/weir/NAME; every one of them must compile alone. USES names the parts that it may include, as in the table of
# docs/architecture.md. PRIVATE_LIBS are libraries whose types stay inside the part.
function(weir_part name)
  cmake_parse_arguments(ARG "" "" "HEADERS;SOURCES;USES;PRIVATE_LIBS" ${ARGN})
  add_library(weir_${name} STATIC ${ARG_SOURCES})
  add_library(weir::${name} ALIAS weir_${name})
  set(root "${PROJECT_SOURCE_DIR}/include")
  list(TRANSFORM ARG_HEADERS PREPEND "${root}/weir/${name}/")
  target_sources(weir_${name} PUBLIC FILE_SET HEADERS BASE_DIRS "${root}" FILES ${ARG_HEADERS})
  set_target_properties(weir_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  target_include_directories(weir_${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  list(TRANSFORM ARG_USES PREPEND "weir::")
  target_link_libraries(weir_${name} PUBLIC ${ARG_USES} PRIVATE weir_flags ${ARG_PRIVATE_LIBS})
endfunction()

# weir_test(NAME SOURCES a_test.cc [LIBS weir::base])
#
# Declares the GoogleTest program NAME and registers its tests with ctest.
function(weir_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LIBS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} weir_flags GTest::gtest_main GTest::gtest)
  target_compile_definitions(${name} PRIVATE WEIR_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
    WEIR_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  include(GoogleTest)
  gtest_discover_tests(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} DISCOVERY_TIMEOUT 60)
endfunction()
