#!/usr/bin/env bash
# Mixed traffic against weir built with sanitizers: short and long prompts, streams, slow readers, clients that leave at any
# moment, broken upstreams, rubbish. At the end all must be answered right, all connections closed, the memory flat, and
# no sanitizer may have anything to say (tests/soak/soak.py).
#
#     scripts/soak.sh [--seconds N] [asan] [tsan]      default: 600 seconds of each
#     scripts/soak.sh --build [asan] [tsan]            builds only
#
# Any build can be soaked by itself: WEIR_BINARY=build/release/weir python3 tests/soak/soak.py --seconds 60
# Exit code: 0 all is well, 1 something is not.
set -euo pipefail

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=scripts/packages.sh
source "$root/scripts/packages.sh"
cd -- "$root"

seconds=600 only_build=no builds=()
while [[ $# -gt 0 ]]; do
  case "$1" in
    --seconds) seconds=$2; shift ;;
    --build) only_build=yes ;;
    asan | tsan) builds+=("$1") ;;
    *) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
  esac
  shift
done
[[ ${#builds[@]} -gt 0 ]] || builds=(asan tsan)

require_packages build tests
launcher=()
! command -v ccache >/dev/null || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
for each in "${builds[@]}"; do
  [[ -f "build/$each/build.ninja" ]] || cmake --preset "$each" "${launcher[@]}"
  cmake --build --preset "$each" --target weir
done
[[ "$only_build" == no ]] || exit 0

result=0
for each in "${builds[@]}"; do
  echo "== $each, $seconds seconds"
  WEIR_BINARY="build/$each/weir" python3 tests/soak/soak.py --seconds "$seconds" || result=1
done
exit "$result"
