"""Prompts and counts of chat requests, beside those of a real llama-server, for every chat template at hand.

    WEIR_TEMPLATES='Qwen|gemma' WEIR_CONVERSATIONS=5000 WEIR_SEED=7 tests/e2e/test_chat_templates.py

WEIR_VOCABULARY names a GGUF file of llama.cpp whose vocabulary the models get in place of one of bytes.

Each template is put into a tiny model, which a real server loads and weir reads. The requests are made from a seed. Where
the server answers, the text and the count must be the same and no estimate; where it refuses, weir must say that its count
is an estimate.
"""
import http.client
import json
import os
import pathlib
import re
import subprocess
import unittest

from harness import llama, places, template_model
from harness.conversations import Generator

CONVERSATIONS = int(os.environ.get("WEIR_CONVERSATIONS", "30"))
SEED = int(os.environ.get("WEIR_SEED", "1"))
VOCABULARY = os.environ.get("WEIR_VOCABULARY")
CHOSEN = re.compile(os.environ.get("WEIR_TEMPLATES", "."))


class TemplateServer(llama.LlamaServer):
    """A server of a model of its own."""

    def __init__(self, name):
        super().__init__(name, context=512, slots=1)

    def model_file(self, _vocabulary):
        return self.own_dir() / "model.gguf"


class Line:
    """One connection to a server, for many requests."""

    def __init__(self, server):
        self._connection = http.client.HTTPConnection(server.host, server.port, timeout=60)

    def post(self, path, body):
        self._connection.request("POST", path, body, {"Content-Type": "application/json"})
        response = self._connection.getresponse()
        return response.status, json.loads(response.read())

    def close(self):
        self._connection.close()


def render_here(model, parts, bodies):
    program = os.environ["WEIR_CHAT_LINES"]
    done = subprocess.run([program, str(model), parts], input=b"\n".join(bodies) + b"\n", capture_output=True)
    if done.returncode != 0:
        raise AssertionError(f"{program} ended with {done.returncode}: {done.stderr.decode()}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def difference(server_text, our_text):
    """Where two texts part, for a person."""
    at = next((i for i, (a, b) in enumerate(zip(server_text, our_text)) if a != b),
              min(len(server_text), len(our_text)))
    return f"at {at}:\n  server {server_text[max(0, at - 60):at + 60]!r}\n  weir   {our_text[max(0, at - 60):at + 60]!r}"


class Comparison:
    def __init__(self):
        self.equal = self.refused = 0
        self.faults = []

    def add(self, body, server, ours):
        status, prompt = server.post("/apply-template", body)
        if status != 200:
            self.refused += 1
            if ours["estimate"] is None:
                self.fault(body, f"the server refuses ({prompt['error']['message'][:300]}), weir says nothing of it")
            return
        if prompt["prompt"] != ours["text"]:
            self.fault(body, difference(prompt["prompt"], ours["text"]), ours)
            return
        status, count = server.post("/v1/chat/completions/input_tokens", body)
        if status != 200 or count["input_tokens"] != ours["tokens"]:
            self.fault(body, f"the server counts {count}, weir {ours['tokens']}", ours)
        elif ours["estimate"] is not None:
            self.fault(body, "equal, but called an estimate", ours)
        else:
            self.equal += 1

    def fault(self, body, what, ours=None):
        why = ours["estimate"] if ours else None
        self.faults.append(f"{what}\n  estimate: {why}\n  request: {body.decode()[:1500]}")


class ChatTemplates(unittest.TestCase):
    pass


def compare(test, file, adds_bos):
    template = file.read_text("utf-8")
    server = TemplateServer(f"template-{file.stem}")
    test.addCleanup(server.stop)
    if VOCABULARY:
        specials = template_model.write_with(server.model_file(""), template, VOCABULARY)
    else:
        specials = template_model.write(server.model_file(""), template, adds_bos)
    generator = Generator(f"{SEED} {file.stem}", specials)
    bodies = [json.dumps(generator.request(), ensure_ascii=False).encode() for _ in range(CONVERSATIONS)]
    server.start()
    props = server.call("/props").json()
    parts = "joined" if props["chat_template_caps"]["supports_typed_content"] else "lines"
    comparison = Comparison()
    line = Line(server)
    test.addCleanup(line.close)
    for body, ours in zip(bodies, render_here(server.model_file(""), parts, bodies)):
        comparison.add(body, line, ours)
    print(f"{file.stem}: {comparison.equal} equal, {comparison.refused} refused, {len(comparison.faults)} wrong",
          flush=True)
    test.assertEqual(len(comparison.faults), 0, "\n\n".join(comparison.faults[:5]))
    test.assertGreater(comparison.equal, CONVERSATIONS // 4, "the requests prove too little")


def add_tests():
    files = sorted((places.FETCHED / "templates").glob("*.jinja"))
    for number, file in enumerate(file for file in files if CHOSEN.search(file.stem)):
        name = "test_" + re.sub(r"\W", "_", file.stem)
        adds_bos = number % 2 == 0
        setattr(ChatTemplates, name, lambda test, file=file, adds_bos=adds_bos: compare(test, file, adds_bos))


add_tests()

if __name__ == "__main__":
    places.main("server", "models")
