#!/usr/bin/env bash
# Fetches what the tokenizer is measured on and beside, into DIR; quick when it is all there.
#
#     tests/bench/fetch_texts.sh DIR
#
#     DIR/handbook/LANGUAGE     the Debian Administrator's Handbook (package debian-handbook, 35 MB to load): the same
#                               prose in many languages. It is other people's text and stays out of this repository.
#     DIR/node                  npm's native tiktoken binding
#
# What cannot be had is said on standard error and left out: then the texts are generated, and the peer is not measured.
set -uo pipefail

readonly tiktoken=@anysphere/tiktoken-node@0.2.1
readonly languages=(en-US de-DE fr-FR ru-RU ar-MA ja-JP ko-KR zh-CN zh-TW)

fetch_handbook() {
  local work=$1/handbook.partial language
  rm -rf -- "$work"
  mkdir -p -- "$work/deb"
  (cd -- "$work/deb" && apt-get download -q -o APT::Sandbox::User=root debian-handbook) >&2 || return 1
  dpkg-deb -x "$work"/deb/debian-handbook_*.deb "$work/deb" || return 1
  for language in "${languages[@]}"; do
    mv -- "$work/deb/usr/share/doc/debian-handbook/html/$language" "$work/$language" || return 1
  done
  rm -rf -- "$work/deb"
  mv -- "$work" "$1/handbook"
}

fetch_tiktoken() {
  mkdir -p -- "$1/node.partial"
  npm install --prefix "$1/node.partial" --no-save --loglevel=error --no-audit --no-fund "$tiktoken" >&2 || return 1
  mv -- "$1/node.partial" "$1/node"
}

[[ $# -eq 1 ]] || { echo "usage: $0 DIR" >&2; exit 2; }
mkdir -p -- "$1"
dir="$(cd -- "$1" && pwd)"
[[ -d "$dir/handbook" ]] || fetch_handbook "$dir" || echo "debian-handbook could not be had" >&2
[[ -d "$dir/node" ]] || fetch_tiktoken "$dir" || echo "$tiktoken could not be had" >&2
