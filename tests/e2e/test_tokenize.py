#!/usr/bin/env python3
"""Tokens of generated texts, against the /tokenize of a real llama-server that carries the same vocabulary.

WEIR_E2E_TEXTS texts a vocabulary (60); WEIR_E2E_VOCABULARIES chooses among them, "NAME" or "NAME:SPLITTER" each;
WEIR_E2E_SEED another seed.
"""
import concurrent.futures
import os
import random
import subprocess
import unittest

import vocabulary_model
from harness import places
from harness.llama import LlamaServer

TEXTS = int(os.environ.get("WEIR_E2E_TEXTS", 60))
SEED = os.environ.get("WEIR_E2E_SEED", "1")
ENCODER = os.environ.get("WEIR_ENCODER", "")
# "NAME:SPLITTER" puts the splitter's name into NAME's vocabulary.
VOCABULARIES = os.environ.get("WEIR_E2E_VOCABULARIES", "llama-spm phi-3 gemma-4 qwen2").split()

NASTY = ("  \n\n\r\t\v\u00a0\u3000\u0085'''strevmldSTREVMLDaAzZ0123456789/.,!$+<=>`^|~_-(){}[]\\ "
         "\u00e9\u00c9\u0661\u00bd\u2163\u3007\u0301\u093f\u0e31\u4f60\u597d\u9fa5\u9fa6\u3042"
         "\u30a2\u30fb\u3001\u3002\uff0c\u20ac\u00a7\x01\x02\x7f\u00ad\ue000\uac00\u0e01"
         "\u0905\u07ff\u0800\u2028\U0001f600\U00010400\U0001d7ce\u3099\u3280\u2019\u2581\ufffd\ufb01\u212b\uff21\u0130")
WORDS = ("the", "I'm", "we'LL", "don't", "Hello", "WORLD", "camelCase", "HTTPServer", "12345678", "3.14", "你好世界",
         "こんにちは", "カタカナ", "안녕하세요", "Привет", "naïve", "résumé", "e\u0301", "    ", "\n\n\n", "\t\t",
         "  x", "\r\n", "...", "!!!", "->", "://", "#include", "عربي", "हिन्दी", "ภาษาไทย", "👨‍👩‍👧", "½", "①",
         "<\u0338", "<s\u0301", "ﷺ")


class TextMaker:
    """Texts of all kinds, from a seed; `tokens` are those of the vocabulary."""

    def __init__(self, seed, tokens):
        self.rng = random.Random(seed)
        decoded = (token.decode("utf-8", "replace").replace("\u2581", " ") for token in tokens)
        self.tokens = [token for token in decoded if "\ufffd" not in token]
        self.special = [token for token in self.tokens if token[:1] in "<[" and token[-1:] in ">]"]

    def piece(self):
        rng = self.rng
        kind = rng.randrange(8)
        if kind == 0:
            return rng.choice(self.tokens)
        if kind == 1:
            return rng.choice(WORDS) + rng.choice(("", " "))
        if kind == 2:
            number = rng.randrange(0x30000)
            return "x" if 0xD800 <= number < 0xE000 else chr(number)
        if kind == 3 and self.special and rng.randrange(4) == 0:
            return rng.choice((" ", "", "\n")) + rng.choice(self.special) + rng.choice((" ", "", " \n ", "a"))
        if kind == 4:
            return chr(rng.choice((rng.randrange(32, 127), rng.randrange(0x4E00, 0x9FFF), rng.randrange(0xA0, 0x500))))
        if kind == 5:
            return rng.choice(NASTY) * rng.randrange(1, 9)
        if kind == 6:
            return rng.choice((" ", "\n", "  ", "")) + rng.choice(WORDS)
        return rng.choice(NASTY)

    def text(self):
        return "".join(self.piece() for _ in range(self.rng.randrange(1, 24)))


def encode(model, texts):
    """What weir makes of (parse, text) pairs: whether BOS and EOS are added, and the ids of each."""
    lines = "".join(f"{int(parse)} {text.encode().hex()}\n" for parse, text in texts)
    run = subprocess.run([ENCODER, model], input=lines, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    first, *rest = run.stdout.splitlines()
    bos, eos, *why = first.split(" ", 2)
    assert not "".join(why), why
    ids = []
    for line in rest:
        count, *tokens = map(int, line.split())
        assert count == len(tokens), (count, tokens)
        ids.append(tokens)
    return bos == "1", eos == "1", ids


class Tokenize(unittest.TestCase):
    def test_every_vocabulary_gives_the_servers_tokens(self):
        for name in VOCABULARIES:
            with self.subTest(name):
                self.compare(*name.partition(":")[::2])

    def compare(self, name, pre):
        vocabulary = vocabulary_model.read(places.FETCHED / "vocab" / f"ggml-vocab-{name}.gguf")
        server = LlamaServer("tokenize", context=512, slots=1, vocabulary=f"tokenize-{os.getpid()}")
        model = server.model_file(f"tokenize-{os.getpid()}")
        try:
            vocabulary_model.write(vocabulary, model, pre or None)
            maker = TextMaker(f"{SEED} {name} {pre}",
                              vocabulary_model.texts_of(vocabulary["tokenizer.ggml.tokens"]))
            texts = [(maker.rng.randrange(2) == 0, maker.text()) for _ in range(TEXTS)]
            bos, eos, ours = encode(model, texts)
            server.start()
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                theirs = list(pool.map(lambda pair: self.ask(server, *pair), texts))
        finally:
            server.stop()
            model.unlink(missing_ok=True)
        wrong = [(text, parse, mine, plain) for (parse, text), mine, (plain, whole) in zip(texts, ours, theirs)
                 if mine != plain or len(whole) != len(plain) + bos + eos]
        self.assertEqual(len(wrong), 0, f"{name}:{pre}: {len(wrong)} of {TEXTS}, {wrong[:3]!r:.2500}")
        print(f"{name} {pre}: {TEXTS} texts, {sum(map(len, ours))} tokens")

    @staticmethod
    def ask(server, parse, text):
        """The server's tokens without and with BOS and EOS."""
        answers = []
        for add in (False, True):
            answer = server.call("/tokenize", {"content": text, "add_special": add, "parse_special": parse})
            assert answer.status == 200, answer.body
            answers.append(answer.json()["tokens"])
        return answers


if __name__ == "__main__":
    if not ENCODER:
        raise SystemExit("WEIR_ENCODER must name the program encode_lines")
    places.main("server", "vocab")
