#!/usr/bin/env bash
# Everything that a change must pass before it is handed in. Run scripts/test.sh once before, it installs what is needed.
#
#     scripts/check.sh                      all steps, one after the other; ends at the first that fails
#     scripts/check.sh format [FILE...]     clang-format (version 14, as Debian 12 has it); --fix as the first FILE rewrites
#     scripts/check.sh dev                  debug build, every public header compiled alone, all tests
#     scripts/check.sh asan                 the tests with the address and undefined behaviour sanitizers
#     scripts/check.sh tsan                 the tests with the thread sanitizer
#     scripts/check.sh tidy [FILE...]       clang-tidy and clang's lock annotations on src, or on the given files
#
# Variables: CLANG_FORMAT, CLANG_TIDY (other programs), JOBS (default: all processors), CTEST_ARGUMENTS (such as "-LE e2e"),
# TIDY_BUILD (a build directory whose compile commands clang-tidy uses; default build/dev).
# Exit: 0 all passed, 1 something did not, 2 wrong use or a missing tool.
set -euo pipefail

cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
readonly format_version=14
readonly jobs="${JOBS:-$(getconf _NPROCESSORS_ONLN)}"

need() {
  command -v "$1" >/dev/null || { echo "check.sh: $1 is not installed (Debian package $2)" >&2; exit 2; }
}

# Names of our own C++ files, known to git or new, one a line.
sources() {
  git ls-files --cached --others --exclude-standard -- "$@" | grep -E '\.(cc|h)$' | while IFS= read -r file; do
    [[ ! -f "$file" ]] || echo "$file"
  done
}

# Sets `files`: the arguments, or else all sources below src, include and tests.
files_or_all() {
  if [[ $# -gt 0 ]]; then files=("$@"); else mapfile -t files < <(sources src include tests); fi
}

check_format() {
  local tool="${CLANG_FORMAT:-clang-format}" mode=(--dry-run -Werror) files
  need "$tool" clang-format
  "$tool" --version | grep -q "version $format_version\." ||
    { echo "check.sh: $("$tool" --version) is not version $format_version; set CLANG_FORMAT" >&2; exit 2; }
  if [[ "${1:-}" == --fix ]]; then
    mode=(-i)
    shift
  fi
  files_or_all "$@"
  printf '%s\0' "${files[@]}" | xargs -0 -n 50 "$tool" "${mode[@]}" || exit 1
}

# run_preset NAME: configures, builds and tests it.
run_preset() {
  cmake --preset "$1" -DWEIR_TESTS=ON
  cmake --build --preset "$1" -j "$jobs"
  # shellcheck disable=SC2086  # several arguments
  ctest --preset "$1" -j "$jobs" ${CTEST_ARGUMENTS:-}
}

check_dev() {
  run_preset dev
  cmake --build --preset dev -j "$jobs" --target all_verify_interface_header_sets
}

# The compile commands of the dev build are GCC's: clang does not know all of its warnings.
check_tidy() {
  local tool="${CLANG_TIDY:-clang-tidy}" build="${TIDY_BUILD:-build/dev}" files
  need "$tool" clang-tidy
  [[ -f "$build/compile_commands.json" ]] || cmake --preset dev -DWEIR_TESTS=ON
  if [[ $# -gt 0 ]]; then files=("$@"); else mapfile -t files < <(sources src | grep '\.cc$' | grep -v '_win\.cc$'); fi
  # What clang-tidy counts in the headers of libraries is of no interest.
  printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$jobs" "$tool" -p "$build" --quiet \
    --checks='clang-diagnostic-thread-safety*' --extra-arg=-Wthread-safety --extra-arg=-Wno-unknown-warning-option 2>&1 |
    { grep -vE '^[0-9]+ warnings? generated\.$' || true; } || exit 1
}

usage() {
  sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2
  exit 2
}

run_step() {
  local step=$1
  shift
  echo "== $step" >&2
  case "$step" in
    format) check_format "$@" ;;
    dev) check_dev ;;
    asan | tsan) run_preset "$step" ;;
    tidy) check_tidy "$@" ;;
    *) usage ;;
  esac
}

if [[ $# -gt 0 ]]; then
  run_step "$@"
else
  for each in format dev asan tsan tidy; do
    run_step "$each"
  done
fi
echo "passed" >&2
