"""A scripted upstream on raw sockets: it writes down what it gets and when, and misbehaves as told."""
import json
import socket
import ssl
import struct
import threading
import time

EVENT = 'data: {"choices":[{"index":0,"delta":{"content":"%s"}}]}\n\n'
LONG_ENOUGH = 30  # seconds after which a forgotten script ends by itself


def reset(sock):
    """Closes with RST instead of FIN."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


class Request:
    """One request as received. `number` counts those on the same connection, from 0."""

    def __init__(self, head, body, connection, number):
        self.head, self.body, self.connection, self.number = head, body, connection, number
        self.method, self.path = head.split(b" ")[0].decode(), head.split(b" ")[1].decode()
        self.raw = head + body
        self.time = time.monotonic()

    def headers(self, name):
        lines = self.head.decode("latin-1").split("\r\n")[1:]
        pairs = (line.partition(":") for line in lines if line)
        return [value.strip() for key, _, value in pairs if key.lower() == name.lower()]


class Exchange:
    """What a script answers with."""

    def __init__(self, sock, request, upstream):
        self.sock, self.request, self.upstream = sock, request, upstream
        self.open = True

    def send(self, data):
        self.sock.sendall(data if isinstance(data, bytes) else data.encode())

    def answer(self, status=200, body=None, headers=""):
        body = {"choices": [{"message": {"role": "assistant", "content": "yes"}}], "from": self.upstream.name} if body is None else body
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send(f"HTTP/1.1 {status} Scripted\r\nContent-Type: application/json\r\n{headers}"
                  f"Content-Length: {len(data)}\r\n\r\n".encode() + data)

    def begin_stream(self):
        self.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")

    def chunk(self, text):
        data = text.encode()
        self.send(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def event(self, content):
        self.chunk(EVENT % content)

    def end_stream(self):
        self.chunk("data: [DONE]\n\n")
        self.send("0\r\n\r\n")

    def close(self):
        self.open = False
        self.sock.close()

    def reset(self):
        self.open = False
        reset(self.sock)

    def wait_gone(self, seconds=LONG_ENOUGH):
        """Waits until the other side has closed; the time of it is kept by the upstream."""
        self.sock.settimeout(seconds)
        try:
            while self.sock.recv(65536):
                pass
        except TimeoutError:
            return
        except OSError:
            pass
        self.upstream.gone.append(time.monotonic())
        self.close()


def plain_answer(exchange):
    exchange.answer()


class Upstream:
    """Listens at once. `script(exchange)` is called for each POST, on a thread of its connection.

    GET /health and /props are answered like an idle llama-server with `context` tokens a slot, and are not recorded.
    """

    def __init__(self, name, script=plain_answer, certificate=None, port=0, context=32768, accept=None, slots=512):
        self.name, self.script, self.context, self.accept, self.slots = name, script, context, accept, slots
        self.requests, self.gone = [], []
        self.playing = 0  # scripts that run now
        self.keeps_requests = True  # False: `requests` stays empty, for long runs
        self._lock = threading.Lock()
        self.connections = 0
        self._tls = self._server_context(certificate) if certificate else None
        self._listener = socket.create_server(("127.0.0.1", port), backlog=512)
        self.port = self._listener.getsockname()[1]
        self._open = set()
        threading.Thread(target=self._accept_all, daemon=True).start()

    @staticmethod
    def _server_context(certificate):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        return context

    @property
    def url(self):
        return f"https://localhost:{self.port}" if self._tls else f"http://127.0.0.1:{self.port}"

    @property
    def raw(self):
        return b"".join(request.raw for request in self.requests)

    def close(self):
        if self._listener.fileno() < 0:
            return
        self._listener.shutdown(socket.SHUT_RDWR)  # closing alone would not wake the thread in accept
        self._listener.close()
        for sock in list(self._open):
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def _accept_all(self):
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connections += 1
            threading.Thread(target=self._serve, args=(sock, self.connections), daemon=True).start()

    def _serve(self, sock, connection):
        try:
            if self.accept:
                self.accept(sock)
            if self._tls:
                sock = self._tls.wrap_socket(sock, server_side=True)
            self._open.add(sock)
            self._serve_requests(sock, connection)
        except OSError:
            pass  # the other side left; scripts that care ask wait_gone
        finally:
            self._open.discard(sock)
            sock.close()

    def _serve_requests(self, sock, connection):
        number = 0
        while request := self._read(sock, connection, number):
            exchange = Exchange(sock, request, self)
            if request.method == "POST":
                if self.keeps_requests:
                    self.requests.append(request)
                self._play(exchange)
                number += 1
            else:
                self._answer_get(exchange)
            if not exchange.open:
                return

    def _play(self, exchange):
        with self._lock:
            self.playing += 1
        try:
            self.script(exchange)
        finally:
            with self._lock:
                self.playing -= 1

    def _answer_get(self, exchange):
        if exchange.request.path.endswith("/health"):
            exchange.answer(body={"status": "ok"})
        elif exchange.request.path.endswith("/props"):
            settings = {"n_ctx": self.context}
            exchange.answer(body={"total_slots": self.slots, "default_generation_settings": settings, "model_alias": self.name,
                                  "modalities": {"vision": False, "audio": False}})
        else:
            exchange.answer(404, {"error": {"code": 404, "message": "File Not Found", "type": "not_found_error"}})

    @staticmethod
    def _read(sock, connection, number):
        data = b""
        while b"\r\n\r\n" not in data:
            more = sock.recv(65536)
            if not more:
                return None
            data += more
        head, _, body = data.partition(b"\r\n\r\n")
        request = Request(head + b"\r\n\r\n", body, connection, number)
        length = int((request.headers("Content-Length") or ["0"])[0])
        parts, have = [body], len(body)
        while have < length:
            more = sock.recv(1 << 20)
            if not more:
                return None
            parts.append(more)
            have += len(more)
        return Request(request.head, b"".join(parts), connection, number)
