"""A tiny model with a vocabulary of bytes and the tokens of one chat template, which a real server loads at once."""
import pathlib
import re
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import make_tiny_gguf as tiny  # noqa: E402

MERGES = ["t h", "th e", "i n", "Ġ a", "\u010a \u010a", "a n", "an d", "> \u010a"]


def special_texts(template):
    """What looks like a token in a template, in order."""
    found = re.findall(r"<[|｜/]?[\w▁|｜:/]{1,30}[|｜]?>|\[/?[A-Z_]{2,20}\]", template)
    return list(dict.fromkeys(found))[:120]


class ByteVocabulary:
    def __init__(self, template, adds_bos):
        letters = list(tiny.byte_alphabet()[byte] for byte in range(256))
        merged = [merge.replace(" ", "") for merge in MERGES]
        self.specials = [text for text in special_texts(template) if text not in ("<s>", "</s>")]
        self.merges = MERGES
        self.texts = letters + merged + ["<s>", "</s>"] + self.specials
        self.types = [tiny.NORMAL] * (len(letters) + len(merged)) + [tiny.CONTROL] * 2
        self.types += [tiny.USER if number % 3 == 0 else tiny.CONTROL for number in range(len(self.specials))]
        self.readable = [True] * 256 + [False] * (len(self.texts) - 256)
        self.bos, self.eos = self.texts.index("<s>"), self.texts.index("</s>")
        self.adds_bos = adds_bos


class FileVocabulary:
    """The vocabulary of a GGUF file of llama.cpp (vocabulary only is enough), taken over as it is."""

    def __init__(self, path, template):
        self.data, self.at = pathlib.Path(path).read_bytes(), 24
        (keys,) = struct.unpack_from("<Q", self.data, 16)
        self.entries, self.encoded = 0, {}
        for _ in range(keys):
            name = self._string().decode()
            start = self.at
            self._skip(self._number("<I"), name == "tokenizer.ggml.tokens")
            if name.startswith("tokenizer.ggml."):
                self.encoded[name] = self.data[start:self.at]
        self.texts = range(self.entries)
        self.readable = [False] * self.entries
        self.specials = special_texts(template)

    def _number(self, form):
        (number,) = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return number

    def _string(self):
        size = self._number("<Q")
        self.at += size
        return self.data[self.at - size:self.at]

    def _skip(self, kind, are_tokens=False):
        if kind == 8:
            self._string()
        elif kind == 9:
            element, count = self._number("<I"), self._number("<Q")
            self.entries = count if are_tokens else self.entries
            for _ in range(count):
                self._skip(element)
        else:
            self.at += (1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8)[kind]


def keys(vocabulary, template):
    name = "tokenizer.ggml"
    yield f"{name}.model", "str", "gpt2"
    yield f"{name}.pre", "str", "qwen2"
    yield f"{name}.tokens", "strings", vocabulary.texts
    yield f"{name}.token_type", "i32s", vocabulary.types
    yield f"{name}.merges", "strings", vocabulary.merges
    yield f"{name}.bos_token_id", "u32", vocabulary.bos
    yield f"{name}.eos_token_id", "u32", vocabulary.eos
    yield f"{name}.add_bos_token", "bool", vocabulary.adds_bos
    yield "tokenizer.chat_template", "str", template


def write(path, template, adds_bos):
    """Writes the model; returns its special texts."""
    vocabulary = ByteVocabulary(template, adds_bos)
    tiny.write(path, [*tiny.model_keys("qwen3"), *keys(vocabulary, template)], tiny.tensors("qwen3", vocabulary))
    return vocabulary.specials + ["<s>", "</s>"]


def write_with(path, template, vocabulary_file):
    """The same with the vocabulary of another model."""
    vocabulary = FileVocabulary(vocabulary_file, template)
    own = [*tiny.model_keys("qwen3"), ("tokenizer.chat_template", "str", template)]
    encoded = {key: tiny.value(kind, content) for key, kind, content in own}
    tiny.write_encoded(path, {**encoded, **vocabulary.encoded}, tiny.tensors("qwen3", vocabulary))
    return vocabulary.specials
