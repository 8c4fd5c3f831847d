#!/usr/bin/env bash
# Puts the chat templates of Qwen models into DIR, as *.jinja.
#
#     tests/e2e/fetch_templates.sh DIR
#
# They are other people's texts and stay out of this repository. They come with llama.cpp's own sources, which the npm
# package node-llama-cpp carries as a git bundle. Does nothing when they are there. Needs npm, git and 40 MB to load.
set -euo pipefail

readonly package=node-llama-cpp@3.22.1
readonly bundle=package/llama/gitRelease.bundle
readonly templates=(Qwen3.5-4B Qwen-Qwen3-0.6B)

all_there() {
  local name
  for name in "${templates[@]}"; do
    [[ -s "$1/$name.jinja" ]] || return 1
  done
}

# One file out of the bundle, without a checkout of the whole source.
extract() {
  local clone=$1 name=$2 target=$3
  git -C "$clone" show "HEAD:models/templates/$name.jinja" >"$target/$name.jinja.partial"
  mv -- "$target/$name.jinja.partial" "$target/$name.jinja"
}

main() {
  [[ $# -eq 1 ]] || { echo "usage: $0 DIR" >&2; exit 2; }
  mkdir -p -- "$1"
  local target name
  target="$(cd -- "$1" && pwd)"
  if all_there "$target"; then return; fi
  work="$(mktemp -d)"
  trap 'rm -rf -- "$work"' EXIT
  (cd -- "$work" && npm pack --loglevel=error "$package" >/dev/null)
  tar -xzf "$work"/node-llama-cpp-*.tgz -C "$work" "$bundle"
  git clone --quiet --bare "$work/$bundle" "$work/llama.git"
  for name in "${templates[@]}"; do
    extract "$work/llama.git" "$name" "$target"
  done
}

main "$@"
