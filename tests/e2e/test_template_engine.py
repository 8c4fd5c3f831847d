#!/usr/bin/env python3
"""weir's template engine against a real llama-server: the templates that llama.cpp carries, and made-up ones.

WEIR_E2E_TEMPLATES chooses among the former by name (all); WEIR_E2E_SNIPPETS is the number of generated snippets (150),
WEIR_E2E_SEED another seed.
"""
import json
import os
import random
import shutil
import subprocess
import time
import unittest

from harness import places
from harness.llama import LlamaServer

RENDERER = os.environ.get("WEIR_RENDERER", "")
SNIPPETS = int(os.environ.get("WEIR_E2E_SNIPPETS", 150))
SEED = os.environ.get("WEIR_E2E_SEED", "1")
CHOSEN = os.environ.get("WEIR_E2E_TEMPLATES", "").split()

THOUGHT = "<think>\nhm\n</think>\n\nB"
CONVERSATIONS = (
    [{"role": "user", "content": "Hello there!\n 'x' \"y\""}],
    [{"role": "system", "content": " You are Bob. "}, {"role": "user", "content": " Hi "}],
    [{"role": "user", "content": "A"}, {"role": "assistant", "content": "B <think>t</think> c"},
     {"role": "user", "content": "C\n"}],
    [{"role": "system", "content": "S"}, {"role": "user", "content": "A"}, {"role": "assistant", "content": THOUGHT},
     {"role": "user", "content": "C"}, {"role": "assistant", "content": "D"}, {"role": "user", "content": "é中文🙂"}],
)
KEEP_REASONING = {"preserve_thinking": True, "clear_thinking": False, "truncate_history_thinking": False,
                  "drop_thinking": False}

VALUES = {
    "s": "Hello World", "t": " a,b ,c\n", "u": "é中文🙂 x", "e": "", "n": 3, "z": 0, "f": 2.5, "b": True, "c": False,
    "nil": None, "l": [3, 1, 2], "ls": ["b", "a", "C"], "le": [], "ll": [[1, "a"], [2, "b"]],
    "o": {"b": 1, "a": "x", "items": 5, "n": None}, "lines": "\n\nx\n  y\n\nz\n", "quote": "it's \"q\" \\ \t\u0001",
    "lo": [{"name": "p", "v": 2, "t": True}, {"name": "q", "v": 1}, {"name": "r", "v": 2, "t": False}],
}
OF_STRINGS = ("upper()", "title()", "strip()", "rstrip('d\\n')", "split(',')", "rsplit('l', 1)", "replace('l', 'L')",
              "replace('', '-')", "startswith('H')", "capitalize()", "length()", "int()", "format(1)")
OF_LISTS = ("first()", "last()", "reverse()", "join('-')", "length()", "tojson()", "string()", "pop()", "list()")
OF_OBJECTS = ("items()", "keys()", "values()", "get('a')", "get('zz', 7)", "dictsort()", "length()", "tojson()")
FILTERS = ("upper", "trim", "title", "length", "first", "last", "join(', ')", "tojson", "tojson(indent=2)", "string",
           "tojson(separators=(',', ':'), ensure_ascii=true)", "int", "float", "abs", "default('d')", "sort", "reverse",
           "default('d', true)", "map(attribute='v')|list", "selectattr('t')|list", "selectattr('v', 'gt', 1)|list",
           "rejectattr('name', 'eq', 'p')|list", "sort(attribute='v')", "min", "max", "indent", "indent(2, true)",
           "dictsort(by='value')", "replace('a', 'b')", "safe", "items", "capitalize", "lower", "count", "list")
TESTS = ("defined", "none", "string", "number", "mapping", "sequence", "odd", "true", "eq 3", "in([1, 2, 3])", "ne('a')",
         "divisibleby(3)", "boolean", "iterable", "lower", "gt(1)", "undefined", "integer", "callable")
OPERATORS = ("+", "~", "-", "*", "/", "%", "==", "!=", "<", ">=", "in", "not in", "and", "or")
SLICES = ("0", "-1", "1:", ":-1", "::-1", "::2", "'a'", "1:2")


class Maker:
    """Snippets of templates, from a seed."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def value(self):
        kind = self.rng.randrange(8)
        if kind == 0:
            return self.rng.choice(("1", "-2", "2.5", "'a'", "''", "none", "true", "[1, 2]", "{'a': 1}", "(1, 2)", "missing"))
        name = self.rng.choice(list(VALUES))
        of = {str: OF_STRINGS, list: OF_LISTS, dict: OF_OBJECTS}.get(type(VALUES[name]))
        if of and kind in (1, 2):
            return f"{name}.{self.rng.choice(of)}"
        return f"{name}[{self.rng.choice(SLICES)}]" if of and kind == 3 else name

    def expression(self, depth=2):
        kind = self.rng.randrange(6)
        if depth == 0 or kind == 0:
            return self.value()
        inner = self.expression(depth - 1)
        if kind in (1, 2):
            return f"({inner})|{self.rng.choice(FILTERS)}"
        if kind == 3:
            return f"({inner}) is {self.rng.choice(('', 'not '))}{self.rng.choice(TESTS)}"
        if kind == 4:
            return f"({inner}) {self.rng.choice(OPERATORS)} ({self.expression(depth - 1)})"
        return f"({inner}) if ({self.value()}) else ({self.value()})"

    def blank(self):
        return self.rng.choice(("", " ", "\n", "\n  ", "a ", "\n\n"))

    def tag(self, text):
        return f"{self.rng.choice(('{%', '{%-'))} {text} {self.rng.choice(('%}', '-%}'))}{self.blank()}"

    def snippet(self, depth=2):
        kind = self.rng.randrange(8)
        shown = f"{self.blank()}{{{{ {self.expression()} }}}}"
        if depth == 0 or kind < 3:
            return shown
        inner = self.snippet(depth - 1)
        if kind == 3:
            return self.tag(f"if {self.expression(1)}") + inner + self.tag("else") + shown + self.tag("endif")
        if kind == 4:
            end = self.rng.choice(("", "{% if loop.index == 2 %}q{% break %}{% endif %}", "{% set a = x %}[{{ a }}]", "{% continue %}"))
            return (self.tag(f"for x in ({self.value()})") + inner + "{{ x }}{{ loop.index }}{{ loop.last }}" + end +
                    self.tag("else") + "E" + self.tag("endfor"))
        if kind == 5:
            return self.tag("set y") + inner + self.tag("endset") + "<{{ y }}|{{ y|title }}|{{ y|capitalize }}>"
        if kind == 6:
            return (self.tag("macro m(p, q=1, r='z')") + inner + "{{ p }}-{{ q }}-{{ r }}" + self.tag("endmacro") +
                    "{{ m(%s)|%s }}" % (self.rng.choice(("1", "n, r=2", "q=s, p=l", "1, 2, 3, 4")), self.rng.choice(("title", "trim", "length"))))
        return self.tag(f"filter {self.rng.choice(('upper', 'trim', 'indent(2)', 'tojson'))}") + inner + self.tag("endfilter")


class Engine:
    def __init__(self):
        self._process = subprocess.Popen([RENDERER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, template, variables=None):
        task = {"template": str(template)} if variables is None else {"template": str(template), "variables": variables}
        self._process.stdin.write(json.dumps(task) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self):
        self._process.communicate()


class ServerWith:
    """A llama-server that runs one template."""

    def __init__(self, template):
        self.server = LlamaServer("templates", context=512, slots=1, vocabulary="qwen3")
        copy = shutil.copy(template, self.server.own_dir())
        self.server._arguments += ["--jinja", "--chat-template-file", self.server.seen(self.server.own_dir() / os.path.basename(copy))]

    def __enter__(self):
        return self.server.start()

    def __exit__(self, *_):
        self.server.stop()


def prepared(messages, abilities):
    """What the server makes of plain conversations before it renders."""
    messages = [dict(message) for message in messages]
    if not abilities["supports_system_role"] and messages[0]["role"] == "system":
        messages[1]["content"] = messages[0]["content"] + "\n" + messages[1]["content"]
        del messages[0]
    if not abilities["supports_string_content"]:
        for message in messages:
            message["content"] = [{"type": "text", "text": message["content"]}]
    return messages


def variables_for(messages, thinking):
    return {"messages": messages, "bos_token": "<|endoftext|>", "eos_token": "<|im_end|>", "add_generation_prompt": True,
            "enable_thinking": thinking, "datetime": time.strftime("%b %d %Y"), "date_string": time.strftime("%d %b %Y"),
            **KEEP_REASONING}


class ChatTemplates(unittest.TestCase):
    def setUp(self):
        self.engine = Engine()
        self.addCleanup(self.engine.close)

    def test_the_templates_of_llama_cpp(self):
        files = sorted((places.FETCHED / "templates").glob("*.jinja"))
        self.assertGreater(len(files), 50)
        for file in files:
            if not CHOSEN or file.stem in CHOSEN:
                with self.subTest(template=file.stem):
                    self.check_template(file)

    def check_template(self, file):
        source = file.read_text()
        with ServerWith(file) as server:
            abilities = server.call("/props").json()["chat_template_caps"]
            self.assertEqual(self.engine.ask(file), abilities)
            for messages in CONVERSATIONS:
                # The server trims contents for this family (StepFun).
                if "functions in JSONSchema format" in source:
                    messages = [{**message, "content": message["content"].strip()} for message in messages]
                answer = server.call("/apply-template", {"messages": messages})
                ours = [self.engine.ask(file, variables_for(prepared(messages, abilities), thinking))
                        for thinking in (True, False)]
                if answer.status == 200:
                    # Whether thinking is on is the server's finding, not the engine's.
                    self.assertIn({"text": answer.json()["prompt"]}, ours)
                else:
                    self.assertIn("error", ours[0])

    def test_generated_snippets(self):
        maker = Maker(SEED)
        snippets = [maker.snippet() for _ in range(SNIPPETS)]
        branches = [f"{{% {'elif' if i else 'if'} case == {i} %}}|{snippet}|" for i, snippet in enumerate(snippets)]
        file = places.work_dir() / "snippets.jinja"
        file.write_text("zz{{ '' }}" + "".join(branches) + "{% endif %}")
        rendered = 0
        with ServerWith(file) as server:
            for case, snippet in enumerate(snippets):
                variables = {**VALUES, "case": case}
                message = {"role": "user", "content": "x"}
                answer = server.call("/apply-template", {"messages": [message], "chat_template_kwargs": variables})
                ours = self.engine.ask(file, {**variables_for([message], True), **variables})
                with self.subTest(snippet=snippet):
                    if answer.status == 200:
                        rendered += 1
                        self.assertEqual(ours, {"text": answer.json()["prompt"]})
                    else:
                        self.assertIn("error", ours)
        self.assertGreater(rendered, SNIPPETS // 4)


if __name__ == "__main__":
    if not RENDERER:
        raise SystemExit("WEIR_RENDERER must name the program render_lines")
    places.main("server", "models")
