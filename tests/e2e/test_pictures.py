#!/usr/bin/env python3
"""Pictures count as in a real llama-server: the same requests to weir and to the server's route that counts tokens.

The projector files have the settings of published models and no weights: counting needs none.
"""
import base64
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import unittest
import zlib

from harness import daemon, places
from harness.llama import LlamaServer

HERE = pathlib.Path(__file__).resolve().parent
RANDOM_SIZES = int(os.environ.get("WEIR_E2E_PICTURES", 40))  # of each projector, in one request
FIXED_SIZES = [(1, 1), (28, 28), (32, 33), (100, 50), (337, 336), (449, 448), (640, 480), (512, 2048), (1024, 1024),
               (1920, 1080), (3000, 4000), (30, 3000)]

# Tokens that projectors put between the parts of a picture and that the vocabulary lacks.
SPECIAL = ["<image>", "</image>", "<slice>", "</slice>", "<fake_token_around_image>", "<global-img>", "<row_1_col_1>",
           "<|img_thumbnail|>", "<|image_start|>", "<|image_end|>", "<|img_row_1_col_1|>", "<start_of_image>"]

# projector, further keys, options of the server: (min, max) tokens
CASES = [("qwen2vl_merger", [], None), ("qwen2.5vl_merger", [], None), ("qwen3vl_merger", [], None),
         ("qwen3vl_merger", [], (1024, 2000)), ("gemma3", [], None), ("gemma4v", [], (0, 280)), ("gemma4v", [], (0, 512)),
         ("idefics3", [], None), ("idefics3", ["vision.preproc_image_size=0"], None), ("pixtral", [], None),
         ("lightonocr", [], None), ("internvl", [], None), ("llama4", [], None), ("lfm2", [], None), ("kimivl", [], None),
         ("paddleocr", [], None), ("glm4v", [], None), ("resampler", [], None),
         ("resampler", ["minicpmv_version=2", "minicpmv_query_num=96"], None), ("mlp", [], None), ("phi4", [], None),
         ("nemotron_v2_vl", [], None)]


def png(width, height):
    """A black picture of one bit a pixel."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    lines = zlib.compress(bytes(1 + (width + 7) // 8) * height, 9)
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", lines) + chunk(b"IEND", b"")


def bmp(width, height):
    """The same as BMP, 24 bits a pixel, from top to bottom."""
    line = bytes((3 * width + 3) // 4 * 4)
    head = struct.pack("<IiiHHIIiiII", 40, width, -height, 1, 24, 0, 0, 0, 0, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54 + len(line) * height, 0, 0, 54) + head + line * height


def picture(size, write=png):
    url = "data:image/png;base64," + base64.b64encode(write(*size)).decode()
    return {"type": "image_url", "image_url": {"url": url}}


def text(content):
    return {"type": "text", "text": content}


def request(*parts):
    return {"messages": [{"role": "user", "content": list(parts)}]}


class PictureServer(LlamaServer):
    """With a vocabulary that has SPECIAL, and a projector."""

    def __init__(self, number, projector, keys, limits):
        self._made = None
        options = ["--image-min-tokens", limits[0]] if limits and limits[0] else []
        options += ["--image-max-tokens", limits[1]] if limits and limits[1] else []
        super().__init__(f"pictures-{number}", extra=["--no-warmup", "-fit", "off", *options])
        self.mmproj = self.own_dir() / "mmproj.gguf"
        subprocess.run([sys.executable, HERE / "make_tiny_mmproj.py", projector, self.mmproj, *keys], check=True)
        self._arguments += ["--mmproj", self.seen(self.mmproj)]

    def model_file(self, vocabulary):
        name = f"{vocabulary}-pictures.gguf"
        made = places.FETCHED / "models" / name if self._outside else places.FETCHED / "llama/srv/models" / name
        if not made.exists() or made.stat().st_mtime < (HERE / "make_tiny_gguf.py").stat().st_mtime:
            template = places.FETCHED / "templates/Qwen3.5-4B.jinja"
            partial = made.with_suffix(".partial")
            special = [f"--special={token}" for token in SPECIAL]
            subprocess.run([sys.executable, HERE / "make_tiny_gguf.py", "--template", template, *special, partial],
                           check=True)
            partial.rename(made)
        return made


class Pictures(unittest.TestCase):
    def setUp(self):
        self.server = None

    def tearDown(self):
        if self.server:
            self.server.stop()

    def counted_by_weir(self, body, limits):
        """Tokens, and whether they are an estimate."""
        tables = {"local.a": {"base_url": "http://127.0.0.1:1"},
                  "provider.b": {"base_url": "http://127.0.0.1:1", "api_key": "k"},
                  "routing": {"short_route": "local.a", "long_route": "provider.b"},
                  "tokenizer": {"model": str(self.server.model_file("qwen3.5")), "mmproj": str(self.server.mmproj),
                                "image_min_tokens": (limits or (0, 0))[0], "image_max_tokens": (limits or (0, 0))[1]}}
        config = places.work_dir() / "pictures.toml"
        config.write_text(daemon.config_text(tables), "utf-8")
        file = places.work_dir() / "request.json"
        file.write_text(json.dumps(body), "utf-8")
        result = daemon.run_weir("route", "--config", config, file)
        self.assertEqual(result.returncode, 0, result.stderr)
        said = json.loads(result.stdout)
        return said["prompt_tokens"], said["is_estimate"]

    def check(self, body, limits, what):
        answer = self.server.call("/v1/chat/completions/input_tokens", body)
        self.assertEqual(answer.status, 200, f"{what}: {answer.body[:300]}")
        self.assertEqual(self.counted_by_weir(body, limits), (answer.json()["input_tokens"], False), what)

    def check_projector(self, number, projector, keys, limits):
        self.server = PictureServer(number, projector, keys, limits).start()
        what = f"{projector} {keys} {limits}"
        for size in FIXED_SIZES:
            self.check(request(text("What is this?"), picture(size)), limits, f"{what} {size}")
        rng = random.Random(number)
        sizes = [tuple(int(2 ** rng.uniform(2, 11.5)) for _ in range(2)) for _ in range(RANDOM_SIZES)]
        self.check(request(*map(picture, sizes), text("Which is the largest?")), limits, f"{what} {sizes}")
        one = picture((70, 190), bmp)
        for parts in ([one, one, text("and")], [text("one"), one, text("two"), text(""), one, text(" three")],
                      [text("a\n"), one, text("\n")], [one]):
            self.check(request(*parts), limits, f"{what} {len(parts)} parts")

    def test_projectors(self):
        for number, (projector, keys, limits) in enumerate(CASES):
            with self.subTest(projector=projector, keys=keys, limits=limits):
                try:
                    self.check_projector(number, projector, keys, limits)
                finally:
                    self.tearDown()


if __name__ == "__main__":
    places.main("server", "models")
