#!/usr/bin/env python3
"""Writes a model of random weights that carries a real vocabulary, for a real llama-server.

    make_tiny_gguf.py [--vocabulary qwen3.5] [--template FILE] [--data DIR] [--special TEXT]... OUT.gguf

The vocabulary is read from weir's own data files (src/tokenizer/data). The model has two layers of
width 64, so the file is small and an answer takes milliseconds; what it writes is noise, the same noise
every time. Only the Python standard library is used.

Embeddings of tokens that are no readable text are made small. As the output layer shares them, such
tokens are never the likeliest: answers are valid UTF-8 and end at max_tokens, never at a stray control token.
"""
import argparse
import pathlib
import random
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WIDTH = 64       # embedding_length
FEED_WIDTH = 128
HEADS = 2
HEAD_WIDTH = 32
LAYERS = 2
CONTEXT = 262144  # what the model claims to be trained for; the servers choose less

# name of the vocabulary -> file stem, architecture, splitter, number of entries
VOCABULARIES = {
    "qwen3.5": ("qwen3_5", "qwen35", "qwen35", 248320),
    "qwen3": ("qwen3", "qwen3", "qwen2", 151936),
}
NORMAL, CONTROL, USER, UNUSED = 1, 3, 4, 5  # values of tokenizer.ggml.token_type
F32, F16 = 0, 1                            # tensor types


# --- vocabulary -------------------------------------------------------------------------------------

def read_bpe(path):
    """Returns the tokens as bytes and the merges as pairs of token numbers."""
    data = path.read_bytes()
    if data[:8] != b"BPEPAIR1":
        sys.exit(f"{path}: not a BPEPAIR1 file")
    (count,) = struct.unpack_from("<I", data, 8)
    merges = count - 256
    planes = [data[268 + k * merges:268 + (k + 1) * merges] for k in range(6)]
    pairs = [(a | b << 8 | c << 16, d | e << 8 | f << 16) for a, b, c, d, e, f in zip(*planes)]
    return join_parts([bytes([b]) for b in data[12:268]], pairs), pairs


def join_parts(tokens, pairs):
    """Makes the bytes of every token. A part may have a larger number than the token made of it."""
    tokens = tokens + [None] * len(pairs)

    def text(number):
        if tokens[number] is None:
            left, right = pairs[number - 256]
            tokens[number] = text(left) + text(right)
        return tokens[number]

    sys.setrecursionlimit(10000)
    for number in range(len(tokens)):
        text(number)
    return tokens


def read_special(path):
    """Returns {id: (type, text)} of the added tokens; lines are `id TAB kind TAB text`."""
    lines = (line.split("\t") for line in path.read_text("utf-8").splitlines() if line[:1].isdigit())
    return {int(number): (USER if kind == "user" else CONTROL, text) for number, kind, text in lines}


def byte_alphabet():
    """GPT-2's printable stand-in for each byte, as tokens are written in a GGUF."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    table = {byte: chr(byte) for byte in plain}
    hidden = (byte for byte in range(256) if byte not in table)
    table.update({byte: chr(256 + n) for n, byte in enumerate(hidden)})
    return table


class Vocabulary:
    """Entries of the model's size: text tokens first, added tokens at their ids, the rest unused."""

    def __init__(self, stem, entries, data_dir, more_special=()):
        tokens, pairs = read_bpe(data_dir / f"{stem}.bpe")
        special = read_special(data_dir / f"{stem}.special.tsv")
        alphabet = byte_alphabet()
        shown = ["".join(alphabet[byte] for byte in token) for token in tokens]
        self.merges = [f"{shown[left]} {shown[right]}" for left, right in pairs]
        self.readable = [is_readable(token) for token in tokens] + [False] * (entries - len(tokens))
        self.texts = shown + [f"[unused{n}]" for n in range(len(shown), entries)]
        self.types = [NORMAL] * len(shown) + [UNUSED] * (entries - len(shown))
        for number, (kind, text) in special.items():
            self.texts[number], self.types[number] = text, kind
        for number, text in enumerate(more_special, entries - len(more_special)):
            self.texts[number], self.types[number] = text, CONTROL
        self.end_of_text = self.texts.index("<|endoftext|>")
        self.end_of_turn = self.texts.index("<|im_end|>")


def is_readable(token):
    try:
        return token.decode("utf-8").strip().isalpha()
    except UnicodeDecodeError:
        return False


# --- weights ----------------------------------------------------------------------------------------

def noise(rng, count, exponent):
    """`count` little-endian f16 values of both signs, with magnitudes from 2**exponent to twice that."""
    high = bytes(((15 + exponent) << 2) | (byte & 0x83) for byte in range(256))
    out = bytearray(2 * count)
    out[0::2] = rng.randbytes(count)
    out[1::2] = rng.randbytes(count).translate(high)
    return bytes(out)


def f32(value, count):
    return struct.pack("<f", value) * count


def embeddings(rng, vocabulary):
    return b"".join(noise(rng, WIDTH, -3 if ok else -9) for ok in vocabulary.readable)


def common_tensors(rng, layer):
    name = f"blk.{layer}"
    yield f"{name}.attn_norm.weight", F32, (WIDTH,), f32(1, WIDTH)
    yield f"{name}.ffn_gate.weight", F16, (WIDTH, FEED_WIDTH), noise(rng, WIDTH * FEED_WIDTH, -3)
    yield f"{name}.ffn_up.weight", F16, (WIDTH, FEED_WIDTH), noise(rng, WIDTH * FEED_WIDTH, -3)
    yield f"{name}.ffn_down.weight", F16, (FEED_WIDTH, WIDTH), noise(rng, WIDTH * FEED_WIDTH, -3)


def attention_tensors(rng, layer, query_factor):
    """Full attention with one key/value head. Qwen3.5's query carries a gate: twice the width."""
    name, wide = f"blk.{layer}", HEADS * HEAD_WIDTH
    queries = wide * query_factor
    yield f"{name}.attn_q.weight", F16, (WIDTH, queries), noise(rng, WIDTH * queries, -3)
    yield f"{name}.attn_k.weight", F16, (WIDTH, HEAD_WIDTH), noise(rng, WIDTH * HEAD_WIDTH, -3)
    yield f"{name}.attn_v.weight", F16, (WIDTH, HEAD_WIDTH), noise(rng, WIDTH * HEAD_WIDTH, -3)
    yield f"{name}.attn_output.weight", F16, (wide, WIDTH), noise(rng, WIDTH * wide, -3)
    yield f"{name}.attn_q_norm.weight", F32, (HEAD_WIDTH,), f32(1, HEAD_WIDTH)
    yield f"{name}.attn_k_norm.weight", F32, (HEAD_WIDTH,), f32(1, HEAD_WIDTH)


def recurrent_tensors(rng, layer):
    """Qwen3.5's gated delta net: HEADS heads of HEAD_WIDTH for keys and for values, kernel of 4."""
    name, wide = f"blk.{layer}", HEADS * HEAD_WIDTH
    yield f"{name}.attn_qkv.weight", F16, (WIDTH, 3 * wide), noise(rng, WIDTH * 3 * wide, -3)
    yield f"{name}.attn_gate.weight", F16, (WIDTH, wide), noise(rng, WIDTH * wide, -3)
    yield f"{name}.ssm_conv1d.weight", F32, (4, 3 * wide), f32(0.25, 4 * 3 * wide)
    yield f"{name}.ssm_dt.bias", F32, (HEADS,), f32(0.5, HEADS)
    yield f"{name}.ssm_a", F32, (HEADS,), f32(-1, HEADS)
    yield f"{name}.ssm_beta.weight", F16, (WIDTH, HEADS), noise(rng, WIDTH * HEADS, -3)
    yield f"{name}.ssm_alpha.weight", F16, (WIDTH, HEADS), noise(rng, WIDTH * HEADS, -3)
    yield f"{name}.ssm_norm.weight", F32, (HEAD_WIDTH,), f32(1, HEAD_WIDTH)
    yield f"{name}.ssm_out.weight", F16, (wide, WIDTH), noise(rng, WIDTH * wide, -3)


def tensors(arch, vocabulary):
    rng = random.Random(1)
    yield "token_embd.weight", F16, (WIDTH, len(vocabulary.texts)), embeddings(rng, vocabulary)
    yield "output_norm.weight", F32, (WIDTH,), f32(1, WIDTH)
    hybrid = arch == "qwen35"
    for layer in range(LAYERS):
        yield from common_tensors(rng, layer)
        norm = "post_attention_norm" if hybrid else "ffn_norm"
        yield f"blk.{layer}.{norm}.weight", F32, (WIDTH,), f32(1, WIDTH)
        if hybrid and layer % 2 == 0:
            yield from recurrent_tensors(rng, layer)
        else:
            yield from attention_tensors(rng, layer, 2 if hybrid else 1)


# --- the file ---------------------------------------------------------------------------------------

def string(text):
    data = text.encode("utf-8")
    return struct.pack("<Q", len(data)) + data


# type number of a GGUF value and how it is packed
SCALARS = {"u32": (4, "<I"), "i32": (5, "<i"), "f32": (6, "<f"), "bool": (7, "<?")}


def value(kind, content):
    if kind == "str":
        return struct.pack("<I", 8) + string(content)
    if kind == "strings":
        return struct.pack("<IIQ", 9, 8, len(content)) + b"".join(map(string, content))
    if kind == "i32s":
        return struct.pack("<IIQ", 9, 5, len(content)) + struct.pack(f"<{len(content)}i", *content)
    if kind == "f32s":
        return struct.pack("<IIQ", 9, 6, len(content)) + struct.pack(f"<{len(content)}f", *content)
    number, form = SCALARS[kind]
    return struct.pack("<I", number) + struct.pack(form, content)


def model_keys(arch):
    yield "general.architecture", "str", arch
    yield "general.name", "str", "weir test model"
    yield "general.file_type", "u32", 1
    sizes = {"block_count": LAYERS, "context_length": CONTEXT, "embedding_length": WIDTH,
             "feed_forward_length": FEED_WIDTH, "attention.head_count": HEADS, "attention.head_count_kv": 1,
             "attention.key_length": HEAD_WIDTH, "attention.value_length": HEAD_WIDTH}
    if arch == "qwen35":
        sizes.update({"rope.dimension_count": 16, "full_attention_interval": 2, "ssm.conv_kernel": 4,
                      "ssm.state_size": HEAD_WIDTH, "ssm.group_count": HEADS, "ssm.time_step_rank": HEADS,
                      "ssm.inner_size": HEADS * HEAD_WIDTH})
        yield f"{arch}.rope.dimension_sections", "i32s", [3, 3, 2, 0]
    for key, size in sizes.items():
        yield f"{arch}.{key}", "u32", size
    yield f"{arch}.attention.layer_norm_rms_epsilon", "f32", 1e-6
    yield f"{arch}.rope.freq_base", "f32", 1e7


def tokenizer_keys(pre, vocabulary, template):
    name = "tokenizer.ggml"
    yield f"{name}.model", "str", "gpt2"
    yield f"{name}.pre", "str", pre
    yield f"{name}.tokens", "strings", vocabulary.texts
    yield f"{name}.token_type", "i32s", vocabulary.types
    yield f"{name}.merges", "strings", vocabulary.merges
    yield f"{name}.eos_token_id", "u32", vocabulary.end_of_turn
    yield f"{name}.bos_token_id", "u32", vocabulary.end_of_text
    yield f"{name}.padding_token_id", "u32", vocabulary.end_of_text
    yield f"{name}.add_bos_token", "bool", False
    if template:
        yield "tokenizer.chat_template", "str", template


def padding(size):
    return b"\0" * (-size % 32)


def write(path, keys, weights):
    write_encoded(path, {key: value(kind, content) for key, kind, content in keys}, weights)


def write_encoded(path, keys, weights):
    """`keys`: the values as bytes of the file."""
    weights = list(weights)
    head = [b"GGUF", struct.pack("<IQQ", 3, len(weights), len(keys))]
    head += [string(key) + encoded for key, encoded in keys.items()]
    offset = 0
    for name, kind, shape, data in weights:
        head.append(string(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, offset))
        offset += len(data) + len(padding(len(data)))
    start = b"".join(head)
    with open(path, "wb") as out:
        out.write(start + padding(len(start)))
        for *_, data in weights:
            out.write(data + padding(len(data)))


def main():
    parser = argparse.ArgumentParser(description="Writes a tiny GGUF with a real vocabulary.")
    parser.add_argument("--vocabulary", choices=sorted(VOCABULARIES), default="qwen3.5")
    parser.add_argument("--template", type=pathlib.Path, help="chat template (Jinja) to put in")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT / "src/tokenizer/data")
    parser.add_argument("--special", action="append", default=[], metavar="TEXT", help="one more control token")
    parser.add_argument("out", type=pathlib.Path)
    args = parser.parse_args()
    stem, arch, pre, entries = VOCABULARIES[args.vocabulary]
    vocabulary = Vocabulary(stem, entries, args.data, args.special)
    template = args.template.read_text("utf-8") if args.template else ""
    keys = [*model_keys(arch), *tokenizer_keys(pre, vocabulary, template)]
    write(args.out, keys, tensors(arch, vocabulary))


if __name__ == "__main__":
    main()
