#!/usr/bin/env bash
# Fetches and makes what the end-to-end tests work with, into DIR (build/e2e); quick when it is all there.
#
#     tests/e2e/prepare.sh DIR
#
#     DIR/llama            a real llama-server (not when WEIR_LLAMA_SERVER names one)
#     DIR/templates        chat templates
#     DIR/vocab            llama.cpp's own vocabularies and what it makes of some texts
#     DIR/models           tiny models with real vocabularies; also under DIR/llama/srv/models
#     DIR/node, DIR/venv   the OpenAI SDKs
#     DIR/prometheus       Prometheus and promtool
#     DIR/missing/NAME     why NAME (server, models, vocab, node, python, prometheus) could not be had; tests that need it are skipped
#
# Under CI=true a missing part is a failure (exit 1). ctest runs this as the fixture of the tests.
set -euo pipefail

here="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd -- "$here/../.." && pwd)"

fetch_server() {
  if [[ -n "${WEIR_LLAMA_SERVER:-}" ]]; then
    "$WEIR_LLAMA_SERVER" --version
  else
    "$root/scripts/fetch_llama_server.sh" "$dir/llama"
  fi
}

# make_model VOCABULARY DATA-STEM TEMPLATE: writes models/VOCABULARY.gguf unless it is newer than all it is made of.
make_model() {
  local out="$dir/models/$1.gguf" template="$dir/templates/$3.jinja" data="$root/src/tokenizer/data/$2"
  if [[ ! "$out" -nt "$here/make_tiny_gguf.py" || ! "$out" -nt "$data.bpe" || ! "$out" -nt "$template" ]]; then
    python3 "$here/make_tiny_gguf.py" --vocabulary "$1" --template "$template" "$out.partial"
    mv -- "$out.partial" "$out"
  fi
  if [[ -d "$dir/llama/srv" ]]; then
    mkdir -p -- "$dir/llama/srv/models"
    cp -u --preserve=timestamps -- "$out" "$dir/llama/srv/models/"
  fi
}

make_models() {
  "$here/fetch_templates.sh" "$dir/templates"
  mkdir -p -- "$dir/models"
  make_model qwen3.5 qwen3_5 Qwen3.5-4B
  make_model qwen3 qwen3 Qwen-Qwen3-0.6B
}

# up_to_date COPY SOURCE: was COPY made from this SOURCE? The copy is written last, so it also says "finished".
up_to_date() {
  cmp -s -- "$1" "$2"
}

fetch_vocabularies() {
  "$here/fetch_vocabularies.sh" "$dir/vocab"
}

fetch_node_sdk() {
  if up_to_date "$dir/node/installed.json" "$here/sdk/package-lock.json"; then return; fi
  mkdir -p -- "$dir/node"
  cp -- "$here/sdk/package.json" "$here/sdk/package-lock.json" "$dir/node/"
  (cd -- "$dir/node" && npm ci --loglevel=error --no-audit --no-fund)
  cp -- "$here/sdk/package-lock.json" "$dir/node/installed.json"
}

fetch_python_sdk() {
  if up_to_date "$dir/venv/installed.txt" "$here/sdk/requirements.txt"; then return; fi
  python3 -m venv --clear "$dir/venv"
  "$dir/venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/sdk/requirements.txt"
  cp -- "$here/sdk/requirements.txt" "$dir/venv/installed.txt"
}

# Unpacked and not installed: the package would start a server of its own.
fetch_prometheus() {
  if [[ -x "$dir/prometheus/usr/bin/promtool" ]]; then return; fi
  local download="$dir/prometheus.partial"
  rm -rf -- "$download"
  mkdir -p -- "$download"
  cd -- "$download"
  apt-get download -q prometheus || { apt-get update -q && apt-get download -q prometheus; }
  dpkg-deb -x prometheus_*.deb root
  root/usr/bin/promtool --version
  rm -rf -- "$dir/prometheus"
  mv -- root "$dir/prometheus"
  rm -rf -- "$download"
}

# step NAME FUNCTION: runs it; what it said is shown, and kept as the reason when it failed. In a shell of its own, as
# `set -e` is off inside a condition.
step() {
  local log="$dir/$1.log" status=0
  rm -f -- "$dir/missing/$1"
  set +e
  (set -e; "$2") >"$log" 2>&1
  status=$?
  set -e
  sed "s/^/$1: /" -- "$log"
  if [[ $status -ne 0 ]]; then
    tail -n 3 -- "$log" >"$dir/missing/$1"
    echo "$1: MISSING (exit $status); tests that need it are skipped, under CI=true they fail"
  fi
}

[[ $# -eq 1 ]] || { echo "usage: $0 DIR" >&2; exit 2; }
mkdir -p -- "$1/missing"
dir="$(cd -- "$1" && pwd)"
exec 9>"$dir/lock"
flock 9
step server fetch_server
step models make_models
step vocab fetch_vocabularies
step node fetch_node_sdk
step python fetch_python_sdk
step prometheus fetch_prometheus
if [[ "${CI:-}" == true && -n "$(ls -A -- "$dir/missing")" ]]; then
  echo "CI=true and these could not be had: $(ls -- "$dir/missing" | tr '\n' ' ')"
  exit 1
fi
