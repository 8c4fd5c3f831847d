#!/usr/bin/env bash
# Builds the fuzz targets and runs them.
#
#     tests/fuzz/run.sh --build              builds all of them with clang into build/fuzz
#     tests/fuzz/run.sh NAME SECONDS         runs one, e.g. `bpe 600`; WEIR_FUZZ_SECONDS has the last word
#
# A run starts from tests/fuzz/corpus/NAME and from what earlier runs found (build/fuzz/corpus/NAME), after the inputs
# that once made it fail (build/fuzz/failed/NAME-*). Exit code: 0 nothing found, 1 a fault, with the line that repeats
# it; 77 there is no clang with libFuzzer (under CI=true that is a fault).
set -euo pipefail

cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
readonly build=build/fuzz clang="${WEIR_CLANG:-clang++}"

# It must link: on Debian the runtime is a package of its own.
require_fuzzer() {
  local probe='extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'
  if ! "$clang" -fsanitize=fuzzer,address,undefined -x c++ - -o /dev/null <<<"$probe" >/dev/null 2>&1; then
    echo "no clang++ with libFuzzer (Debian packages clang and libclang-rt-dev): nothing is fuzzed" >&2
    if [[ "${CI:-}" == true ]]; then exit 1; fi
    exit 77
  fi
}

# Little optimisation: it is built in every run of CI. Only the parts that are fuzzed are compiled.
build_targets() {
  local launcher=()
  ! command -v ccache >/dev/null || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  cmake -S . -B "$build" -G Ninja -DWEIR_FUZZ=ON -DWEIR_SANITIZE=address,undefined -DCMAKE_BUILD_TYPE= \
    -DCMAKE_CXX_COMPILER="$clang" -DCMAKE_C_COMPILER="${clang/++/}" -DCMAKE_CXX_FLAGS='-O1 -g1' "${launcher[@]}"
  cmake --build "$build" --target fuzz
}

# run_target NAME SECONDS
run_target() {
  local name=$1 program="$build/tests/fuzz/$1_fuzz" input status=0
  mkdir -p -- "$build/corpus/$name" "$build/failed"
  for input in "$build/failed/$name"-*; do
    [[ ! -e "$input" ]] || "$program" "$input" || repeat "$program" "$input"
  done
  "$program" -max_total_time="$2" -timeout=10 -rss_limit_mb=1024 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix="$build/failed/$name-" "$build/corpus/$name" "tests/fuzz/corpus/$name" || status=$?
  [[ "$status" -eq 0 ]] || repeat "$program" "$(ls -t -- "$build/failed/$name"-* 2>/dev/null | head -n 1)"
}

repeat() {
  echo "FAILED. To repeat it: $1 $2" >&2
  if [[ -n "$2" ]]; then echo "The input: $(head -c 512 -- "$2" | base64 -w 0)" >&2; fi
  exit 1
}

case "$#:${1:-}" in
  1:--build) require_fuzzer && build_targets ;;
  2:*) require_fuzzer && run_target "$1" "${WEIR_FUZZ_SECONDS:-$2}" ;;
  *) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
