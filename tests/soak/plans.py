"""What an answer must be. A request carries its plan in its prompt; the upstreams and the client work the same bytes out of it."""
import dataclasses
import json
import random
import re
import time

from harness.upstream import EVENT

_MARK = re.compile(rb"soak:(\d+):([a-z0-9-]+):(\d+);")
WORDS_PER_LONG_PROMPT = 3000  # above the threshold of 1,000 tokens

# What only the local server does before its first byte; the cloud then answers in its place.
LOCAL_FAULTS = ("reset", "close", "half-head", "status-500", "status-503", "context", "context-event")


@dataclasses.dataclass(frozen=True)
class Plan:
    number: int
    kind: str = "answer"  # "answer", "silent", "break", or one of LOCAL_FAULTS
    size: int = 1  # events of a stream, kilobytes of another answer

    def request(self, stream=False, long=False):
        text = f"soak:{self.number}:{self.kind}:{self.size};" + (" river" * WORDS_PER_LONG_PROMPT if long else "")
        return json.dumps({"model": "auto", "stream": stream, "messages": [{"role": "user", "content": text}]}).encode()

    def events(self):
        numbers = random.Random(self.number)
        return [EVENT % f"{numbers.getrandbits(8 * numbers.randint(1, 200)):x}" for _ in range(self.size)]

    def stream(self):
        return "".join(self.events()).encode() + b"data: [DONE]\n\n"

    def answer(self):
        text = f"{random.Random(self.number).getrandbits(8 * 512 * self.size):x}"
        return json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}], "plan": self.number}).encode()


def plan_of(body):
    number, kind, size = _MARK.search(body).groups()
    return Plan(int(number), kind.decode(), int(size))


def _stream(exchange, plan, events):
    pauses = random.Random(-plan.number)
    exchange.begin_stream()
    for event in plan.events()[:events]:
        exchange.chunk(event)
        if pauses.random() < 0.1:
            time.sleep(pauses.random() / 50)


def _fault(exchange, kind):
    overflow = {"error": {"code": 400, "type": "exceed_context_size_error", "message": "too long", "n_prompt_tokens": 9, "n_ctx": 8}}
    if kind == "reset":
        exchange.reset()
    elif kind == "close":
        exchange.close()
    elif kind == "half-head":
        exchange.send("HTTP/1.1 200 OK\r\nContent-Ty")
        exchange.close()
    elif kind == "status-500":
        exchange.answer(500, {"error": {"code": 500, "type": "server_error", "message": "broken"}})
    elif kind == "status-503":
        exchange.answer(503, {"error": {"code": 503, "type": "unavailable_error", "message": "Loading model"}})
    elif kind == "context":
        exchange.answer(400, overflow)
    else:
        exchange.begin_stream()
        exchange.chunk(f"data: {json.dumps(overflow)}\n\n")
        exchange.send("0\r\n\r\n")


def play(exchange):
    """The script of both upstreams."""
    plan = plan_of(exchange.request.body)
    is_stream = b'"stream": true' in exchange.request.body
    if plan.kind in LOCAL_FAULTS and exchange.upstream.name == "L":
        _fault(exchange, plan.kind)
    elif plan.kind == "silent":
        exchange.wait_gone()
    elif plan.kind == "break":
        _stream(exchange, plan, plan.size // 2)
        exchange.close()  # no reset: that may overtake events, and with the first of them the fallback would come
    elif is_stream:
        _stream(exchange, plan, plan.size)
        exchange.end_stream()
    else:
        exchange.answer(body=plan.answer())
