#!/usr/bin/env bash
# Builds the release and measures it: what weir costs beside nginx and beside no proxy at all (tests/bench/proxy_bench.cc),
# then the tokenizer on texts of many kinds, beside npm's native tiktoken and a real llama-server's /tokenize, and what a
# request costs before it is sent. Prints Markdown tables.
#
#     scripts/bench.sh [--quick]        about five minutes; --quick: half a minute, coarser, the proxy only
#     scripts/bench.sh --tokenizer      the tokenizer and requests only, one minute
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
  --tokenizer | '') ;;
  *) echo "usage: scripts/bench.sh [--quick | --tokenizer]" >&2; exit 2 ;;
esac

require_packages build tests bench
cd -- "$root"
{
  cmake --preset release -DWEIR_TESTS=ON
  cmake --build --preset release --target weir bench
} >&2

# The texts and the peers, as far as they can be had, are kept in build/bench; a real llama-server in build/e2e.
measure_tokenizer() {
  local work=build/bench result=0 text files=()
  {
    tests/bench/fetch_texts.sh "$work"
    python3 tests/bench/corpora.py "$work"
    tests/e2e/prepare.sh "${WEIR_E2E_DIR:-build/e2e}"
  } >&2
  for text in English Chinese code JSON chat; do files+=("$work/corpora/$text.txt"); done
  : >"$work/peers.tsv"
  [[ ! -d "$work/node" ]] || node tests/bench/peer_tiktoken.cjs "$work" "${files[@]}" >>"$work/peers.tsv" ||
    echo "tiktoken was not measured" >&2
  python3 tests/bench/peer_llama.py "${files[@]}" >>"$work/peers.tsv" || echo "llama-server was not measured" >&2
  echo
  build/release/tests/bench/tokenizer_bench "$work/corpora" "$work/peers.tsv" || result=1
  build/release/tests/bench/request_bench "$work/corpora" || result=1
  return "$result"
}

if [[ "${1:-}" == --tokenizer ]]; then
  result=0
  measure_tokenizer || result=$?
  exit "$result"
fi

# The programs that proxy_bench starts die with it.
build/release/tests/bench/proxy_bench --weir build/release/weir --nginx "$(command -v nginx)" "${quick[@]}" &
bench=$!
trap 'kill "$bench" 2>/dev/null || true' EXIT INT TERM
result=0
wait "$bench" || result=$?
trap - EXIT INT TERM

if [[ ${#quick[@]} -eq 0 ]]; then
  measure_tokenizer || result=1
fi
exit "$result"
