#!/usr/bin/env python3
"""GET /metrics with the real binary, read by the real promtool and the real Prometheus; the alerts and the dashboard."""
import http.client
import json
import pathlib
import re
import subprocess
import unittest
import urllib.parse

from harness import client, daemon, places
from harness.processes import Process, free_port, wait_until
from harness.upstream import Upstream

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROMETHEUS = places.FETCHED / "prometheus" / "usr" / "bin"
PATIENCE = 60  # seconds; only a test that fails waits for them
KEY = "client-key-canary-1"
SHORT = {"messages": [{"role": "user", "content": "hi"}]}
LONG = {"messages": [{"role": "user", "content": "river " * 3000}]}
PROMPT_TOKENS = 11  # of SHORT, with the template of Qwen3.5


def usage(tokens):
    return {"choices": [], "usage": {"prompt_tokens": tokens, "completion_tokens": 1, "total_tokens": tokens + 1}}


def promtool(*arguments, stdin=None):
    return subprocess.run([PROMETHEUS / "promtool", *map(str, arguments)], input=stdin, capture_output=True, cwd=ROOT)


def promql_of(dashboard):
    """Every expression of the dashboard, as Grafana would ask it."""
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    expressions += [annotation["expr"] for annotation in dashboard["annotations"]["list"]]
    for expression in expressions:
        yield expression.replace("$__rate_interval", "1m").replace("$instance", ".*").replace("$job", "weir")


class Metrics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.local = Upstream("L", cls.local_script)
        cls.cloud = Upstream("C")
        cls.weir = daemon.Weir({
            "provider.c": {"base_url": cls.cloud.url, "api_key": "cloud-key-canary-2"},
            "local.l": {"base_url": cls.local.url, "model": "Qwen3.5-4B"},
            "routing": {"threshold_tokens": 1000, "long_route": "c", "short_route": "local"}})
        with cls.weir.config.open("a", encoding="utf-8") as config:
            config.write(f'[[server.keys]]\nname = "laptop"\nkey = "{KEY}"\n')
        cls.weir.start()
        cls.drive()

    @classmethod
    def tearDownClass(cls):
        cls.weir.stop()
        cls.local.close()
        cls.cloud.close()

    @staticmethod
    def local_script(exchange):
        body = exchange.request.body
        if b"fail" in body:
            exchange.answer(500, {"error": {"message": "out of memory", "type": "server_error"}})
        elif b"cut" in body:
            exchange.begin_stream()
            exchange.event("one")
            exchange.reset()
        else:
            exchange.answer(body=usage(PROMPT_TOKENS if b"hi" in body else 4000))

    @classmethod
    def chat(cls, body, key=KEY):
        return cls.weir.chat(body, {"Authorization": f"Bearer {key}"} if key else {})

    @classmethod
    def drive(cls):
        """One request of every kind."""
        for _ in range(3):
            assert cls.chat(SHORT).status == 200
        assert cls.chat(LONG).status == 200
        assert cls.chat({"messages": [{"role": "user", "content": "fail"}]}).header("X-Weir-Reason") == "fallback_error"
        try:
            cls.chat({"stream": True, "messages": [{"role": "user", "content": "cut"}]})
            raise AssertionError("a broken answer came to a proper end")
        except http.client.IncompleteRead:
            pass
        assert cls.chat({"messages": [{"role": "user", "content": "other"}]}).status == 200
        assert cls.chat(b"{").status == 400
        assert cls.chat(SHORT, key=None).status == 401

    def page(self):
        answer = self.weir.call("/metrics", headers={"Authorization": f"Bearer {KEY}"})
        self.assertEqual(answer.status, 200)
        return answer

    def value(self, series):
        for line in self.page().body.decode().splitlines():
            if line.startswith(series + " "):
                return float(line.rpartition(" ")[2])
        return None

    def wait_for(self, series, value):
        wait_until(lambda: self.value(series) == value, PATIENCE, f"{series} {value} (now {self.value(series)})")

    def test_page_is_what_promtool_wants(self):
        page = self.page()
        self.assertEqual(page.header("Content-Type"), "text/plain; version=0.0.4; charset=utf-8")
        checked = promtool("check", "metrics", stdin=page.body)
        self.assertEqual((checked.returncode, checked.stdout, checked.stderr), (0, b"", b""))

    def test_page_wants_the_key_and_shows_none(self):
        self.assertEqual(self.weir.call("/metrics").status, 401)
        for secret in (KEY, "cloud-key-canary-2", "river", "yes"):
            self.assertNotIn(secret, self.page().body.decode())

    def test_sums_are_those_of_the_requests(self):
        labels = 'key="laptop",reason="short",route="local.l",status="200"'
        self.wait_for("weir_requests_total{%s}" % labels, 5)
        self.wait_for('weir_requests_total{key="laptop",reason="long",route="provider.c",status="200"}', 1)
        self.wait_for('weir_requests_total{key="laptop",reason="fallback_error",route="provider.c",status="200"}', 1)
        self.wait_for('weir_requests_total{key="laptop",reason="none",route="none",status="400"}', 1)
        self.wait_for('weir_fallbacks_total{cause="error",from="local.l"}', 1)
        self.wait_for('weir_cut_answers_total{route="local.l"}', 1)
        self.assertGreaterEqual(self.value('weir_refusals_total{code="unauthorized"}'), 1)
        self.wait_for('weir_prompt_tokens_error_ratio_bucket{route="local.l",le="0"}', 3)
        self.wait_for('weir_prompt_tokens_error_ratio_count{route="local.l"}', 4)
        self.wait_for('weir_upstream_state{upstream="local.l",state="ready"}', 1)
        self.wait_for('weir_upstream_slots{upstream="local.l"}', self.local.slots)

    def test_alerts_fire_for_what_they_are_meant_for(self):
        for command in (("check", "rules", "config/alerts.yml"), ("test", "rules", "tests/e2e/alerts_test.yml")):
            checked = promtool(*command)
            self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def start_prometheus(self):
        directory = places.work_dir() / "prometheus"
        directory.mkdir()
        port = free_port()
        config = directory / "prometheus.yml"
        config.write_text(json.dumps({  # JSON is YAML
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": [str(ROOT / "config" / "alerts.yml")],
            "scrape_configs": [{"job_name": "weir", "authorization": {"credentials": KEY},
                                "static_configs": [{"targets": [f"127.0.0.1:{self.weir.port}"]}]}]}))
        process = Process([PROMETHEUS / "prometheus", f"--config.file={config}", f"--storage.tsdb.path={directory / 'data'}",
                           f"--web.listen-address=127.0.0.1:{port}"], directory / "log", daemon.clean_environment(), directory)
        self.addCleanup(process.stop)
        return f"http://127.0.0.1:{port}"

    def test_prometheus_reads_it_and_answers_every_question_of_the_dashboard(self):
        url = self.start_prometheus()
        get = lambda path: client.call(url + path).json()["data"]
        query = lambda text: get("/api/v1/query?query=" + urllib.parse.quote(text))["result"]
        wait_until(lambda: client.is_up(url + "/-/ready"), PATIENCE, "Prometheus is ready")
        wait_until(lambda: query('count_over_time(up{job="weir"}[1m]) > 3'), PATIENCE, "four readings")
        self.assertEqual(query('min_over_time(up{job="weir"}[1m])')[0]["value"][1], "1")
        dashboard = json.loads((ROOT / "config" / "grafana-dashboard.json").read_text("utf-8"))
        for expression in promql_of(dashboard):
            result = query(expression)
            if "changes(" not in expression:  # nothing was reloaded
                self.assertTrue(result, expression)
        rules = get("/api/v1/rules")["groups"][0]["rules"]
        self.assertEqual(len(rules), (ROOT / "config" / "alerts.yml").read_text("utf-8").count("- alert:"))
        wait_until(lambda: all(rule["health"] == "ok" for rule in get("/api/v1/rules")["groups"][0]["rules"]), PATIENCE,
                   "every rule works")

    def test_alerts_and_dashboard_use_names_that_are_there(self):
        there = set(re.findall(r"^(\w+)[ {]", self.page().body.decode(), re.MULTILINE)) | {"up"}
        for file in ("alerts.yml", "grafana-dashboard.json"):
            text = (ROOT / "config" / file).read_text("utf-8")
            used = set(re.findall(r"\b(?:weir|process)_\w+", text))
            self.assertTrue(used)
            self.assertEqual(used - there, set(), file)


if __name__ == "__main__":
    places.main("prometheus")
