#!/usr/bin/env bash
# Puts the chat templates that llama.cpp carries into DIR, as *.jinja.
#
#     tests/e2e/fetch_templates.sh DIR
#
# They are other people's texts and stay out of this repository. They come with llama.cpp's own sources, which the npm
# package node-llama-cpp carries as a git bundle. Does nothing when they are there. Needs npm, git and 40 MB to load.
set -euo pipefail

readonly package=node-llama-cpp@3.22.1
readonly bundle=package/llama/gitRelease.bundle

# The files out of the bundle, without a checkout of the whole source. The note is written last: it says "finished".
extract_all() {
  local clone=$1 target=$2 file name
  git -C "$clone" ls-tree -r --name-only HEAD models/templates | grep '\.jinja$' | while read -r file; do
    name="$(basename -- "$file")"
    git -C "$clone" show "HEAD:$file" >"$target/$name.partial"
    mv -- "$target/$name.partial" "$target/$name"
  done
  echo "$package" >"$target/complete"
}

main() {
  [[ $# -eq 1 ]] || { echo "usage: $0 DIR" >&2; exit 2; }
  mkdir -p -- "$1"
  local target
  target="$(cd -- "$1" && pwd)"
  if [[ -s "$target/complete" && "$(<"$target/complete")" == "$package" ]]; then return; fi
  work="$(mktemp -d)"
  trap 'rm -rf -- "$work"' EXIT
  (cd -- "$work" && npm pack --loglevel=error "$package" >/dev/null)
  tar -xzf "$work"/node-llama-cpp-*.tgz -C "$work" "$bundle"
  git clone --quiet --bare "$work/$bundle" "$work/llama.git"
  extract_all "$work/llama.git" "$target"
}

main "$@"
