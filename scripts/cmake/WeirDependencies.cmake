# The libraries that weir stands on, each behind one target. System packages first; the versions
# named in docs/architecture.md are the ones that are tested.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(THREADS_PREFER_PTHREAD_FLAG ON)

find_package(Threads REQUIRED)
find_package(OpenSSL 3.0 REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(tomlplusplus 3.1 REQUIRED)
find_package(spdlog 1.10 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(prometheus-cpp CONFIG REQUIRED)  # 1.0 or newer; it does not tell its version
if(WEIR_TESTS)
  find_package(GTest 1.12 REQUIRED)
endif()
include(WeirHttplib)
