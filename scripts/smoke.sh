#!/usr/bin/env bash
# Asks a running weir one thing of each kind and says what came back.
#
#     scripts/smoke.sh [BASE_URL]        default http://127.0.0.1:8090
#
# WEIR_KEY           a key of [[server.keys]], when weir asks for one
# WEIR_SMOKE_WORDS   length of the long prompt in words, about one token each; default 40000 (more than the default
#                    threshold of 32768). It goes to the cloud and is paid for there.
# Exit: 0 all passed, 1 something failed.
set -uo pipefail

base="${1:-http://127.0.0.1:8090}"
base="${base%/}"
words="${WEIR_SMOKE_WORDS:-40000}"
work="$(mktemp -d)"
trap 'rm -rf -- "$work"' EXIT
failed=0

# ask PATH [BODY-FILE]: leaves $status, and the head and body of the answer in $work/head and $work/body. Headers
# come from a file, so that the key is not in the list of processes.
ask() {
  local arguments=(--silent --show-error --max-time 600 --dump-header "$work/head" --output "$work/body"
    --write-out '%{http_code}' --header "@$work/request-headers")
  [[ -z "${2:-}" ]] || arguments+=(--data-binary "@$2")
  : >"$work/head"
  : >"$work/body"
  status="$(curl "${arguments[@]}" "$base$1" 2>"$work/error")" || true
}

header() {
  tr -d '\r' <"$work/head" |
    awk -v name="$1" 'index(tolower($0), tolower(name) ":") == 1 { sub(/^[^:]*: */, ""); print; exit }'
}

# verdict NAME OK: OK is 0 when the check passed.
verdict() {
  local route reason
  route="$(header X-Weir-Route)"
  reason="$(header X-Weir-Reason)"
  local told="status $status${route:+, X-Weir-Route: $route ($reason, $(header X-Weir-Prompt-Tokens) tokens)}"
  if [[ "$2" -eq 0 ]]; then
    echo "PASS $1: $told"
    return
  fi
  echo "FAIL $1: $told"
  cat -- "$work/error" "$work/body" | head -c 300 | sed 's/^/     /'
  [[ ! -s "$work/body" ]] || echo
  failed=1
}

body_has() {
  grep -q -- "$1" "$work/body"
}

chat() {
  printf '{"model":"auto","max_tokens":16,"stream":%s,"messages":[{"role":"user","content":"%s"}]}' "$1" "$2"
}

check_health() {
  ask /health
  [[ "$status" == 200 ]]
  verdict health $?
}

check_models() {
  ask /v1/models
  [[ "$status" == 200 ]] && body_has '"data"'
  verdict models $?
}

check_short() {
  chat false "Say hello. 用中文也说一次。" >"$work/request"
  ask /v1/chat/completions "$work/request"
  short_route="$(header X-Weir-Route)"
  [[ "$status" == 200 ]] && body_has '"choices"'
  verdict short $?
}

check_long() {
  chat false "How often does the word occur? $(yes river | head -n "$words" | tr '\n' ' ')" >"$work/request"
  ask /v1/chat/completions "$work/request"
  [[ "$status" == 200 && "$(header X-Weir-Route)" != "$short_route" ]] && body_has '"choices"'
  verdict "long ($words words)" $?
}

check_stream() {
  chat true "Count to three." >"$work/request"
  ask /v1/chat/completions "$work/request"
  [[ "$status" == 200 && "$(header Content-Type)" == text/event-stream* ]] && body_has '^data: \[DONE\]'
  verdict stream $?
}

check_wrong_path() {
  chat false "lost" >"$work/request"
  ask /v1/chat/completion "$work/request"
  [[ "$status" == 404 && "$(header X-Weir-Error)" == not_found ]] && body_has '"error"'
  verdict "wrong path (404 wanted)" $?
}

{
  echo "Content-Type: application/json"
  [[ -z "${WEIR_KEY:-}" ]] || echo "Authorization: Bearer $WEIR_KEY"
} >"$work/request-headers"
echo "weir at $base"
check_health
check_models
check_short
check_long
check_stream
check_wrong_path
exit "$failed"
