#!/usr/bin/env python3
"""Reload, HTTPS and stopping with the real binary: signals, a watched file, curl."""
import os
import shutil
import signal
import subprocess
import threading
import unittest

from harness import certificates, client, daemon, places
from harness.processes import wait_until
from harness.upstream import Upstream

PATIENCE = 30  # seconds; only a test that fails waits for them


class Reload(unittest.TestCase):
    def setUp(self):
        self.go_on = threading.Event()
        self.addCleanup(self.go_on.set)
        self.local = Upstream("L", self.script)
        self.addCleanup(self.local.close)

    def script(self, exchange):
        if b'"stream":true' in exchange.request.body:
            exchange.begin_stream()
            exchange.event("one")
            self.go_on.wait(PATIENCE)
            exchange.event("two")
            exchange.end_stream()
        else:
            exchange.answer()

    def tables(self, **server):
        return {"server": server,
                "provider.c": {"base_url": "http://127.0.0.1:9", "api_key": "cloud-key-canary-2"},
                "local.l": {"base_url": self.local.url + "/v1", "model": "local-model"},
                "routing": {"threshold_tokens": 1000, "long_route": "c", "short_route": "local"}}

    def start(self, **server):
        weir = daemon.Weir(self.tables(**server))
        self.addCleanup(weir.stop)
        return weir.start()

    def replace(self, weir, old, new):
        """As an editor does it: a new file in the place of the old one."""
        text = weir.config.read_text("utf-8")
        self.assertIn(old, text)
        beside = weir.config.with_suffix(".new")
        beside.write_text(text.replace(old, new), "utf-8")
        os.replace(beside, weir.config)

    def wait_for_threshold(self, weir, tokens):
        wait_until(lambda: weir.status()["threshold_tokens"] == tokens, PATIENCE, f"a threshold of {tokens}")

    def stream(self, weir):
        connection = client.connect(weir.url, timeout=PATIENCE)
        self.addCleanup(connection.close)
        connection.request("POST", "/v1/chat/completions",
                           b'{"stream":true,"messages":[{"role":"user","content":"hi"}]}')
        response = connection.getresponse()
        self.assertIn(b"one", response.readline())
        return response

    def test_sighup_reloads_and_cuts_nothing(self):
        weir = self.start(watch=False)
        running = self.stream(weir)
        self.replace(weir, "threshold_tokens = 1000", "threshold_tokens = 2000")
        weir.process.signal(signal.SIGHUP)
        self.wait_for_threshold(weir, 2000)
        self.replace(weir, "threshold_tokens = 2000", "treshold_tokens = 3000")
        weir.process.signal(signal.SIGHUP)
        fault = wait_until(lambda: weir.status().get("last_reload_fault"), PATIENCE, "a fault")
        self.assertIn("treshold_tokens", fault)
        self.assertRegex(fault, r"\.toml:\d+:\d+: ")
        self.assertIn("treshold_tokens", weir.log())
        self.assertEqual(weir.status()["threshold_tokens"], 2000)
        self.go_on.set()
        self.assertIn(b"two", running.read())

    def test_a_changed_file_is_noticed(self):
        weir = self.start()
        self.replace(weir, "threshold_tokens = 1000", "threshold_tokens = 2000")
        self.wait_for_threshold(weir, 2000)
        weir.config.write_text(weir.config.read_text("utf-8").replace("= 2000", "= 3000"), "utf-8")
        self.wait_for_threshold(weir, 3000)
        self.assertEqual(weir.status()["reloads"], 2)

    def test_the_page_tells_what_has_changed(self):
        weir = self.start(watch=False)
        self.replace(weir, "threshold_tokens = 1000", "threshold_tokens = 2000\nhold = 1")
        answer = weir.call("/weir/reload", b"")
        self.assertEqual((answer.status, answer.json()["changed"]),
                         (200, ["routing.hold", "routing.threshold_tokens"]))
        self.replace(weir, "hold = 1", "hold = 'x'\nfoo = 1")
        answer = weir.call("/weir/reload", b"")
        self.assertEqual((answer.status, answer.header("X-Weir-Error")), (422, "bad_config"))
        self.assertIn("hold", answer.json()["error"]["message"])
        self.assertIn("foo", answer.json()["error"]["message"])

    def test_stops_with_a_drain_and_at_once_when_asked_twice(self):
        weir = self.start(drain=PATIENCE)
        running = self.stream(weir)
        weir.process.signal(signal.SIGHUP)
        weir.process.signal(signal.SIGTERM)
        wait_until(lambda: "weir stops" in weir.log(), PATIENCE, "the drain")
        weir.process.signal(signal.SIGHUP)
        self.go_on.set()
        self.assertIn(b"two", running.read())
        self.assertEqual(weir.process.wait(PATIENCE), 0)
        self.go_on.clear()
        weir = self.start(drain=3600)
        self.stream(weir)
        weir.process.signal(signal.SIGTERM)
        wait_until(lambda: "weir stops" in weir.log(), PATIENCE, "the drain")
        weir.process.signal(signal.SIGTERM)
        self.assertEqual(weir.process.wait(PATIENCE), 1)

    def test_curl_over_https(self):
        authority = certificates.Authority(places.work_dir() / "ca-https")
        certificate, key = authority.issue("localhost")
        weir = daemon.Weir(self.tables(tls_cert=str(certificate), tls_key=str(key)))
        self.addCleanup(weir.stop)
        weir.start(wait=False)
        url = f"https://localhost:{weir.port}"
        wait_until(lambda: client.is_up(url + "/health", str(authority.file)), PATIENCE, "HTTPS")
        self.go_on.set()
        if shutil.which("curl"):
            result = subprocess.run(
                ["curl", "-sS", "--noproxy", "*", "--cacert", authority.file, url + "/v1/chat/completions", "-d",
                 '{"stream":true,"messages":[{"role":"user","content":"hi"}]}'],
                capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("two", result.stdout)
            refused = subprocess.run(["curl", "-sS", "--noproxy", "*", url + "/health"], capture_output=True, timeout=60)
            self.assertEqual(refused.returncode, 60)  # it does not know the authority
        answer = client.call(f"http://127.0.0.1:{weir.port}/health")
        self.assertEqual(answer.status, 400)
        shown = daemon.run_weir("config", "--config", weir.config)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        shutil.copy(authority.issue("other.test")[1], key)
        shown = daemon.run_weir("config", "--config", weir.config)
        self.assertEqual(shown.returncode, 2)
        self.assertIn(b"server.tls_key", shown.stderr)


if __name__ == "__main__":
    places.main()
