"""Writes a model of random weights that carries the vocabulary of another GGUF file, for a real llama-server.

    vocabulary_model.py [--pre NAME] VOCABULARY.gguf OUT.gguf

The keys of the vocabulary are copied as they are; --pre puts another splitter's name in. The architecture is always
the same one, so rules of llama.cpp that go by the architecture do not show.
"""
import argparse
import pathlib
import random
import struct

import make_tiny_gguf as tiny

ARCHITECTURE = "qwen3"
STRING, ARRAY = 8, 9
SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}  # bytes of a value, by type


class Reader:
    """Goes through the header of a GGUF file."""

    def __init__(self, data):
        self.data, self.at = data, 24
        (self.count,) = struct.unpack_from("<Q", data, 16)

    def number(self, form):
        (number,) = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return number

    def bytes(self):
        size = self.number("<Q")
        self.at += size
        return self.data[self.at - size:self.at]

    def skip(self, kind):
        if kind == STRING:
            self.bytes()
        elif kind != ARRAY:
            self.at += SIZES[kind]
        else:
            kind, count = self.number("<I"), self.number("<Q")
            if kind == STRING:
                for _ in range(count):
                    self.bytes()
            else:
                self.at += SIZES[kind] * count

    def __iter__(self):
        """Each key with the whole value, its type in front, as bytes of the file."""
        for _ in range(self.count):
            key = self.bytes().decode()
            start = self.at
            self.skip(self.number("<I"))
            yield key, self.data[start:self.at]


def texts_of(value):
    """The strings of a list as the file has it."""
    reader = Reader(bytes(24) + value)
    reader.number("<I"), reader.number("<I")
    return [reader.bytes() for _ in range(reader.number("<Q"))]


def read(path):
    return dict(Reader(pathlib.Path(path).read_bytes()))


def weights(entries):
    rng = random.Random(1)
    yield "token_embd.weight", tiny.F16, (tiny.WIDTH, entries), tiny.noise(rng, tiny.WIDTH * entries, -9)
    yield "output_norm.weight", tiny.F32, (tiny.WIDTH,), tiny.f32(1, tiny.WIDTH)
    yield from tiny.common_tensors(rng, 0)
    yield "blk.0.ffn_norm.weight", tiny.F32, (tiny.WIDTH,), tiny.f32(1, tiny.WIDTH)
    yield from tiny.attention_tensors(rng, 0, 1)


def write(vocabulary, out, pre=None):
    """`vocabulary` is what `read` gave."""
    kept = {key: value for key, value in vocabulary.items()
            if key.startswith("tokenizer.ggml.") or key == "general.name"}
    if pre is not None:
        kept["tokenizer.ggml.pre"] = tiny.value("str", pre)
    entries = len(texts_of(kept["tokenizer.ggml.tokens"]))
    own = {key: tiny.value(kind, 1 if key.endswith(".block_count") else content)
           for key, kind, content in tiny.model_keys(ARCHITECTURE)}
    keys = {**own, **kept}
    tiny.write_encoded(out, keys, weights(entries))


def main():
    parser = argparse.ArgumentParser(description="Writes a tiny GGUF with the vocabulary of another.")
    parser.add_argument("--pre", help="name of the splitter to put in")
    parser.add_argument("vocabulary", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    args = parser.parse_args()
    write(read(args.vocabulary), args.out, args.pre)


if __name__ == "__main__":
    main()
