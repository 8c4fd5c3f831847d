#!/usr/bin/env bash
# Builds the release and measures it: what weir costs beside nginx and beside no proxy at all (tests/bench/proxy_bench.cc),
# then the tokenizer alone. Prints Markdown tables.
#
#     scripts/bench.sh [--quick]        about four minutes; --quick: half a minute, coarser, without the tokenizer
#
# Everything runs on 127.0.0.1 with its files in a temporary directory, and ends with this script. nginx is installed
# when it is missing (Debian then starts its service on port 80; the measurement runs a process of its own).
# Exit code: 0 when every limit is kept, 1 when one is not.
set -euo pipefail

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=scripts/packages.sh
source "$root/scripts/packages.sh"
export PATH="$PATH:/usr/sbin" # where Debian keeps nginx

quick=()
case "${1:-}" in
  --quick) quick=(--quick) ;;
  '') ;;
  *) echo "usage: scripts/bench.sh [--quick]" >&2; exit 2 ;;
esac

require_packages build bench
cd -- "$root"
{
  cmake --preset release -DWEIR_TESTS=ON
  cmake --build --preset release --target weir bench
} >&2

# The programs that proxy_bench starts die with it.
build/release/tests/bench/proxy_bench --weir build/release/weir --nginx "$(command -v nginx)" "${quick[@]}" &
bench=$!
trap 'kill "$bench" 2>/dev/null || true' EXIT INT TERM
result=0
wait "$bench" || result=$?
trap - EXIT INT TERM

if [[ ${#quick[@]} -eq 0 ]]; then
  echo
  build/release/tests/bench/tokenizer_bench
fi
exit "$result"
