"""A real llama-server with a tiny model, as prepare.sh left it."""
import os
import shutil

from . import client, places
from .processes import Process, free_port, wait_until


class LlamaServer:
    """Runs while the object is started. `context` is of one slot.

    The server usually lives in a root of its own (build/e2e/llama); WEIR_LLAMA_SERVER names one outside.
    """

    def __init__(self, name, context=4096, slots=2, vocabulary="qwen3.5", alias=None, api_key=None,
                 certificate=None, authority=None, host="127.0.0.1", extra=()):
        self.name, self.context, self.host = name, context, host
        self.port = free_port()
        self.authority = authority
        self.api_key = api_key
        self._outside = os.environ.get("WEIR_LLAMA_SERVER")
        self._own = self._place("srv", f"run-{os.getpid()}-{name}")
        self._arguments = ["-m", self.seen(self.model_file(vocabulary)), "--host", host, "--port", self.port,
                           "-c", context * slots, "-np", slots, "--no-kv-unified", "--no-webui", "-t", 1, "-tb", 1,
                           "--alias", alias or name, *extra]
        if api_key:
            self._arguments += ["--api-key", api_key]
        if certificate:
            self._arguments += self._tls(*certificate)
        self.process = None

    # --- where its files are: outside, or under the root that it sees as / ---

    def _place(self, *parts):
        if self._outside:
            return places.work_dir().joinpath(*parts)
        return places.FETCHED.joinpath("llama", *parts)

    def seen(self, path):
        """The path as the server sees it."""
        return path if self._outside else "/" + str(path.relative_to(places.FETCHED / "llama"))

    def model_file(self, vocabulary):
        directory = places.FETCHED / ("models" if self._outside else "llama/srv/models")
        return directory / f"{vocabulary}.gguf"

    def own_dir(self):
        """A directory for files of this server only."""
        self._own.mkdir(parents=True, exist_ok=True)
        return self._own

    def _tls(self, certificate, key):
        copies = [shutil.copy(file, self.own_dir()) for file in (certificate, key)]
        seen = [self.seen(self.own_dir() / os.path.basename(copy)) for copy in copies]
        return ["--ssl-cert-file", seen[0], "--ssl-key-file", seen[1]]

    # --- life ---

    def start(self, wait=True):
        program = [self._outside] if self._outside else ["chroot", places.FETCHED / "llama", "/usr/bin/llama-server"]
        log = places.work_dir() / f"{self.name}-{self.port}.log"
        self.process = Process([*program, *self._arguments], log)
        if wait:
            self.wait_ready()
        return self

    def wait_ready(self):
        def ready():
            if not self.process.alive():
                raise AssertionError(f"llama-server {self.name} ended:\n{self.process.output()[-2000:]}")
            return client.is_up(f"{self.url}/health", self.ca_file)
        wait_until(ready, 60, f"llama-server {self.name} is ready")

    def stop(self):
        if self.process:
            self.process.kill()
        shutil.rmtree(self._own, ignore_errors=True)

    # --- asking it ---

    @property
    def ca_file(self):
        return self.authority.file if self.authority else None

    @property
    def url(self):
        return f"https://localhost:{self.port}" if self.authority else f"http://{self.host}:{self.port}"

    def call(self, path, body=None, headers=None):
        """Straight to the server, with its own key."""
        sent = {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}
        sent.update(headers or {})
        return client.call(self.url + path, "POST" if body is not None else "GET", body, sent, self.ca_file)

    def count(self, request):
        """Prompt tokens of a chat request, by the server's own counting route."""
        answer = self.call("/v1/chat/completions/input_tokens", request)
        assert answer.status == 200, answer.body
        return answer.json()["input_tokens"]
