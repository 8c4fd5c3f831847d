"""The real weir binary."""
import json
import os
import signal
import subprocess

from . import client, places
from .processes import Process, free_port, wait_until

_count = [0]


def clean_environment():
    """The environment without anything that would change where weir looks."""
    kept = {key: value for key, value in os.environ.items() if not key.upper().endswith("_PROXY") and key != "WEIR_CONFIG"}
    return {**kept, "XDG_CACHE_HOME": str(places.work_dir() / "cache")}


def toml(value):
    """A string, number, bool or list as TOML (JSON's form of these is TOML too)."""
    return json.dumps(value, ensure_ascii=False)


def config_text(tables):
    """{"routing": {"threshold_tokens": 9}} as TOML. The table "" is the top level."""
    lines = []
    for name, keys in tables.items():
        lines += [f"[{name}]"] if name else []
        lines += [f"{key} = {toml(value)}" for key, value in keys.items()]
    return "\n".join(lines) + "\n"


class Weir:
    """`weir serve` with a configuration of its own, on a free port; over HTTPS when an authority is given."""

    def __init__(self, tables, name=None, authority=None):
        _count[0] += 1
        self.name = name or f"weir-{_count[0]}"
        self.port = free_port()
        self.url = f"https://localhost:{self.port}" if authority else f"http://127.0.0.1:{self.port}"
        self.ca_file = authority.file if authority else None
        self.config = places.work_dir() / f"{self.name}.toml"
        server = {"listen": f"127.0.0.1:{self.port}", **tables.get("server", {})}
        if authority:
            certificate, key = authority.issue("localhost")
            server.update(tls_cert=str(certificate), tls_key=str(key))
        self.config.write_text(config_text({**tables, "server": server}), "utf-8")
        self.process = None

    def start(self, wait=True):
        log = places.work_dir() / f"{self.name}-{self.port}.log"
        argv = [places.weir_binary(), "serve", "--config", self.config]
        self.process = Process(argv, log, clean_environment(), places.work_dir())
        if wait:
            wait_until(self._up, 20, f"{self.name} answers /health")
        return self

    def _up(self):
        if not self.process.alive():
            raise AssertionError(f"{self.name} ended with {self.process.popen.returncode}:\n{self.log()}")
        return client.is_up(f"{self.url}/health", self.ca_file)

    def log(self):
        return self.process.output()

    def stop(self):
        if self.process:
            self.process.signal(signal.SIGTERM)
            self.process.stop(3)

    def call(self, path, body=None, headers=None, method=None):
        return client.call(self.url + path, method or ("POST" if body is not None else "GET"), body, headers,
                           self.ca_file)

    def chat(self, body, headers=None):
        return self.call("/v1/chat/completions", body, headers)

    def status(self):
        return self.call("/weir/status").json()


def run_weir(*arguments, stdin=b""):
    """One command that ends by itself; returns subprocess's result with bytes."""
    return subprocess.run([str(places.weir_binary()), *map(str, arguments)], input=stdin, capture_output=True,
                          env=clean_environment(), cwd=places.work_dir(), timeout=60)


def count(request):
    """`weir count` of a chat request, through a file."""
    file = places.work_dir() / "count.json"
    file.write_text(json.dumps(request, ensure_ascii=False), "utf-8")
    result = run_weir("count", file)
    assert result.returncode == 0, result.stderr
    return int(result.stdout)
