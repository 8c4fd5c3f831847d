"""Chat requests from a seed, of every kind that a chat template may meet.

Most are what a well-made client sends; the others have something odd: roles in a strange order, arguments that are no
object, texts that look like the template's own tokens. A server may refuse those.
"""
import json
import random

TEXTS = ["hi", "What is the weather in Paris?", "  blanks at both ends  ", "\n\nlines\n\n", "", " ", "\n",
         "line one\nline two\r\nline three", "你好，世界", "naïve café e\u0301", "🦊🦊 fox", "ا ب ت", "tab\there",
         "{\"json\": [1, 2.50, true]}", "{{ not.a.template }} {% if x %}", "it's \"quoted\" \\ backslash",
         "<b>bold</b> & <i>more</i>", "a < b > c [d] [/e]", "zero\u200bwidth \u00a0nbsp\u3000wide", "null", "42", "[]",
         "<think>old thoughts</think>the answer", "<think>\nunclosed", "closed</think> later", "x" * 300,
         "The quick brown fox jumps over the lazy dog. " * 5, "\ufeffmark", "\x7f\x1b[0m", "a\u2028b", "Ünïcödé ß İ ı"]
THOUGHTS = ["I think.", " hm \n", "two\nlines", "思考", "<think>nested</think>", "", "a </think> b", "\n\nspace\n"]
NAMES = ["get_weather", "search", "f", "run_code", "ns.tool", "名前"]
VALUES = ["Paris", "", " pad ", "two\nlines", "a \"quote\" \\ '", "日本", "<x>&amp;", 0, 1, -7, 3.5, 40.0, 1e21, 1.5e-7, 0.1,
          123456789012345678, True, False, None, [], {}, [1, "two", None, 3.0], {"deep": {"er": ["x", {"y": 2.25}]}},
          {"": "empty key"}, "1", "true", "null", "[1]", "\u007f", "tab\t"]
KEYS = ["city", "query", "limit", "opts", "code", "ключ", "a b", "x\"y", "<k>"]
EFFORTS = ["low", "medium", "high", "none", "minimal"]


class Generator:
    """`specials` are texts that the template or the vocabulary treats as tokens."""

    def __init__(self, seed, specials):
        self.random = random.Random(seed)
        self.specials = specials or ["<|im_end|>"]

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def pick(self, values):
        return self.random.choice(values)

    # --- texts ---

    def text(self):
        if self.chance(12):
            return self.pick(TEXTS) + self.pick(self.specials) + self.pick(TEXTS)
        if self.chance(20):
            return self.pick(TEXTS) + self.pick([" ", "\n", ""]) + self.pick(TEXTS)
        return self.pick(TEXTS)

    def plain(self):
        """A text that says something."""
        return self.text().strip() or "something"

    def content(self, may_be_odd=True):
        if self.chance(12):
            return [{"type": "text", "text": self.text()} for _ in range(self.random.randint(1, 3))]
        if may_be_odd and self.chance(4):
            return self.pick(["", [], None])
        return self.text() if self.chance(50) else self.plain()

    # --- tools ---

    def arguments(self):
        value = {self.pick(KEYS): self.pick(VALUES) for _ in range(self.random.randint(0, 3))}
        if self.chance(3):
            return self.pick(["", "no json", "{\"cut\": ", "[1, 2]", "5", "\"text\"", "{} ", "null"])
        if self.chance(60):
            return json.dumps(value, ensure_ascii=self.chance(30), indent=self.pick([None, None, 2]))
        return value

    def calls(self):
        calls = []
        for _ in range(self.pick([1, 1, 1, 2, 3])):
            call = {"type": "function", "function": {"name": self.pick(NAMES), "arguments": self.arguments()}}
            if not self.chance(15):
                call["id"] = "".join(self.pick("abcdefghijkABCDEF0123456789") for _ in range(9))
            calls.append(call)
        return calls

    def tool(self):
        properties = {self.pick(KEYS): self.pick([
            {"type": "string", "description": self.text()}, {"type": "integer", "default": 3},
            {"type": "number", "minimum": 0.5, "maximum": 40.0}, {"type": "array", "items": {"type": "string"}},
            {"type": "string", "enum": ["a", "b \"c\""]}, {"type": ["string", "null"]}, {"type": "boolean"},
            {"type": "object", "properties": {"in": {"type": "string"}}, "required": ["in"]},
        ]) for _ in range(self.random.randint(0, 3))}
        function = {"name": self.pick(NAMES)}
        if not self.chance(10):
            function["description"] = self.text()
        if not self.chance(10):
            function["parameters"] = {"type": "object", "properties": properties,
                                      "required": [key for key in properties if self.chance(50)]}
            if self.chance(10):
                function["parameters"]["additionalProperties"] = False
        if self.chance(10):
            function["strict"] = True
        return {"type": "function", "function": function}

    # --- messages ---

    def assistant(self, calls):
        message = {"role": "assistant"}
        if not calls:
            message["content"] = self.content(may_be_odd=False)
        elif self.chance(60):
            message["content"] = self.pick([None, "", self.text()])
        if calls:
            message["tool_calls"] = calls
        if self.chance(35):
            message["reasoning_content"] = self.pick(THOUGHTS)
        return message

    def result(self, call):
        message = {"role": "tool", "content": self.content()}
        if not self.chance(10) and "id" in call:
            message["tool_call_id"] = call["id"]
        if self.chance(30):
            message["name"] = call["function"]["name"]
        return message

    def turn(self, uses_tools):
        """A question and its answer, perhaps over calls of tools."""
        messages = [{"role": "user", "content": self.content()}]
        while uses_tools and self.chance(60) and len(messages) < 9:
            calls = self.calls()
            messages.append(self.assistant(calls))
            results = [self.result(call) for call in calls]
            if self.chance(15):
                self.random.shuffle(results)
            messages += results
        return messages + [self.assistant(None)]

    def messages(self, uses_tools):
        messages = []
        if self.chance(50):
            messages.append({"role": "developer" if self.chance(15) else "system", "content": self.content()})
        for _ in range(self.pick([1, 1, 2, 3])):
            messages += self.turn(uses_tools)
        end = self.random.randint(0, 99)
        if end < 70:
            while messages[-1]["role"] == "assistant":  # the answer is to come
                messages.pop()
        elif end < 75:
            messages[-1] = {"role": "assistant", "content": "", "reasoning_content": self.pick(THOUGHTS)}
        elif end < 78:
            messages[-1] = {"role": "assistant", "content": "" if self.chance(50) else self.plain()}
        if self.chance(6):
            self.random.shuffle(messages)
        if self.chance(2):
            messages.insert(self.random.randint(0, len(messages)), {"role": "system", "content": self.text()})
        return messages

    # --- the request ---

    def variables(self):
        choices = {"enable_thinking": [True, False], "reasoning_effort": EFFORTS, "preserve_reasoning": [True, False],
                   "thinking": [True, False], "preserve_thinking": [True, False], "clear_thinking": [True, False],
                   "date_string": ["1 Jan 2026"], "tools_in_user_message": [False, True], "system_message": ["Be kind."],
                   "documents": [[{"title": "T", "text": "text of it"}]], "xml_tools": [True], "unknown": [{"a": [1]}],
                   "bos_token": ["<bos?>"], "model_identity": ["You are a test."], "thinking_budget": [512, 0, -1],
                   "builtin_tools": [["browser", "python"]], "add_vision_id": [True], "datetime": ["now"]}
        names = self.random.sample(sorted(choices), self.pick([1, 1, 2, 3]))
        return {name: self.pick(choices[name]) for name in names}

    def request(self):
        uses_tools = self.chance(45)
        request = {"messages": self.messages(uses_tools)}
        if uses_tools and not self.chance(15):
            request["tools"] = [self.tool() for _ in range(self.random.randint(1, 3))]
        if self.chance(25):
            request["chat_template_kwargs"] = {"enable_thinking": self.chance(50)}
        elif self.chance(15):
            request["chat_template_kwargs"] = self.variables()
        if self.chance(10):
            request["reasoning_effort"] = self.pick(EFFORTS)
        if self.chance(4):
            request["add_generation_prompt"] = self.chance(30)
        if self.chance(4):
            request["continue_final_message"] = self.pick([True, "content", "reasoning_content", False])
            request["add_generation_prompt"] = False
        if self.chance(4):
            request["tool_choice"] = self.pick(["auto", "none", "required"])
        if self.chance(3):
            request["parallel_tool_calls"] = self.chance(50)
        if self.chance(3):
            request["response_format"] = self.pick([
                {"type": "json_object"}, {"type": "text"},
                {"type": "json_schema", "json_schema": {"name": "s", "schema": {
                    "type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}}}])
        return request
