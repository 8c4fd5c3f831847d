#!/usr/bin/env python3
"""How far counts and estimates are from the real number of tokens: the table of docs/tokenizer.md.

    tests/bench/accuracy.py DIR WEIR      DIR as fetch_texts.sh left it, WEIR the program

The real number is that of a real llama-server with Qwen3.5's vocabulary (WEIR_E2E_DIR, made by tests/e2e/prepare.sh):
/tokenize for texts, /v1/chat/completions/input_tokens for the chat. Beside it: weir's own count, characters / 4, and the
counts of OpenAI's vocabularies o200k and cl100k, which other programs use for any model. Exit code: 1 when a count of
weir's differs.
"""
import base64
import json
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import corpora  # noqa: E402
import handbook  # noqa: E402
from harness import llama, places  # noqa: E402

SIZE = 20_000  # bytes of each text
LANGUAGES = {"English": "en-US", "German": "de-DE", "French": "fr-FR", "Russian": "ru-RU", "Arabic": "ar-MA",
             "Japanese": "ja-JP", "Korean": "ko-KR", "Chinese": "zh-CN"}
# The book has no Hindi.
HINDI = """
नदी के किनारे एक छोटा सा गाँव है, जहाँ लोग सुबह जल्दी उठते हैं और खेतों में काम करने जाते हैं। बरसात के दिनों में पानी इतना बढ़ जाता है कि
पुराना पुल डूब जाता है, इसलिए पिछले साल गाँव वालों ने मिलकर एक नया बाँध बनाया। बाँध के पीछे पानी धीरे-धीरे जमा होता है, और जब वह बहुत ऊँचा
हो जाता है तब ऊपर से बहकर दूसरी नहर में चला जाता है। इस तरह न तो खेत सूखते हैं और न ही घरों में पानी भरता है।
गाँव के स्कूल में तीस बच्चे पढ़ते हैं। उनकी अध्यापिका हर शुक्रवार को उन्हें पुस्तकालय ले जाती हैं, जहाँ वे विज्ञान, इतिहास और कविता की किताबें चुनते हैं।
कुछ बच्चों को कंप्यूटर में रुचि है, और वे एक पुरानी मशीन पर छोटे-छोटे प्रोग्राम लिखना सीख रहे हैं। वे कहते हैं कि जो सवाल छोटा हो उसका जवाब घर की
मशीन से मिल जाता है, पर जो सवाल बहुत लंबा हो उसे शहर के बड़े कंप्यूटर को भेजना पड़ता है।
शाम को चाय की दुकान पर लोग इकट्ठा होते हैं और दिन भर की बातें करते हैं। कोई मौसम के बारे में बताता है, कोई बाज़ार के भाव के बारे में, और कोई अपने
बेटे की चिट्ठी पढ़कर सुनाता है जो दूर के शहर में नौकरी करता है। रात होते-होते दीये जल उठते हैं, और नदी का शोर दूर तक सुनाई देता है।
"""


def prose(directory, language):
    return corpora.joined(handbook.paragraphs(directory, language), SIZE)


def texts(directory):
    rng = random.Random(corpora.SEED)
    by_language = {name: prose(directory, language) for name, language in LANGUAGES.items()}
    by_language["Hindi"] = HINDI
    yield from by_language.items()
    parts = [text[at:at + 300] for text in by_language.values() for at in range(0, 1800, 300)]
    rng.shuffle(parts)
    yield "all languages mixed", "\n".join(parts)
    yield "code", corpora.joined(corpora.source_files(rng), SIZE)
    words = by_language["English"].split()
    yield "JSON", corpora.joined(corpora.endless(lambda: corpora.records(words, rng)), SIZE)
    yield "base64", base64.b64encode(rng.randbytes(SIZE * 3 // 4)).decode()
    yield "numbers", ", ".join(str(round(rng.uniform(-1e6, 1e6), rng.randint(0, 6))) for _ in range(SIZE // 12))


def chat_with_tools(directory):
    """A conversation in which tools are called, as an agent has it."""
    rng = random.Random(corpora.SEED)
    words = prose(directory, "en-US").split()
    english = handbook.paragraphs(directory, "en-US")
    tools = [{"type": "function", "function": {
        "name": name, "description": english[at][:120],
        "parameters": {"type": "object", "required": ["query"], "properties": {
            "query": {"type": "string", "description": english[at + 1][:80]}, "limit": {"type": "integer"}}}}}
        for at, name in enumerate(["search_files", "read_page", "run_query"])]
    messages = [{"role": "system", "content": english[9]}]
    for turn in range(8):
        call = {"id": f"call_{turn}", "type": "function", "function": {
            "name": "search_files", "arguments": json.dumps({"query": " ".join(rng.sample(words, 3)), "limit": turn})}}
        messages += [{"role": "user", "content": english[20 + turn]},
                     {"role": "assistant", "content": "", "tool_calls": [call]},
                     {"role": "tool", "tool_call_id": call["id"], "content": corpora.records(words, rng)[:1500]},
                     {"role": "assistant", "content": english[40 + turn]}]
    messages.append({"role": "user", "content": english[60]})
    return {"messages": messages, "tools": tools}


def weir_count(weir, tokenizer, data, *options):
    run = subprocess.run([weir, "count", *options, "--tokenizer", tokenizer, "-"], input=data.encode(),
                         stdout=subprocess.PIPE, check=True)
    return int(run.stdout)


def error(count, real):
    return "exact" if count == real else f"{100 * (count - real) / real:+.1f} %"


def row(name, data, chars, real, weir, *options):
    ours = weir_count(weir, "qwen3.5", data, *options)
    others = [round(chars / 4), weir_count(weir, "cl100k", data, *options), weir_count(weir, "o200k", data, *options)]
    print(f"| {name} | {real:,} | " + " | ".join(error(count, real) for count in [ours, *others]) + " |", flush=True)
    return ours == real


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    directory, weir = pathlib.Path(sys.argv[1]), sys.argv[2]
    places.require("server", "models")
    server = llama.LlamaServer("accuracy", context=32768, slots=1).start()
    try:
        print("| text | tokens | weir | characters / 4 | cl100k | o200k |\n| --- | --- | --- | --- | --- | --- |")
        all_exact = True
        for name, text in texts(directory):
            answer = server.call("/tokenize", {"content": text})
            all_exact &= row(name, text, len(text), len(answer.json()["tokens"]), weir, "--text")
        request = chat_with_tools(directory)
        body = json.dumps(request, ensure_ascii=False)
        all_exact &= row("chat with tools", body, len(body), server.count(request), weir)
    finally:
        server.stop()
    sys.exit(0 if all_exact else 1)


main()
