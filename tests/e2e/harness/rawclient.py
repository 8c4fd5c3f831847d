"""A client on a raw socket: it sees every byte and leaves when and how it likes."""
import json
import re
import socket
import time

from .upstream import reset


class RawClient:
    def __init__(self, port, timeout=20):
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.port = port
        self.received = b""

    def post(self, body, path="/v1/chat/completions", headers=""):
        data = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        self.sock.sendall(f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: application/json\r\n"
                          f"{headers}Content-Length: {len(data)}\r\n\r\n".encode() + data)
        return self

    def read_until(self, mark):
        """Reads until the bytes `mark` have come."""
        while mark not in self.received:
            more = self.sock.recv(65536)
            if not more:
                raise AssertionError(f"closed before {mark!r}: {self.received[-300:]!r}")
            self.received += more
        return self.received

    def read_all(self):
        """Everything until the other side closes, by FIN or RST."""
        try:
            while more := self.sock.recv(65536):
                self.received += more
        except ConnectionResetError:
            pass
        self.closed_at = time.monotonic()
        return self.received

    def close(self):
        self.sock.close()

    def reset(self):
        reset(self.sock)


def status_of(raw):
    return int(re.match(rb"HTTP/1\.1 (\d+)", raw)[1])


def header_of(raw, name):
    found = re.search(rb"\r\n" + name.encode() + rb": ?([^\r]*)", raw.partition(b"\r\n\r\n")[0], re.IGNORECASE)
    return found[1].decode() if found else None


def unchunk(raw):
    """Body of a chunked answer: (bytes, did the closing chunk come)."""
    rest, body = raw.partition(b"\r\n\r\n")[2], b""
    while match := re.match(rb"([0-9a-fA-F]+)\r\n", rest):
        size = int(match[1], 16)
        if size == 0:
            return body, True
        body += rest[match.end():match.end() + size]
        rest = rest[match.end() + size + 2:]
    return body, False
