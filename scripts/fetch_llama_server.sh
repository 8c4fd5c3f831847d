#!/usr/bin/env bash
# Puts a real llama-server into DIR: a small Debian sid root with the package llama.cpp-tools, made by debootstrap.
#
#     scripts/fetch_llama_server.sh DIR
#
# The server is started with `chroot DIR /usr/bin/llama-server ...`, so files that it reads must lie under DIR.
# Does nothing when DIR has a server that runs. Needs root, debootstrap and about 300 MB, and half a minute.
# Exit: 0 there it is (its version is printed); 77 it cannot be had on this machine; 1 the installation failed.
set -euo pipefail

readonly server=/usr/bin/llama-server
readonly suites=(sid testing)

cannot() {
  echo "llama-server: cannot be had here: $*" >&2
  exit 77
}

version_in() {
  chroot "$1" "$server" --version 2>&1 | sed -n 's/^version: //p'
}

report() {
  echo "llama-server: version $(version_in "$1") in $1 (package $(chroot "$1" dpkg-query -W llama.cpp-tools | tr '\t' ' '))"
}

# A directory to install into: beside DIR, so that it is only renamed; debootstrap knows no paths with spaces.
staging_for() {
  if [[ "$1" == *[[:space:]]* ]]; then mktemp -d /var/tmp/weir-llama.XXXXXX; else echo "$1.partial"; fi
}

# Installed aside and then moved, so that an interrupted run leaves no half a root in DIR.
install_suite() {
  local suite=$1 target=$2 log=$2.log staging
  staging="$(staging_for "$target")"
  rm -rf -- "$staging"
  echo "llama-server: installing llama.cpp-tools from Debian $suite (half a minute)"
  if ! debootstrap --variant=minbase --include=llama.cpp-tools "$suite" "$staging" >"$log" 2>&1 ||
    [[ -z "$(version_in "$staging")" ]]; then
    echo "llama-server: no success with $suite; the last lines of $log:" >&2
    tail -n 5 -- "$log" >&2
    rm -rf -- "$staging"
    return 1
  fi
  rm -rf -- "$target"
  mv -- "$staging" "$target"
}

main() {
  [[ $# -eq 1 ]] || { echo "usage: $0 DIR" >&2; exit 2; }
  [[ "$(uname -s)" == Linux ]] || cannot "it needs Linux"
  [[ "$(id -u)" -eq 0 ]] || cannot "chroot needs root"
  # debootstrap lives in /usr/sbin, which is not in everybody's path.
  export PATH="$PATH:/usr/sbin:/sbin"
  mkdir -p -- "$(dirname -- "$1")"
  local target
  target="$(cd -- "$(dirname -- "$1")" && pwd -P)/$(basename -- "$1")"
  if [[ -x "$target$server" && -n "$(version_in "$target")" ]]; then
    report "$target"
    return
  fi
  command -v debootstrap >/dev/null || cannot "debootstrap is not installed"
  local suite
  for suite in "${suites[@]}"; do
    if install_suite "$suite" "$target"; then
      report "$target"
      return
    fi
  done
  exit 1
}

main "$@"
