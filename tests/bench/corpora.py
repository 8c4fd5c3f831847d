#!/usr/bin/env python3
"""Writes the texts that the tokenizer is measured on, the same each time.

    tests/bench/corpora.py DIR      DIR as fetch_texts.sh left it; writes DIR/corpora/NAME.txt and NAME.long.txt

NAME.txt has up to 1 MB, NAME.long.txt 8 MB. English and Chinese are the prose of a book, code is what Python, Node and
the C++ compiler of this machine are written in; where these are missing, and for the long ones, text is made by chance
with words as frequent as in a language. Nothing is one sentence over and over: a tokenizer that remembers pieces looks
ten times faster on that than it is.
"""
import base64
import collections
import json
import pathlib
import random
import sys

import handbook

SHORT, LONG = 1 << 20, 8 << 20
SEED = 42
SOURCES = ["/usr/lib/python3*/**/*.py", "/usr/include/c++/**/*", "/usr/lib/node_modules/**/*.js", "/usr/share/nodejs/**/*.js"]


def joined(pieces, size, between="\n\n"):
    """As many of `pieces` as fill `size` bytes; the last one is cut."""
    out, filled = [], 0
    for piece in pieces:
        if filled >= size:
            break
        out.append(piece)
        filled += len(piece.encode()) + len(between)
    return between.join(out).encode()[:size].decode("utf-8", "ignore")


def endless(make):
    while True:
        yield make()


def chain(units, size, rng, between):
    """A chain that goes on from a pair of words (or characters) as `units` do: as many different texts as one likes."""
    follow = collections.defaultdict(list)
    for first, second, third in zip(units, units[1:], units[2:]):
        follow[first, second].append(third)
    state, out, filled = (units[0], units[1]), [], 0
    while filled < size:
        choices = follow.get(state)
        if not choices or rng.random() < 0.02:
            at = rng.randrange(len(units) - 2)
            state, choices = (units[at], units[at + 1]), [units[at + 2]]
        out.append(rng.choice(choices))
        filled += len(out[-1].encode()) + len(between)
        state = (state[1], out[-1])
    return between.join(out)


# --- where nothing could be fetched ---

def made_up_words(rng, count=20000):
    syllables = ("the and ing ion ent er re con st for pro ter ly al in is it of to a be com ment ed es ver tion ble per un "
                 "dis man way day use can not all out ness").split()
    return ["".join(rng.choices(syllables, k=rng.randint(1, 3))) for _ in range(count)]


def zipf(items, count, rng):
    return rng.choices(items, weights=[1 / (n + 1) for n in range(len(items))], k=count)


def made_up_english(rng):
    words = zipf(made_up_words(rng), SHORT // 6, rng)
    return [" ".join(words[at:at + 80]).capitalize() + "." for at in range(0, len(words), 80)]


def made_up_chinese(rng):
    han = [chr(code) for code in range(0x4E00, 0x9FA6)]
    rng.shuffle(han)
    chars = [c if rng.random() > 0.08 else rng.choice("，。") for c in zipf(han, SHORT // 3, rng)]
    return ["".join(chars[at:at + 120]) for at in range(0, len(chars), 120)]


# --- ordinary texts ---

def book(directory, languages, made_up, rng):
    if not (directory / "handbook").is_dir():
        print(f"{languages[0]}: made up, there is no book", file=sys.stderr)
        return made_up(rng)
    found = [paragraph for language in languages for paragraph in handbook.paragraphs(directory, language)]
    rng.shuffle(found)
    return found


def source_files(rng):
    """Of each language in turn."""
    kinds = []
    for pattern in SOURCES:
        files = sorted(path for path in pathlib.Path("/").glob(pattern[1:]) if path.is_file())
        rng.shuffle(files)
        kinds.append(iter(files))
    while kinds:
        for kind in list(kinds):
            path = next(kind, None)
            if path is None:
                kinds.remove(kind)
                continue
            text = path.read_bytes()
            if 500 < len(text) < 200_000 and all(len(line) < 1000 for line in text.splitlines()):
                yield text.decode("utf-8", "ignore")


def records(words, rng):
    """What a tool or an API answers: compact or indented."""
    def record():
        some = [rng.choice(words) for _ in range(rng.randint(4, 12))]
        return {
            "id": rng.randrange(1_000_000), "title": " ".join(some[:4]).capitalize(), "snippet": " ".join(some),
            "url": f"https://example.org/{some[0].lower()}/{some[1].lower()}-{rng.randrange(10_000)}",
            "score": round(rng.random(), 4), "created_at": f"2026-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}T09:{rng.randint(10, 59)}:00Z",
            "tags": some[1:4], "author": {"name": some[2], "id": rng.randrange(10_000), "verified": rng.random() < 0.5},
            "parent": None, "size": {"width": rng.randrange(4000), "height": rng.randrange(4000)},
        }
    indent = rng.choice([None, 2])
    return json.dumps([record() for _ in range(rng.randint(3, 30))], indent=indent, ensure_ascii=False)


def conversation(english, chinese, code, words, rng):
    """A turn of a chat: prose in two languages, code in fences, answers of tools."""
    kind = rng.random()
    if kind < 0.4:
        return "\n\n".join(rng.sample(english, 2))
    if kind < 0.65:
        return "".join(rng.sample(chinese, 2))
    if kind < 0.85:
        lines = rng.choice(code).splitlines(keepends=True)
        at = rng.randrange(max(1, len(lines) - 40))
        return f"{rng.choice(english)}\n\n```\n{''.join(lines[at:at + 40])}```\n"
    return records(words, rng)


# --- hard ones ---

def letters(rng, alphabet, size):
    return "".join(rng.choices(alphabet, k=size))


def punctuation(rng, size):
    """Runs of one mark, mixed: rules and boxes of plain text, at random lengths."""
    marks, out, filled = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", [], 0
    while filled < size:
        out.append(rng.choice(marks) * rng.choice([1, 1, 2, 3, rng.randint(1, 20), rng.randint(1, 80)]))
        filled += len(out[-1])
    return "".join(out)[:size]


def make(directory):
    rng = random.Random(SEED)
    english = book(directory, ["en-US"], made_up_english, rng)
    chinese = book(directory, ["zh-CN", "zh-TW"], made_up_chinese, rng)
    words = " ".join(english).split()
    code = list(source_files(rng)) or made_up_english(rng)
    turns = [conversation(english, chinese, code, words, rng) for _ in range(1000)]
    han = [chr(code_point) for code_point in range(0x4E00, 0x9FA6)]
    yield "English", joined(english, SHORT), chain(words, LONG, rng, " ")
    yield "Chinese", joined(chinese, SHORT), chain("".join(chinese), LONG, rng, "")
    yield "code", joined(code, SHORT), joined(code, LONG)
    yield "JSON", joined(endless(lambda: records(words, rng)), SHORT), joined(endless(lambda: records(words, rng)), LONG)
    yield ("chat", joined(turns, SHORT),
           joined(endless(lambda: conversation(english, chinese, code, words, rng)), LONG))
    hard = {
        "one letter": lambda size: "a" * size,
        "random letters": lambda size: letters(rng, "abcdefghijklmnopqrstuvwxyz", size),
        "spaces": lambda size: " " * size,
        "random Han": lambda size: letters(rng, han, size // 3),
        "base64": lambda size: base64.b64encode(rng.randbytes(size * 3 // 4)).decode(),
        "punctuation": lambda size: punctuation(rng, size),
        "random marks": lambda size: letters(rng, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", size),
        "digits": lambda size: letters(rng, "0123456789", size),
    }
    for name, text in hard.items():
        yield name, text(SHORT), text(LONG)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    directory = pathlib.Path(sys.argv[1])
    target = directory / "corpora"
    sources = [pathlib.Path(__file__), pathlib.Path(handbook.__file__), directory / "handbook"]
    done = target / "complete"
    if done.exists() and all(not s.exists() or s.stat().st_mtime < done.stat().st_mtime for s in sources):
        return
    target.mkdir(parents=True, exist_ok=True)
    done.unlink(missing_ok=True)
    for name, short, long in make(directory):
        (target / f"{name}.txt").write_text(short, "utf-8", newline="")
        (target / f"{name}.long.txt").write_text(long, "utf-8", newline="")
    done.touch()


if __name__ == "__main__":
    main()
