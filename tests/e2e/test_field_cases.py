#!/usr/bin/env python3
"""What goes wrong in the field, replayed against the real binary. Each test is named for its case, e.g. S-02.

L is a scripted local server, C a scripted cloud behind TLS, with a threshold of 1,000 tokens.
"""
import os
import signal
import socket
import threading
import time
import unittest

from harness import certificates, client, daemon, places
from harness.processes import Process, free_port, wait_until
from harness.rawclient import RawClient, header_of, status_of, unchunk
from harness.upstream import EVENT, Upstream, reset

CLIENT_KEY = "client-key-canary-1"
CLOUD_KEY = "cloud-key-canary-2"
SHORT = {"model": "auto", "messages": [{"role": "user", "content": "ping"}]}
LONG = {"model": "auto", "messages": [{"role": "user", "content": "river " * 3000}]}
STREAM = {**SHORT, "stream": True}


def silent(exchange):
    exchange.wait_gone()


class FieldCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not hasattr(FieldCase, "authority"):
            FieldCase.authority = certificates.Authority(places.work_dir() / "ca")
            FieldCase.pair = FieldCase.authority.issue("localhost", "cloud.test")

    def upstreams(self, local=None, cloud=None, **options):
        """L and C with the scripts given."""
        self.L = Upstream("L", **({"script": local} if local else {}))
        self.C = Upstream("C", certificate=self.pair, **({"script": cloud} if cloud else {}), **options)
        self.addCleanup(self.L.close)
        self.addCleanup(self.C.close)

    def start(self, local_url=None, local=None, provider=None, wait=True, **tables):
        """weir between L and C; the keyword tables are added to the configuration."""
        weir = daemon.Weir({
            "provider.c": {"base_url": self.C.url, "api_key": CLOUD_KEY, "ca_file": str(self.authority.file),
                           **(provider or {})},
            "provider.c.models": {"long_context": "cloud-model"},
            "local.l": {"base_url": (local_url or self.L.url) + "/v1", "model": "local-model", **(local or {})},
            "routing": {"threshold_tokens": 1000, "long_route": "c", "short_route": "local",
                        **tables.pop("routing", {})},
            **tables})
        self.addCleanup(weir.stop)
        return weir.start() if wait else weir

    def client(self, weir):
        client = RawClient(weir.port)
        self.addCleanup(client.close)
        return client

    def assert_gone(self, upstream, left, count=1):
        """The upstream saw its connection closed within 1 s of the client's leaving."""
        wait_until(lambda: len(upstream.gone) >= count, 3, f"{upstream.name} sees its connection closed")
        self.assertLess(upstream.gone[-1] - left, 1.0)


class Leaving(FieldCase):
    def test_s02_client_leaves_while_the_prompt_is_read_in(self):
        self.upstreams(local=lambda exchange: silent(exchange) if b"quick" not in exchange.request.body else exchange.answer())
        weir = self.start()
        for number, (stream, leave) in enumerate([(s, l) for s in (True, False) for l in ("close", "reset")], 1):
            with self.subTest(stream=stream, leave=leave):
                client = self.client(weir).post({**SHORT, "stream": stream})
                wait_until(lambda: len([r for r in self.L.requests if b"quick" not in r.body]) == number, 5, "L has the request")
                time.sleep(0.5)
                left = time.monotonic()
                getattr(client, leave)()
                self.assert_gone(self.L, left, number)
                quick = {"model": "auto", "messages": [{"role": "user", "content": "quick"}]}
                self.assertEqual(weir.chat(quick).header("X-Weir-Route"), "local.l")
        self.assertEqual(self.C.requests, [])

    def test_s30_client_that_has_gone_costs_no_money(self):
        self.upstreams(cloud=silent)
        weir = self.start()
        client = self.client(weir).post(LONG)
        wait_until(lambda: self.C.requests, 5, "C has the request")
        left = time.monotonic()
        client.close()
        self.assert_gone(self.C, left)
        self.assertEqual(len(self.C.requests), 1)

    def test_s30_leaving_starts_no_fallback(self):
        def fail_late(exchange):
            time.sleep(1.5)
            exchange.answer(500, {"error": {"message": "late"}})
        self.upstreams(local=fail_late)
        weir = self.start()
        client = self.client(weir).post(SHORT)
        wait_until(lambda: self.L.requests, 5, "L has the request")
        client.close()
        time.sleep(2.5)
        self.assertEqual((self.C.requests, len(self.L.requests)), ([], 1))

    def test_s49_readers_that_vanish_do_not_kill_the_daemon(self):
        def endless(exchange):
            exchange.begin_stream()
            for number in range(200):
                exchange.event(f"piece {number}")
                time.sleep(0.02)
            exchange.end_stream()
        self.upstreams(local=endless)
        weir = self.start()
        files = lambda: len(os.listdir(f"/proc/{weir.process.pid}/fd"))
        self.client(weir).post(STREAM).read_until(b"piece 0")
        steady = self.client(weir).post(STREAM)
        steady.read_until(b"piece 0")
        before = files()
        for _ in range(200):
            client = RawClient(weir.port).post(STREAM)
            client.read_until(b"piece 0")
            client.reset()
        body = steady.read_until(b"0\r\n\r\n")
        self.assertEqual(unchunk(body)[0].count(b"data:"), 201)
        self.assertEqual(weir.chat(SHORT).status, 200)
        self.assertTrue(weir.process.alive())
        wait_until(lambda: files() <= before + 4, 10, "no descriptors are left over")

    def test_s49_cloud_that_closes_while_it_is_written_to(self):
        def close_early(exchange):
            exchange.close()
        self.upstreams(cloud=close_early)
        huge = {"model": "auto", "messages": [{"role": "user", "content": "river " * 900000}]}
        weir = self.start()
        pid = weir.process.pid
        self.assertGreaterEqual(weir.chat(huge).status, 500)
        self.C.accept = reset  # now in the middle of the TLS handshake
        self.assertEqual(weir.chat(LONG).status, 502)
        self.assertEqual(weir.chat(SHORT).status, 200)
        self.assertTrue(weir.process.alive() and weir.process.pid == pid)


class Sizes(FieldCase):
    @staticmethod
    def memory_peak(weir):
        """The largest resident memory since forget_memory_peak, in KiB."""
        with open(f"/proc/{weir.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))

    def forget_memory_peak(self, weir):
        """Starting has one of its own. Returns what the process holds now."""
        with open(f"/proc/{weir.process.pid}/clear_refs", "w", encoding="ascii") as peaks:
            peaks.write("5")
        return self.memory_peak(weir)

    def test_s07_memory_does_not_grow_with_an_event(self):
        block = "a" * 16384

        def one_long_event(exchange):
            exchange.begin_stream()
            exchange.chunk('data: {"choices":[{"delta":{"content":"')
            for _ in range(192 if b"3 MiB" in exchange.request.body else 2560):
                exchange.chunk(block)
            exchange.chunk('"}}]}\n\n')
            exchange.end_stream()
        self.upstreams(local=one_long_event)
        weir = self.start()
        for size, blocks in (("3 MiB", 192), ("40 MiB", 2560)):
            before = self.forget_memory_peak(weir)
            answer = weir.chat({**STREAM, "messages": [{"role": "user", "content": size}]})
            self.assertEqual(answer.body.count(block.encode()), blocks)
            self.assertTrue(answer.body.endswith(b'"}}]}\n\ndata: [DONE]\n\n'))
        self.assertLess(self.memory_peak(weir) - before, 1024)

    def test_s44_four_large_bodies_at_the_same_time(self):
        count, size = 4, 25 << 20
        body = b'{"model":"local-model","messages":[],"x":"%s"}' % (b"x" * (size - 44))
        self.assertEqual(len(body), size)
        together = threading.Barrier(count)

        def answer_when_all_are_there(exchange):
            together.wait(60)
            exchange.answer()
        self.upstreams(local=answer_when_all_are_there)
        weir = self.start()
        before = self.forget_memory_peak(weir)
        clients = [self.client(weir) for _ in range(count)]
        threads = [threading.Thread(target=client.post, args=(body,)) for client in clients]
        for thread in threads:
            thread.start()
        for thread, client in zip(threads, clients):
            thread.join()
            client.sock.settimeout(60)
            self.assertEqual(status_of(client.read_until(b'"from"')), 200)
        self.assertEqual([request.body == body for request in self.L.requests], [True] * count)
        self.assertLess(self.memory_peak(weir) - before, 3 * count * size >> 10)

    def test_s50_streams_idle_and_silent_connections_at_the_same_time(self):
        finish = threading.Event()

        def stream(exchange):
            exchange.begin_stream()
            exchange.event("first")
            finish.wait(60)
            exchange.event("last")
            exchange.end_stream()
        self.upstreams(local=stream)
        self.addCleanup(finish.set)
        weir = self.start()
        streams = [self.client(weir).post(STREAM) for _ in range(64)]
        for client in streams:
            client.read_until(b"first")
        for _ in range(100):
            idle = self.client(weir)
            idle.sock.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            idle.read_until(b"ok")
        for _ in range(500):
            self.client(weir)
        for path in ("/health", "/v1/models"):
            self.assertEqual(weir.call(path).status, 200)
        self.assertEqual(weir.chat(LONG).json()["from"], "C")
        finish.set()
        for client in streams:
            self.assertTrue(unchunk(client.read_until(b"\r\n0\r\n\r\n"))[1])


class Breaking(FieldCase):
    def broken_stream(self, ending):
        def cut(exchange):
            exchange.begin_stream()
            exchange.event("one")
            exchange.event("two")
            exchange.chunk('data: {"choices":[{"delta":{"con')
            time.sleep(0.3)
            getattr(exchange, ending)()
        self.upstreams(local=cut)
        weir = self.start()
        raw = self.client(weir).post(STREAM).read_all()
        body, ended = unchunk(raw)
        self.assertFalse(ended, "the stream must not end as if it were whole")
        self.assertNotIn(b"[DONE]", body)
        self.assertTrue(body.startswith((EVENT % "one" + EVENT % "two").encode()))
        self.assert_error_is_an_event(body)
        self.assertEqual(self.C.requests, [])
        self.assertEqual(weir.call("/health").status, 200)

    def assert_error_is_an_event(self, body):
        """Either nothing of the proxy's own, or one whole event with an error."""
        if b'"error"' in body:
            last = body.rstrip(b"\n").rpartition(b"\n\n")[2]
            self.assertTrue(last.startswith(b'data: {"error":') and body.endswith(b"\n\n"), last)

    def test_s03_upstream_resets_in_the_middle_of_an_answer(self):
        self.broken_stream("reset")

    def test_s03_upstream_closes_in_the_middle_of_an_answer(self):
        self.broken_stream("close")

    def test_s04_first_event_of_a_200_is_the_refusal(self):
        def refuse(exchange):
            exchange.begin_stream()
            exchange.chunk('data: {"error":{"code":400,"message":"request (1210 tokens) exceeds the available context'
                           ' size (1024 tokens)","type":"exceed_context_size_error","n_prompt_tokens":1210,"n_ctx":1024}}\n\n')
            exchange.send("0\r\n\r\n")

        def stream_yes(exchange):
            exchange.begin_stream()
            exchange.event("yes")
            exchange.end_stream()
        self.upstreams(local=refuse, cloud=stream_yes)
        answer = self.start().chat(STREAM)
        self.assertEqual((answer.status, answer.header("X-Weir-Reason")), (200, "fallback_context"))
        self.assertEqual(answer.body.decode(), EVENT % "yes" + "data: [DONE]\n\n")

    def test_s23_local_server_is_not_there(self):
        self.upstreams()
        port = free_port()
        weir = self.start(f"http://127.0.0.1:{port}")
        for number in range(20):
            begun = time.monotonic()
            answer = weir.chat(SHORT)
            self.assertEqual((answer.status, answer.json()["from"]), (200, "C"))
            self.assertLess(time.monotonic() - begun, 1.5, f"request {number}")  # 0.2 s on a quiet machine
        threads = [threading.Thread(target=weir.chat, args=(SHORT,)) for _ in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(self.C.requests), 30)
        back = Upstream("L", port=port)
        self.addCleanup(back.close)
        wait_until(lambda: weir.chat(SHORT).json()["from"] == "L", 30, "weir goes back to L")

    def test_s26_silence_during_a_long_prefill_is_no_fault(self):
        def slow(exchange):
            time.sleep(1)
            exchange.begin_stream()
            time.sleep(8)
            exchange.event("one")
            exchange.event("two")
            exchange.end_stream()
        self.upstreams(local=slow)
        answer = self.start().chat(STREAM)
        self.assertEqual(answer.body.decode(), EVENT % "one" + EVENT % "two" + "data: [DONE]\n\n")
        self.assertEqual((len(self.L.requests), self.C.requests), (1, []))

    def test_s26_first_byte_limit_closes_and_then_falls_back(self):
        self.upstreams(local=silent)
        answer = self.start(local={"timeout": 1.5}).chat(SHORT)
        self.assertEqual((answer.status, answer.header("X-Weir-Reason")), (200, "fallback_error"))
        self.assertEqual((len(self.L.requests), len(self.L.gone), len(self.C.requests)), (1, 1, 1))
        self.assertLess(self.L.gone[0] - self.L.requests[0].time, 2.5)


class Pool(FieldCase):
    def three_requests(self, ending):
        """C ends an idle connection without notice; every request is answered all the same."""
        def answer_then_end(exchange):
            exchange.answer()
            time.sleep(0.4)
            getattr(exchange, ending)()
        self.upstreams(cloud=answer_then_end)
        weir = self.start()
        for _ in range(3):
            self.assertEqual(weir.chat(LONG).status, 200)
            time.sleep(0.8)
        self.assertEqual(len(self.C.requests), 3)

    def test_s31_pooled_connection_was_closed(self):
        self.three_requests("close")

    def test_s31_pooled_connection_was_reset(self):
        self.three_requests("reset")

    def test_s31_pooled_connection_ends_as_the_body_arrives(self):
        def once(exchange):
            exchange.close() if exchange.request.number else exchange.answer()
        self.upstreams(cloud=once)
        weir = self.start()
        for _ in range(3):
            self.assertEqual(weir.chat(LONG).status, 200)
            time.sleep(0.2)  # until the connection is back in the pool
        # Three answers, all on fresh connections; every reused one was given up after one try.
        numbers = [request.number for request in self.C.requests]
        self.assertEqual((numbers.count(0), numbers[:3]), (3, [0, 1, 0]), numbers)


class Secrets(FieldCase):
    CANARIES = {"Authorization": f"Bearer {CLIENT_KEY}", "x-ApI-kEy": "canary-a", "api-key": "canary-b",
                "x-goog-api-key": "canary-c", "Cookie": "s=canary-d", "Proxy-Authorization": "Basic canary-e"}

    def assert_no_canary(self, data):
        for canary in (CLIENT_KEY, "canary-a", "canary-b", "canary-c", "canary-d", "canary-e"):
            self.assertNotIn(canary.encode(), data)

    def test_s37_three_parties_three_secrets(self):
        self.upstreams()
        weir = self.start(local={"api_key": "local-key-canary-7"})
        for body in (SHORT, LONG):
            self.assert_no_canary(repr(weir.chat(body, self.CANARIES).headers).encode())
        self.assert_no_canary(self.L.raw + self.C.raw)
        self.assertEqual(self.C.requests[0].headers("Authorization"), [f"Bearer {CLOUD_KEY}"])
        self.assertEqual(self.L.requests[0].headers("Authorization"), ["Bearer local-key-canary-7"])
        self.assertNotIn(CLOUD_KEY.encode(), self.L.raw)

    def test_s37_also_after_a_fallback(self):
        def loading(exchange):
            exchange.answer(503, {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}})
        self.upstreams(local=loading)
        weir = self.start()
        self.assertEqual(weir.chat(SHORT, self.CANARIES).header("X-Weir-Route"), "provider.c")
        self.assert_no_canary(self.L.raw + self.C.raw)
        self.assertEqual(self.L.requests[0].headers("Authorization"), [])
        self.assertNotIn(CLOUD_KEY.encode(), self.L.raw)

    def test_s38_secrets_do_not_reach_the_log(self):
        def refuse(exchange):
            exchange.answer(401, {"error": {"message": f"Incorrect API key provided: {CLOUD_KEY}"}})
        self.upstreams(cloud=refuse)
        weir = self.start(log={"level": "trace"})
        weir.chat(SHORT, self.CANARIES)
        weir.chat(SHORT, {"Authorization": "Bearer wrong-key-canary-3"})
        weir.call("/v1/chat/completions?api_key=query-canary-4", SHORT)
        self.assertEqual(weir.chat(LONG).status, 401)
        weir.stop()
        self.assert_no_canary(weir.log().encode())
        for canary in (CLOUD_KEY, "wrong-key-canary-3", "query-canary-4", "river river"):
            self.assertNotIn(canary, weir.log())

    def test_s38_broken_file_does_not_show_its_key(self):
        file = places.work_dir() / "broken.toml"
        file.write_text(f'[provider.c]\nbase_url = "https://x"\napi_key = "{CLOUD_KEY} oops"\nthreshhold = 3\n[routing\n')
        for command in (("serve", "--config", file), ("config", "--config", file)):
            result = daemon.run_weir(*command)
            self.assertEqual(result.returncode, 2, result)
            self.assertNotIn(CLOUD_KEY.encode(), result.stdout + result.stderr)


class Service(FieldCase):
    def test_requests_in_the_first_moment_are_answered(self):
        """A request that came as soon as the port was open once ended the process."""
        self.upstreams()
        weir = self.start(wait=False)
        for _ in range(40):
            weir.start(wait=False)
            self.assertEqual(self.knock(weir), 200)
            self.assertEqual(weir.process.stop(), 0)

    @staticmethod
    def knock(weir):
        """Asks without any pause until the port is open; the status of the first answer, None when weir ended."""
        while weir.process.alive():
            try:
                client = RawClient(weir.port)
                with client.sock:
                    client.sock.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                    return status_of(client.read_all())
            except (OSError, TypeError):
                continue
        return None

    def test_s54_started_from_another_directory(self):
        """As a service manager does it: what is relative in the file is relative to the file."""
        self.upstreams()
        weir = self.start(wait=False, log={"file": "s54.log"})
        log = weir.config.parent / "s54.log"
        for directory in ("/", "/tmp"):
            log.unlink(missing_ok=True)
            process = Process([places.weir_binary(), "serve", "--config", weir.config], weir.config.parent / "s54.out",
                              daemon.clean_environment(), directory)
            wait_until(lambda: client.is_up(f"{weir.url}/health"), 20, "weir answers")
            self.assertEqual(process.stop(), 0)
            self.assertIn("weir listens", log.read_text("utf-8"))
            self.assertIn(f"config={weir.config}", log.read_text("utf-8"))

    def test_s54_what_keeps_it_from_starting_is_said(self):
        broken = places.work_dir() / "s54.toml"
        broken.write_text("[routing\n")
        for file, code, words in ((places.work_dir() / "none.toml", 3, b"none.toml"), (broken, 2, b"s54.toml:1:")):
            result = daemon.run_weir("serve", "--config", file)
            self.assertEqual(result.returncode, code, result)
            self.assertIn(words, result.stderr)

    def test_s55_running_answers_end_before_the_process_does(self):
        def stream(exchange):
            exchange.begin_stream()
            for number in range(10 if b"ending" in exchange.request.body else 500):
                exchange.event(f"piece {number}")
                time.sleep(0.1)
            exchange.end_stream()
        self.upstreams(local=stream)
        weir = self.start(server={"drain": 3})
        ending, endless = self.client(weir), self.client(weir)
        for client, word in ((ending, "ending"), (endless, "forever")):
            client.post({**STREAM, "messages": [{"role": "user", "content": word}]}).read_until(b"piece 0")
        stopped = time.monotonic()
        weir.process.signal(signal.SIGTERM)
        self.assertEqual(unchunk(ending.read_until(b"0\r\n\r\n")), ((b"".join(
            (EVENT % f"piece {n}").encode() for n in range(10)) + b"data: [DONE]\n\n"), True))
        body, ended = unchunk(endless.read_all())
        self.assertFalse(ended or b"[DONE]" in body)
        self.assertEqual(weir.process.wait(4), 0)
        self.assertTrue(2.5 < time.monotonic() - stopped < 4.5)
        daemon.Weir.start(weir)  # the port can be bound again at once

    def test_s55_second_signal_ends_at_once(self):
        self.upstreams(local=lambda exchange: (exchange.begin_stream(), exchange.event("x"), exchange.wait_gone()))
        weir = self.start()
        self.client(weir).post(STREAM).read_until(b'"x"')
        weir.process.signal(signal.SIGTERM)
        time.sleep(0.3)
        weir.process.signal(signal.SIGTERM)
        self.assertIsNotNone(weir.process.wait(1))

    def assert_does_not_start(self, weir, *words):
        begun = time.monotonic()
        weir.start(wait=False)
        self.assertEqual(weir.process.wait(2), 3, weir.log())
        self.assertLess(time.monotonic() - begun, 1.5)
        for word in words:
            self.assertIn(word, weir.log())

    def second_on(self, address):
        weir = self.start(wait=False, server={"listen": address})
        return weir

    def test_s56_port_is_taken_by_another_weir(self):
        self.upstreams()
        first = self.start()
        self.assert_does_not_start(self.second_on(f"127.0.0.1:{first.port}"), str(first.port))
        self.assertEqual(first.chat(SHORT).status, 200)

    def test_s56_port_is_taken_by_a_foreign_listener(self):
        self.upstreams()
        with socket.create_server(("127.0.0.1", 0)) as foreign:
            port = foreign.getsockname()[1]
            self.assert_does_not_start(self.second_on(f"127.0.0.1:{port}"), str(port))

    def test_s56_address_that_is_not_on_this_machine(self):
        self.upstreams()
        weir = self.second_on("203.0.113.9:8090")
        with open(weir.config, "a", encoding="utf-8") as config:
            config.write('[[server.keys]]\nname = "test"\nkey = "listen-key-canary-5"\n')
        self.assert_does_not_start(weir, "203.0.113.9")

    def test_s56_restart_right_after_a_stop(self):
        self.upstreams()
        weir = self.start()
        for _ in range(10):
            idle = self.client(weir).post(SHORT)
            idle.read_until(b'"from"')
            weir.stop()
            daemon.Weir.start(weir)
        self.assertEqual(weir.chat(SHORT).status, 200)


if __name__ == "__main__":
    places.main()
