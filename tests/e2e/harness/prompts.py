"""Chat requests of many kinds, made from a seed: the same ones every time."""
import json
import random

ENGLISH = "the harbour keeps seven boats and a small crane near its old wall while rain falls on Tuesday".split()
CHINESE = "今天下午三点半，我们在港口检查了潮汐表；请把结果写成一句话，然后告诉船长（如果他还没走）。"
JAPANESE = "いっぱいいっぱいの荷物を運ぶカタカナの船、港はまだ静かです。"
MIXED = ["Привет, мир!", "مرحبا بالعالم", "नमस्ते दुनिया", "cafe\u0301", "Ünïcödé", "한국어 문장입니다", "ไทยภาษา"]
EMOJI = ["🦊", "👩‍👩‍👧‍👦", "🇩🇪", "👍🏽", "⚓️", "🌊🌊🌊"]
CODE = "for (int i = 0; i < 128; ++i) {\n\tbuffer[i] ^= 0xFF;  // flip\n}\n"
SPACES = [" ", "   ", "\n\n\n", "\t", "\r\n", " \n \n", "\u3000", "\u00a0"]
SPECIAL = ["<|im_end|>", "<think>", "</think>", "<tool_call>", "<|endoftext|>"]
NUMBERS = ["3.14159", "1234567890", "2026-03-01", "１２３", "٣٤٥", "½"]


def english(rng, words):
    return " ".join(rng.choice(ENGLISH) for _ in range(words))


def chinese(rng, characters):
    return "".join(rng.choice(CHINESE) for _ in range(characters))


def jumble(rng, pieces):
    """Pieces of every kind in any order, the way nobody writes."""
    kinds = [ENGLISH, list(CHINESE), list(JAPANESE), MIXED, EMOJI, [CODE], SPACES, SPECIAL, NUMBERS]
    return "".join(rng.choice(rng.choice(kinds)) for _ in range(pieces))


def text(rng):
    return rng.choice([
        lambda: english(rng, rng.randint(1, 60)), lambda: chinese(rng, rng.randint(1, 80)),
        lambda: jumble(rng, rng.randint(1, 60)), lambda: CODE * rng.randint(1, 4)])()


def tool(rng, number):
    words = [rng.choice(ENGLISH) for _ in range(3)]
    properties = {word: {"type": rng.choice(["string", "integer", "boolean"]), "description": chinese(rng, 8)}
                  for word in words}
    return {"type": "function", "function": {
        "name": f"tool_{number}", "description": text(rng),
        "parameters": {"type": "object", "properties": properties, "required": words[:1]}}}


def tool_round(rng, number):
    """An assistant turn that calls tools, and their results."""
    calls = [{"id": f"call_{number}_{k}", "type": "function", "function": {
        "name": f"tool_{k}", "arguments": json.dumps({"place": chinese(rng, 4), "count": rng.randint(0, 99)},
                                                     ensure_ascii=rng.random() < 0.5)}}
             for k in range(rng.randint(1, 2))]
    yield {"role": "assistant", "content": rng.choice(["", english(rng, 5)]), "tool_calls": calls}
    for call in calls:
        yield {"role": "tool", "tool_call_id": call["id"], "content": text(rng)}


def turns(rng, with_tools):
    for number in range(rng.randint(0, 4)):
        yield {"role": "user", "content": text(rng)}
        if with_tools and rng.random() < 0.6:
            yield from tool_round(rng, number)
        answer = {"role": "assistant", "content": text(rng)}
        if rng.random() < 0.3:
            answer["reasoning_content"] = text(rng)
        yield answer
    yield {"role": "user", "content": user_content(rng)}


def user_content(rng):
    # One part, not several: servers of different versions join several in different ways.
    return text(rng) if rng.random() < 0.8 else [{"type": "text", "text": text(rng)}]


def request(seed):
    """A chat request; seeds 0, 1, 2, ... give ever different ones."""
    rng = random.Random(seed)
    with_tools = rng.random() < 0.4
    messages = [{"role": "system", "content": text(rng)}] if rng.random() < 0.5 else []
    messages += turns(rng, with_tools)
    body = {"model": "auto", "messages": messages}
    if with_tools:
        body["tools"] = [tool(rng, number) for number in range(rng.randint(1, 4))]
    if rng.random() < 0.2:
        body["chat_template_kwargs"] = {"enable_thinking": rng.random() < 0.5}
    return body


def of_size(words):
    """A plain request of about `words` tokens."""
    return {"model": "auto", "messages": [{"role": "user", "content": english(random.Random(words), words)}]}
