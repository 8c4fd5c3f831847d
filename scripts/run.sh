#!/usr/bin/env bash
# Builds weir (installing what is missing) and runs it.
#
#     scripts/run.sh [arguments of weir]        without arguments: weir demo
#
# The binary is build/release/weir. What this script says goes to standard error; standard output is weir's own.
set -euo pipefail

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=scripts/packages.sh
source "$root/scripts/packages.sh"

# Prints the output only when the step fails: a second run says nothing but what weir says.
quietly() {
  local log="$root/build/run.log"
  mkdir -p -- "$root/build"
  "$@" >"$log" 2>&1 || { cat -- "$log" >&2; exit 1; }
}

# Tests are not built here, and GoogleTest is not asked for unless it is there.
configure() {
  local tests=OFF
  [[ -n "$(missing_headers gtest/gtest.h)" ]] || tests=ON
  (cd -- "$root" && quietly cmake --preset release -DWEIR_TESTS="$tests")
}

require_packages build
[[ -x "$root/build/release/weir" ]] || echo "Building weir; the first time this takes a few minutes." >&2
[[ -f "$root/build/release/build.ninja" ]] || configure
quietly cmake --build "$root/build/release" --target weir

[[ $# -gt 0 ]] || set -- demo
exec "$root/build/release/weir" "$@"
