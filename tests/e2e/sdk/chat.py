"""The PyPI package openai against weir. Run by test_openai_python.py with the interpreter that has the package:

    python chat.py BASE_URL

Prints one line a check and fails at the first that is wrong.
"""
import json
import sys

import openai

BASE = sys.argv[1]
CLIENT = openai.OpenAI(base_url=f"{BASE}/v1", api_key="client-key-canary-3", max_retries=0, timeout=60)

SHORT = [{"role": "user", "content": "Name three knots. 再说一个中文名字。"}]
LONG = [{"role": "user", "content": "river " * 3000}]
FIXED = {"model": "auto", "temperature": 0, "max_tokens": 12}
LAMP = {"type": "function", "function": {
    "name": "set_lamp", "description": "Turns the lamp on or off.",
    "parameters": {"type": "object", "properties": {"on": {"type": "boolean"}}, "required": ["on"]}}}
# A random model calls no tool by itself: token 248058 is <tool_call>, the grammar does the rest.
CALLS_LAMP = {**FIXED, "messages": SHORT, "tools": [LAMP], "tool_choice": "required", "parallel_tool_calls": False,
              "max_tokens": 60, "logit_bias": {"248058": 100},
              "extra_body": {"chat_template_kwargs": {"enable_thinking": False}}}


def chat(**options):
    return CLIENT.chat.completions.create(**options)


def text_of(message):
    return (getattr(message, "reasoning_content", None) or "") + (message.content or "")


def short_prompt_is_answered_by_the_local_server():
    raw = CLIENT.chat.completions.with_raw_response.create(messages=SHORT, **FIXED)
    completion = raw.parse()
    assert raw.headers["x-weir-route"] == "local.llamacpp"
    assert raw.headers["x-weir-prompt-tokens"] == str(completion.usage.prompt_tokens)
    assert text_of(completion.choices[0].message)


def long_prompt_is_answered_by_the_cloud():
    raw = CLIENT.chat.completions.with_raw_response.create(messages=LONG, **FIXED)
    assert raw.headers["x-weir-route"] == "provider.cloud"
    assert raw.parse().model == "claude-3-5-sonnet"


def stream_has_the_same_text_and_usage():
    options = {**FIXED, "messages": SHORT, "extra_body": {"cache_prompt": False}}
    whole = chat(**options)
    chunks = list(chat(stream=True, stream_options={"include_usage": True}, **options))
    text = "".join(text_of(chunk.choices[0].delta) for chunk in chunks if chunk.choices)
    assert text == text_of(whole.choices[0].message)
    assert chunks[-1].usage.prompt_tokens == whole.usage.prompt_tokens


def stream_left_by_the_client_harms_nothing():
    with chat(messages=SHORT, stream=True, **{**FIXED, "max_tokens": 2000}) as stream:
        next(iter(stream))
    assert text_of(chat(messages=SHORT, **FIXED).choices[0].message)


def tool_call_in_one_piece():
    choice = chat(**CALLS_LAMP).choices[0]
    call = choice.message.tool_calls[0].function
    assert (choice.finish_reason, call.name) == ("tool_calls", "set_lamp")
    assert isinstance(json.loads(call.arguments)["on"], bool)


def tool_call_in_a_stream():
    name = arguments = ""
    for chunk in chat(stream=True, **CALLS_LAMP):
        for call in (chunk.choices[0].delta.tool_calls or []) if chunk.choices else []:
            name += call.function.name or ""
            arguments += call.function.arguments or ""
    assert name == "set_lamp" and isinstance(json.loads(arguments)["on"], bool)


def models_are_listed():
    names = [model.id for model in CLIENT.models.list()]
    assert {"auto", "Qwen3.5-tiny", "long_context"} <= set(names), names


def failure(expected, client=CLIENT, **options):
    try:
        client.chat.completions.create(**{**FIXED, **options})
    except expected as error:
        return error
    raise AssertionError(f"{expected.__name__} was expected")


def wrong_path_is_not_found():
    lost = openai.OpenAI(base_url=f"{BASE}/v2", api_key="x", max_retries=0)
    assert failure(openai.NotFoundError, lost, messages=SHORT).code == "not_found"


def no_messages_is_a_bad_request():
    assert failure(openai.BadRequestError, messages=openai.omit, extra_body={}).type == "invalid_request_error"


def fault_that_the_server_finds_is_its_own():
    assert "temperature" in failure(openai.BadRequestError, messages=SHORT, temperature="hot").message


CHECKS = [
    short_prompt_is_answered_by_the_local_server, long_prompt_is_answered_by_the_cloud,
    stream_has_the_same_text_and_usage, stream_left_by_the_client_harms_nothing, tool_call_in_one_piece,
    tool_call_in_a_stream, models_are_listed, wrong_path_is_not_found, no_messages_is_a_bad_request,
    fault_that_the_server_finds_is_its_own,
]

for check in CHECKS:
    check()
    print("ok", check.__name__.replace("_", " "), flush=True)
