#!/usr/bin/env python3
"""weir between a client and two real llama-servers: "local" over HTTP, "cloud" with a key behind TLS.

The models write noise, but the same noise every time: temperature 0 and no prompt cache. What differs between two
runs of the same request (ids, times) is taken out before answers are compared.
"""
import json
import os
import random
import socket
import threading
import unittest

from harness import certificates, daemon, pair, places, prompts
from harness.pair import CLIENT_KEY, CLOUD_KEY, CLOUD_MODEL, LOCAL_KEY, LOCAL_MODEL
from harness.processes import wait_until

LOCAL, CLOUD = "local.llamacpp", "provider.cloud"  # as X-Weir-Route names them
GENERATED = int(os.environ.get("WEIR_E2E_GENERATED", 120))

# What these count as depends on the version of llama-server: text parts are joined by a newline or by nothing
# (/props says which: supports_typed_content), and 40.0 in tool arguments is written "40" or "40.0".
VERSION_DEPENDENT = {"content_parts_three": {32, 35}, "nested_arguments": {537, 539}}


def fixed(body, **more):
    """The request with everything that makes its answer the same each time."""
    return {"temperature": 0, "seed": 1, "cache_prompt": False, "max_tokens": 12, **body, **more}


def without_volatile(value):
    """An answer or event without what differs from run to run."""
    if isinstance(value, list):
        return [without_volatile(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {key: without_volatile(item) for key, item in value.items() if key not in ("created", "id", "timings")}
    return kept


def events_of(answer):
    return [event if event == "[DONE]" else without_volatile(json.loads(event)) for event in answer.events()]


def headers_of(answer):
    """Names and values that weir must leave alone, in order."""
    own = {"x-request-id", "cache-control", "x-accel-buffering"}
    of_the_hop = {"connection", "keep-alive", "transfer-encoding", "content-length"}
    return [(name.lower(), value) for name, value in answer.headers
            if name.lower() not in own | of_the_hop and not name.lower().startswith("x-weir-")]


class Recorder:
    """A TCP relay that keeps what goes to the server, to see what weir really sends."""

    def __init__(self, port):
        self.target = port
        self.seen = bytearray()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.target))
            back = threading.Thread(target=self._pump, args=(far, near, bytearray()), daemon=True)
            back.start()
            threading.Thread(target=self._relay, args=(near, far, back), daemon=True).start()

    def _relay(self, near, far, back):
        with near, far:
            self._pump(near, far, self.seen)
            back.join()

    @staticmethod
    def _pump(source, sink, copy):
        try:
            while data := source.recv(65536):
                copy += data
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def close(self):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


class WithCloud(unittest.TestCase):
    """The cloud runs for the whole test program: it is the same for all tests."""

    @classmethod
    def setUpClass(cls):
        if not hasattr(WithCloud, "cloud"):
            WithCloud.cloud = pair.cloud_server().start()
            unittest.addModuleCleanup(WithCloud.cloud.stop)

    def weir_for(self, local_url, ready=False, **routing):
        weir = daemon.Weir(pair.tables(local_url, self.cloud.url, self.cloud.ca_file, **routing)).start()
        self.addCleanup(weir.stop)
        if ready:
            pair.wait_for_context(weir)
        return weir

    def assert_route(self, answer, route, reason):
        self.assertEqual(answer.status, 200, answer.body[:500])
        self.assertEqual((answer.header("X-Weir-Route"), answer.header("X-Weir-Reason")), (route, reason))


class Routing(WithCloud):
    """Both servers up, one weir for all tests."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.local = pair.local_server().start()
        cls.addClassCleanup(cls.local.stop)
        cls.recorder = Recorder(cls.local.port)
        cls.addClassCleanup(cls.recorder.close)
        url = f"http://127.0.0.1:{cls.recorder.port}"
        cls.weir = daemon.Weir(pair.tables(url, cls.cloud.url, cls.cloud.ca_file)).start()
        cls.addClassCleanup(cls.weir.stop)
        pair.wait_for_context(cls.weir)

    def both(self, server, body):
        """The same request straight to `server` and through weir."""
        return server.call("/v1/chat/completions", body), self.weir.chat(body)

    def assert_same(self, server, body):
        straight, through = self.both(server, body)
        self.assertEqual(through.status, straight.status)
        self.assertEqual(headers_of(through), headers_of(straight))
        self.assertEqual(without_volatile(through.json()), without_volatile(straight.json()))
        return through

    def assert_same_stream(self, server, body):
        straight, through = self.both(server, {**body, "stream": True, "stream_options": {"include_usage": True}})
        self.assertEqual(through.status, straight.status)
        self.assertEqual(headers_of(through), headers_of(straight))
        self.assertEqual(events_of(through), events_of(straight))
        self.assertEqual(through.events()[-1], "[DONE]")
        return through

    def test_short_prompt_stays_local(self):
        answer = self.assert_same(self.local, fixed(prompts.of_size(20)))
        self.assert_route(answer, LOCAL, "short")
        self.assertEqual(answer.json()["model"], LOCAL_MODEL)

    def test_short_stream_stays_local(self):
        answer = self.assert_same_stream(self.local, fixed(prompts.of_size(20)))
        self.assert_route(answer, LOCAL, "short")

    def test_long_prompt_goes_to_the_cloud(self):
        answer = self.assert_same(self.cloud, fixed(prompts.of_size(3000)))
        self.assert_route(answer, CLOUD, "long")
        self.assertEqual(answer.json()["model"], CLOUD_MODEL)

    def test_long_stream_goes_to_the_cloud(self):
        answer = self.assert_same_stream(self.cloud, fixed(prompts.of_size(3000)))
        self.assert_route(answer, CLOUD, "long")

    def test_prompt_and_output_beyond_the_local_context_go_to_the_cloud(self):
        answer = self.weir.chat(fixed(prompts.of_size(1500), max_tokens=3500, stop=[" "]))
        self.assert_route(answer, CLOUD, "no_room")

    def test_tools_pass_in_both_forms(self):
        body = fixed(prompts.of_size(20), tools=[prompts.tool(random.Random(1), 0)], max_tokens=40)
        self.assert_same(self.local, body)
        self.assert_same_stream(self.local, body)

    def test_error_of_the_local_server_passes(self):
        straight, through = self.both(self.local, fixed(prompts.of_size(5), temperature="hot"))
        self.assertEqual(straight.status, 400)
        self.assertEqual((through.status, through.body), (straight.status, straight.body))

    def test_client_key_goes_nowhere_and_each_server_gets_its_own(self):
        keys = {"Authorization": f"Bearer {CLIENT_KEY}", "X-Api-Key": CLIENT_KEY, "Cookie": f"session={CLIENT_KEY}"}
        before = len(self.recorder.seen)
        for words in (5, 3000):  # the servers refuse any other key than theirs
            self.assertEqual(self.weir.chat(fixed(prompts.of_size(words)), keys).status, 200)
        sent = bytes(self.recorder.seen[before:])
        self.assertIn(LOCAL_KEY.encode(), sent)
        self.assertNotIn(CLIENT_KEY.encode(), sent)
        self.assertNotIn(CLOUD_KEY.encode(), bytes(self.recorder.seen))

    def test_log_and_status_hold_no_key_and_no_text(self):
        canary = "zanzibar"
        body = fixed({"messages": [{"role": "user", "content": f"say {canary}"}]})
        self.weir.chat(body, {"Authorization": f"Bearer {CLIENT_KEY}"})
        for text in (self.weir.log(), self.weir.call("/weir/status").body.decode()):
            for secret in (canary, CLIENT_KEY, LOCAL_KEY, CLOUD_KEY):
                self.assertNotIn(secret, text)

    def test_models_lists_what_routing_accepts(self):
        names = [model["id"] for model in self.weir.call("/v1/models").json()["data"]]
        for name in ("auto", LOCAL_MODEL, "long_context", "fast_chat"):
            self.assertIn(name, names)


class Counting(WithCloud):
    """The number in X-Weir-Prompt-Tokens is the server's own usage.prompt_tokens, whatever the request."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.local = pair.local_server("counting", context=16384).start()
        cls.addClassCleanup(cls.local.stop)
        cls.weir = daemon.Weir(pair.tables(cls.local.url, cls.cloud.url, cls.cloud.ca_file)).start()
        cls.addClassCleanup(cls.weir.stop)
        pair.wait_for_context(cls.weir)

    def assert_counted(self, name, request):
        """One token of output is asked for; the prompt is what matters."""
        body = {**request, "max_tokens": 1, "temperature": 0, "stream": False}
        answer = self.weir.chat(body)
        self.assertEqual(answer.status, 200, (name, answer.body[:500]))
        told, used = answer.header("X-Weir-Prompt-Tokens"), answer.json()["usage"]["prompt_tokens"]
        if name in VERSION_DEPENDENT:
            self.assertLessEqual({int(told.lstrip("~")), used}, VERSION_DEPENDENT[name])
        else:
            self.assertEqual(told, str(used), name)
        return used

    def test_recorded_conversations(self):
        with open(places.vectors("chat_prompt_tokens.qwen35.jsonl"), encoding="utf-8") as lines:
            cases = [json.loads(line) for line in lines]
        self.assertGreater(len(cases), 50)
        for case in cases:
            with self.subTest(case["name"]):
                used = self.assert_counted(case["name"], case["request"])
                if case["name"] not in VERSION_DEPENDENT:
                    self.assertEqual(used, case["prompt_tokens"])

    def test_generated_conversations(self):
        for seed in range(GENERATED):
            with self.subTest(seed=seed):
                self.assert_counted(f"seed {seed}", prompts.request(seed))

    def test_long_conversations(self):
        for words in (500, 1999, 2001, 8000, 20000):
            with self.subTest(words=words):
                self.assert_counted(f"{words} words", prompts.of_size(words))

    def test_count_command(self):
        for seed in range(0, GENERATED, 6):
            with self.subTest(seed=seed):
                request = prompts.request(seed)
                self.assertEqual(daemon.count(request), self.local.count(request))


class CountingQwen3(WithCloud):
    """The other built-in vocabulary, chosen by the name of the local model."""

    def test_generated_conversations(self):
        local = pair.local_server("qwen3", vocabulary="qwen3", alias="Qwen3-tiny", context=16384).start()
        self.addCleanup(local.stop)
        # The cloud counts in its own way: everything has to stay local.
        tables = pair.tables(local.url, self.cloud.url, self.cloud.ca_file, threshold_tokens=14000)
        tables["local.llamacpp"]["model"] = "Qwen3-tiny"
        weir = daemon.Weir(tables).start()
        self.addCleanup(weir.stop)
        pair.wait_for_context(weir)
        for seed in range(GENERATED // 3):
            with self.subTest(seed=seed):
                answer = weir.chat({**prompts.request(seed), "max_tokens": 1, "temperature": 0})
                self.assertEqual(answer.status, 200, answer.body[:500])
                self.assertEqual(answer.header("X-Weir-Prompt-Tokens"), str(answer.json()["usage"]["prompt_tokens"]))


class Fallback(WithCloud):
    """Short prompts when the local server cannot answer them."""

    def test_local_killed(self):
        local = pair.local_server("killed").start()
        self.addCleanup(local.stop)
        weir = self.weir_for(local.url, ready=True)
        self.assert_route(weir.chat(fixed(prompts.of_size(5))), LOCAL, "short")
        local.process.kill()
        for stream in (False, True):
            self.assert_route(weir.chat(fixed(prompts.of_size(5), stream=stream)), CLOUD, "fallback_down")
        local.start()
        wait_until(lambda: weir.chat(fixed(prompts.of_size(5))).header("X-Weir-Route") == LOCAL, 20,
                   "weir goes back to the local server")

    def test_local_loading(self):
        local = pair.local_server("loading")
        self.addCleanup(local.stop)
        # A pipe that nobody writes to: the server listens and never gets its model.
        pipe = local.own_dir() / "never.gguf"
        os.mkfifo(pipe)
        local._arguments[1] = local.seen(pipe)
        local.start(wait=False)
        wait_until(lambda: self._says_loading(local), 20, "the server says that it is loading")
        weir = self.weir_for(local.url)
        for stream in (False, True):
            self.assert_route(weir.chat(fixed(prompts.of_size(5), stream=stream)), CLOUD, "fallback_loading")

    @staticmethod
    def _says_loading(local):
        try:
            return local.call("/health").status == 503
        except OSError:
            return False

    def test_context_exceeded(self):
        local = pair.local_server("small").start()
        self.addCleanup(local.stop)
        weir = self.weir_for(local.url, ready=True, threshold_tokens=20000, reserve_output=False)
        body = fixed(prompts.of_size(5000))
        self.assertEqual(local.call("/v1/chat/completions", body).json()["error"]["type"], "exceed_context_size_error")
        for stream in (False, True):
            self.assert_route(weir.chat({**body, "stream": stream}), CLOUD, "fallback_context")

    def test_pinned_request_does_not_leave(self):
        weir = self.weir_for("http://127.0.0.1:1")
        answer = weir.chat(fixed(prompts.of_size(5), model="local/x"))
        self.assertEqual((answer.status, answer.header("X-Weir-Error")), (502, "upstream_unreachable"))


class Certificate(WithCloud):
    """TLS to the cloud checks certificate and name."""

    def refuse(self, cloud_url, ca_file):
        weir = daemon.Weir(pair.tables("http://127.0.0.1:1", cloud_url, ca_file)).start()
        self.addCleanup(weir.stop)
        answer = weir.chat(fixed(prompts.of_size(3000)))
        self.assertEqual((answer.status, answer.header("X-Weir-Error")), (502, "upstream_unreachable"))
        self.assertNotIn(CLOUD_KEY, answer.body.decode() + weir.log())

    def test_unknown_authority_is_refused(self):
        other = certificates.Authority(places.work_dir() / "other-ca", "another test CA")
        self.refuse(self.cloud.url, other.file)

    def test_other_name_is_refused(self):
        self.refuse(f"https://127.0.0.1:{self.cloud.port}", self.cloud.ca_file)


if __name__ == "__main__":
    places.main("server", "models")
