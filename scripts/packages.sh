# shellcheck shell=bash
# Installs what weir is built and tested with. Sourced by run.sh, test.sh and bench.sh:
#
#     source packages.sh
#     require_packages build          what a build needs
#     require_packages build tests    and the test suite
#     require_packages build bench    and the measurements
#     wish_packages fuzz service      the same, but what cannot be had is only said
#
# A thing counts as there when its tool or header is found, wherever it came from. What is missing is installed
# through apt-get (Debian, Ubuntu); sudo is used only then and only when not root. Elsewhere the list is printed.

# set | kind | what is looked for | Debian package
readonly WEIR_PACKAGES='
build|tool|g++|g++
build|tool|cmake|cmake
build|tool|ninja|ninja-build
build|tool|pkg-config|pkg-config
build|header|httplib.h|libcpp-httplib-dev
build|header|nlohmann/json.hpp|nlohmann-json3-dev
build|header|toml++/toml.h|libtomlplusplus-dev
build|header|openssl/ssl.h|libssl-dev
build|header|spdlog/spdlog.h|libspdlog-dev
build|header|CLI/CLI.hpp|libcli11-dev
build|header|prometheus/registry.h|prometheus-cpp-dev
tests|header|gtest/gtest.h|libgtest-dev
tests|tool|curl|curl
tests|tool|openssl|openssl
tests|tool|git|git
tests|tool|python3|python3
tests|python|ensurepip|python3-venv
tests|tool|node|nodejs
tests|tool|npm|npm
tests|root-tool|debootstrap|debootstrap
service|tool|systemd-analyze|systemd
fuzz|tool|clang++|clang
fuzz|fuzzer|libFuzzer|libclang-rt-dev
bench|header|gtest/gtest.h|libgtest-dev
bench|tool|nginx|nginx-light
'
readonly WEIR_CMAKE_MIN=3.25

# Names those of the given headers that the compiler does not find; all of them when there is no compiler.
missing_headers() {
  local header probe=''
  for header in "$@"; do
    probe+="#if !__has_include(<$header>)"$'\n'"MISSING $header"$'\n#endif\n'
  done
  if command -v "${CXX:-g++}" >/dev/null; then
    printf '%s' "$probe" | "${CXX:-g++}" -E -P -x c++ - 2>/dev/null | sed -n 's/^MISSING //p'
  else
    printf '%s\n' "$@"
  fi
}

# Is it missing? headers: the names printed by missing_headers.
is_missing() {
  local kind=$1 what=$2 headers=$3
  case "$kind" in
    tool) [[ "$what" == g++ && -n "${CXX:-}" ]] || ! command -v "$what" >/dev/null ;;
    header) grep -qxF -- "$what" <<<"$headers" ;;
    python) ! python3 -c "import $what" 2>/dev/null ;;
    fuzzer) ! echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, long) { return 0; }' |
      clang++ -fsanitize=fuzzer,address -x c++ - -o /dev/null 2>/dev/null ;;
    # Of use to root on Linux only (it makes the root for the real llama-server); others do without it.
    root-tool) [[ "$(uname -s)" == Linux && "$(id -u)" -eq 0 ]] && ! PATH="$PATH:/usr/sbin" command -v "$what" >/dev/null ;;
  esac
}

# Prints the Debian names of what is missing from the given sets, one a line.
missing_packages() {
  local sets=" $* " set kind what package headers
  # shellcheck disable=SC2046  # header names have no spaces
  headers="$(missing_headers $(awk -F'|' -v sets="$sets" '$2 == "header" && index(sets, " " $1 " ") { print $3 }' <<<"$WEIR_PACKAGES"))"
  while IFS='|' read -r set kind what package; do
    [[ -n "$set" && "$sets" == *" $set "* ]] || continue
    if is_missing "$kind" "$what" "$headers"; then echo "$package"; fi
  done <<<"$WEIR_PACKAGES"
}

as_root() {
  if [[ "$(id -u)" -eq 0 ]]; then "$@"; else sudo "$@"; fi
}

# Standard output stays free for weir's own.
install_packages() {
  echo "Installing: $*" >&2
  as_root apt-get update -q >&2 || echo "apt-get update failed; trying with the lists that are there" >&2
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@" >&2
}

list_missing() {
  {
    echo "Missing (names of the Debian packages; on other systems they may differ):"
    printf '  %s\n' "$@"
    echo "Install them and run this again."
  } >&2
}

require_cmake_version() {
  local found
  found="$(cmake --version 2>/dev/null | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')"
  if [[ "$(printf '%s\n' "$WEIR_CMAKE_MIN" "$found" | sort -V | head -n 1)" != "$WEIR_CMAKE_MIN" ]]; then
    echo "cmake ${found:-(none)} is too old: weir needs $WEIR_CMAKE_MIN or newer (Debian 12, Ubuntu 24.04; or 'pip install cmake')." >&2
    exit 1
  fi
}

require_packages() {
  local missing
  read -r -d '' -a missing <<<"$(missing_packages "$@")" || true
  if [[ ${#missing[@]} -gt 0 ]]; then
    if ! command -v apt-get >/dev/null || { [[ "$(id -u)" -ne 0 ]] && ! command -v sudo >/dev/null; }; then
      list_missing "${missing[@]}"
      exit 1
    fi
    install_packages "${missing[@]}" || { list_missing "${missing[@]}"; exit 1; }
  fi
  require_cmake_version
}

wish_packages() {
  local missing
  read -r -d '' -a missing <<<"$(missing_packages "$@")" || true
  if [[ ${#missing[@]} -eq 0 ]]; then return; fi
  if ! command -v apt-get >/dev/null || ! install_packages "${missing[@]}"; then
    echo "Going on without: ${missing[*]}" >&2
  fi
}
