// The npm package openai against weir. Run by test_openai_node.py from the directory where the package is installed:
//     node chat.mjs BASE_URL
// Prints one line a check and exits 1 at the first that fails.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(`${process.cwd()}/`);
const { default: OpenAI } = await import(pathToFileURL(require.resolve("openai")));

const base = process.argv[2];
const client = new OpenAI({ baseURL: `${base}/v1`, apiKey: "client-key-canary-3", maxRetries: 0, timeout: 60_000 });

const short = [{ role: "user", content: "Name three knots. 再说一个中文名字。" }];
const long = [{ role: "user", content: "river ".repeat(3000) }];
const fixed = { model: "auto", temperature: 0, max_tokens: 12 };
const lamp = {
  type: "function",
  function: {
    name: "set_lamp",
    description: "Turns the lamp on or off.",
    parameters: { type: "object", properties: { on: { type: "boolean" } }, required: ["on"] },
  },
};
// A random model calls no tool by itself: token 248058 is <tool_call>, the grammar does the rest.
const callsLamp = {
  ...fixed, messages: short, tools: [lamp], tool_choice: "required", parallel_tool_calls: false, max_tokens: 60,
  logit_bias: { 248058: 100 }, chat_template_kwargs: { enable_thinking: false },
};

async function textOf(stream) {
  let text = "", usage = null;
  for await (const chunk of stream) {
    const delta = chunk.choices[0]?.delta ?? {};
    text += (delta.reasoning_content ?? "") + (delta.content ?? "");
    usage = chunk.usage ?? usage;
  }
  return { text, usage };
}

function textIn(completion) {
  const message = completion.choices[0].message;
  return (message.reasoning_content ?? "") + (message.content ?? "");
}

const checks = {
  async "chat: short prompt, answered by the local server"() {
    const { data, response } = await client.chat.completions.create({ ...fixed, messages: short }).withResponse();
    assert.equal(response.headers.get("x-weir-route"), "local.llamacpp");
    assert.equal(response.headers.get("x-weir-prompt-tokens"), String(data.usage.prompt_tokens));
    assert.ok(textIn(data).length > 0);
  },
  async "chat: long prompt, answered by the cloud"() {
    const { data, response } = await client.chat.completions.create({ ...fixed, messages: long }).withResponse();
    assert.equal(response.headers.get("x-weir-route"), "provider.cloud");
    assert.equal(data.model, "claude-3-5-sonnet");
  },
  async "stream: the same text as without, and usage at its end"() {
    const options = { ...fixed, messages: short, cache_prompt: false };
    const whole = await client.chat.completions.create(options);
    const stream = await client.chat.completions.create(
      { ...options, stream: true, stream_options: { include_usage: true } });
    const { text, usage } = await textOf(stream);
    assert.equal(text, textIn(whole));
    assert.equal(usage.prompt_tokens, whole.usage.prompt_tokens);
  },
  async "stream: left by the client, the next request is answered"() {
    const stream = await client.chat.completions.create({ ...fixed, messages: short, stream: true, max_tokens: 2000 });
    for await (const _ of stream) break;
    assert.ok(textIn(await client.chat.completions.create({ ...fixed, messages: short })).length > 0);
  },
  async "tools: a call in one piece"() {
    const completion = await client.chat.completions.create(callsLamp);
    const [call] = completion.choices[0].message.tool_calls;
    assert.equal(completion.choices[0].finish_reason, "tool_calls");
    assert.equal(call.function.name, "set_lamp");
    assert.equal(typeof JSON.parse(call.function.arguments).on, "boolean");
  },
  async "tools: a call in a stream, put together by the SDK"() {
    const completion = await client.chat.completions.stream(callsLamp).finalChatCompletion();
    const [call] = completion.choices[0].message.tool_calls;
    assert.equal(call.function.name, "set_lamp");
    assert.equal(typeof JSON.parse(call.function.arguments).on, "boolean");
  },
  async "models: auto and the aliases are listed"() {
    const names = [];
    for await (const model of client.models.list()) names.push(model.id);
    for (const name of ["auto", "Qwen3.5-tiny", "long_context"]) assert.ok(names.includes(name), `${name} in ${names}`);
  },
  async "error: wrong path is NotFoundError"() {
    const lost = new OpenAI({ baseURL: `${base}/v2`, apiKey: "x", maxRetries: 0 });
    await assert.rejects(lost.chat.completions.create({ ...fixed, messages: short }), (error) =>
      error instanceof OpenAI.NotFoundError && error.code === "not_found" && error.message.length > 10);
  },
  async "error: no messages is BadRequestError"() {
    await assert.rejects(client.chat.completions.create({ ...fixed }), (error) =>
      error instanceof OpenAI.BadRequestError && error.status === 400 && error.type === "invalid_request_error");
  },
  async "error: a fault that the server finds is its own BadRequestError"() {
    await assert.rejects(client.chat.completions.create({ ...fixed, messages: short, temperature: "hot" }), (error) =>
      error instanceof OpenAI.BadRequestError && /temperature/.test(error.message));
  },
};

for (const [name, check] of Object.entries(checks)) {
  await check();
  console.log(`ok ${name}`);
}
