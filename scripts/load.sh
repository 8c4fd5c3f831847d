#!/usr/bin/env bash
# Builds the release and loads it: 2,000 streams at a time, 10,000 idle connections, 200 new connections a second for a
# minute (tests/bench/load_bench.cc). Prints a Markdown table, after two minutes.
#
#     scripts/load.sh [--quick]         --quick: a tenth of all that
#
# Everything runs on 127.0.0.1 and ends with this script. Exit code: 0 when nothing failed, 1 when something did.
set -euo pipefail

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=scripts/packages.sh
source "$root/scripts/packages.sh"

require_packages build tests
cd -- "$root"
{
  cmake --preset release -DWEIR_TESTS=ON
  cmake --build --preset release --target weir load_bench
} >&2
exec build/release/tests/bench/load_bench --weir build/release/weir "$@"
