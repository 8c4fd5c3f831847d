#!/usr/bin/env python3
"""Counts texts with a real llama-server's /tokenize: peer_llama.py FILE...

Prints what tokenizer_bench reads: the best of three, less what a request with an empty text takes. The server and its
tiny model with Qwen3.5's vocabulary are those of the end-to-end tests (WEIR_E2E_DIR, made by tests/e2e/prepare.sh).
"""
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from harness import llama, places  # noqa: E402

ROUNDS = 3


def timed(server, text):
    body = json.dumps({"content": text}, ensure_ascii=False).encode()
    best, tokens = float("inf"), 0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        answer = server.call("/tokenize", body)
        best = min(best, time.perf_counter() - start)
        assert answer.status == 200, answer.body[:200]
        tokens = len(answer.json()["tokens"])
    return best, tokens


def main(files):
    places.require("server", "models")
    server = llama.LlamaServer("tokenize-peer").start()
    try:
        empty, _ = timed(server, "")
        for file in map(pathlib.Path, files):
            seconds, tokens = timed(server, file.read_text("utf-8"))
            print("llama-server", file.stem, tokens, max(seconds - empty, 1e-9), sep="\t", flush=True)
    finally:
        server.stop()


main(sys.argv[1:])
