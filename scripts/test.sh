#!/usr/bin/env bash
# Builds weir and its tests (installing what is missing) and runs the whole suite.
#
#     scripts/test.sh [arguments of ctest]      e.g. -R Decide, -L e2e, -LE e2e, -j 1
#
# One build serves all: the release that users get, at build/release. `cmake --workflow --preset dev`, `asan` and
# `tsan` run the same suite in their own builds. End-to-end tests fetch a real llama-server and the OpenAI SDKs into
# build/e2e; where these cannot be had they are skipped, except under CI=true. Fuzz targets (label fuzz, 30 to 60 seconds
# each, or WEIR_FUZZ_SECONDS) are built by clang in build/fuzz and skipped without it, except under CI=true. The soak (label
# soak, a minute with each sanitizer) takes its programs from there and from build/tsan.
set -euo pipefail

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=scripts/packages.sh
source "$root/scripts/packages.sh"

require_packages build tests
wish_packages fuzz service
cd -- "$root"
cmake --preset release -DWEIR_TESTS=ON
cmake --build --preset release
exec ctest --test-dir "$root/build/release" --output-on-failure -j "$(getconf _NPROCESSORS_ONLN)" "$@"
