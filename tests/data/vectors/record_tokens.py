#!/usr/bin/env python3
"""Records token vectors (README.md) from tiktoken or from a running llama-server; prints JSON lines.

    record_tokens.py --encoding cl100k tokens.o200k.jsonl     the texts of that file, tokens of tiktoken's cl100k_base
    record_tokens.py --encoding o200k --random 60             generated texts, from fixed seeds
    record_tokens.py --server URL [--shift 3] FILE            tokens of the model that the llama-server at URL has loaded

--encoding needs the PyPI package tiktoken (0.14.0 was used). Its ranks are made from src/tokenizer/data, which
scripts/make_vocabulary.py proves to be the published ones, so nothing is fetched. --shift is taken off the ids of
tokens that are not special, to get the numbers of the .bpe file.
"""
import argparse
import json
import sys
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "src/tokenizer/data"
IDS_MAX = 200
MASK = (1 << 64) - 1
# What the generated texts are made of: classes, cases, contractions, white space, and what joins them.
PIECES = ("the| The|HTTP|fooBar|a|A|z|Z|'s|'S|'ſ|'ll|'LL|'re|'Ve|'|I'm|1|12345|²|½|٣|Ⅳ| |  |   |\t|\n|\r\n|\n\n| \n|\u00a0|"
          "\u3000|\u0085|\u2028|.|,|!|...|://|/|/\n|--|==|_|(|)|{|}|[|]|$|€|+|\u0301|\u093f|ि|ा|é|É|ß|ẞ|ǅ|ǆ|ʰ|ª|º|Σ|ς|привет|"
          " Мир|你好|世界|，|。|です|カタカナ|・|한국어|สวัสดี|नमस्ते|עברית|العربية|😀|𐐀|𐐨|\u200d|\ufe0f|\u0000|\u007f|\u00ad|\ue000"
          ).split("|")


def expand(rule):
    """The text of a "gen" rule, as tests/tokenizer/vectors_test.cc expands it."""
    if isinstance(rule, str):
        return rule
    (kind, argument), = rule.items()
    if kind == "repeat":
        return argument[0] * argument[1]
    if kind == "cat":
        return "".join(map(expand, argument))
    if kind == "cps":
        points = range(argument["from"], argument["to"] + 1, argument.get("step", 1))
        return "".join(chr(c) + argument.get("sep", "") for c in points if not 0xD800 <= c <= 0xDFFF)
    state, out = argument["seed"], []
    for _ in range(argument["n"]):  # "lcg"
        state = (state * 6364136223846793005 + 1442695040888963407) & MASK
        out.append(argument["pieces"][(state >> 33) % len(argument["pieces"])])
    return "".join(out)


def random_vectors(count):
    """Short texts with their ids, and some long ones."""
    for seed in range(1, count + 1):
        length = 1500 if seed % 6 == 0 else 30
        yield {"name": f"random_{seed}", "gen": {"lcg": {"seed": seed, "n": length, "pieces": PIECES}}}


def tiktoken_encoder(name):
    import tiktoken
    sys.path.insert(0, str(ROOT / "scripts"))
    from make_vocabulary import byte_alphabet, unpack
    letters = sorted((letter, byte) for byte, letter in byte_alphabet().items())
    tokens = [bytes([byte]) for _, byte in letters]
    tokens += [left + right for left, right in unpack((DATA / f"{name}.bpe").read_bytes())]
    lines = (DATA / f"{name}.special.tsv").read_text().splitlines()
    special = {text: int(number) for number, _, text in (line.split("\t") for line in lines)}
    patterns = {
        "cl100k": "'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}++|\\p{N}{1,3}+| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*+"
                  "|\\s++$|\\s*[\\r\\n]|\\s+(?!\\S)|\\s",
        "o200k": "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+"
                 "(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+"
                 "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}"
                 "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
    }
    encoding = tiktoken.Encoding(name, pat_str=patterns[name], special_tokens=special,
                                 mergeable_ranks={token: rank for rank, token in enumerate(tokens)})
    return lambda text, parse: (encoding.encode(text, allowed_special="all") if parse else
                                encoding.encode_ordinary(text))


def server_encoder(url, shift, special_from):
    def encode(text, parse):
        body = json.dumps({"content": text, "add_special": False, "parse_special": parse}).encode()
        request = urllib.request.Request(url + "/tokenize", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            tokens = json.load(answer)["tokens"]
        return [token - shift if shift <= token < special_from else token for token in tokens]
    return encode


def record(vector, encode):
    """Yields the vector for both ways to read special tokens, or once when they do not differ."""
    text = vector["text"] if "text" in vector else expand(vector["gen"])
    modes = (False, True) if "special" not in vector else (vector["special"],)
    results = {mode: encode(text, mode) for mode in modes}
    if len(results) == 2 and results[False] != results[True]:
        sys.exit(f"{vector['name']}: depends on special tokens, so it needs a line for each way")
    ids = results[modes[0]]
    found = {key: vector[key] for key in ("name", "text", "gen", "special") if key in vector}
    found["count"] = len(ids)
    if len(ids) <= IDS_MAX:
        found["ids"] = ids
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--encoding", choices=("cl100k", "o200k"))
    source.add_argument("--server", metavar="URL")
    parser.add_argument("--shift", type=int, default=0)
    parser.add_argument("--special-from", type=int, default=128000, help="ids from here on are special (with --shift)")
    parser.add_argument("--random", type=int, metavar="COUNT")
    parser.add_argument("file", nargs="?", type=Path)
    options = parser.parse_args()
    encode = (tiktoken_encoder(options.encoding) if options.encoding else
              server_encoder(options.server, options.shift, options.special_from))
    vectors = (random_vectors(options.random) if options.random else
               map(json.loads, options.file.read_text("utf-8").splitlines()))
    for vector in vectors:
        print(json.dumps(record(vector, encode), ensure_ascii=False))


if __name__ == "__main__":
    main()
