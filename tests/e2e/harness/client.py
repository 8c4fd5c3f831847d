"""A plain HTTP client that changes nothing and hides nothing."""
import dataclasses
import http.client
import json
import ssl
import urllib.parse


@dataclasses.dataclass
class Answer:
    status: int
    headers: list  # (name, value) as they came, in order
    body: bytes

    def header(self, name, default=None):
        values = [value for key, value in self.headers if key.lower() == name.lower()]
        return values[0] if values else default

    def json(self):
        return json.loads(self.body)

    def events(self):
        """The payloads of an event stream, as text."""
        blocks = self.body.decode("utf-8").split("\n\n")
        return [block[len("data: "):] for block in blocks if block.startswith("data: ")]


def connect(url, ca_file=None, timeout=60):
    parts = urllib.parse.urlsplit(url)
    if parts.scheme == "https":
        context = ssl.create_default_context(cafile=ca_file)
        return http.client.HTTPSConnection(parts.hostname, parts.port, timeout=timeout, context=context)
    return http.client.HTTPConnection(parts.hostname, parts.port, timeout=timeout)


def call(url, method="GET", body=None, headers=None, ca_file=None, timeout=60):
    """One request on a connection of its own. `body` is bytes, or an object to be sent as JSON."""
    parts = urllib.parse.urlsplit(url)
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body, ensure_ascii=False).encode("utf-8")
    sent = {"Content-Type": "application/json"} if body is not None else {}
    sent.update(headers or {})
    connection = connect(url, ca_file, timeout)
    try:
        connection.request(method, parts.path + (f"?{parts.query}" if parts.query else ""), body, sent)
        response = connection.getresponse()
        return Answer(response.status, response.getheaders(), response.read())
    finally:
        connection.close()


def is_up(url, ca_file=None):
    """Does GET `url` answer 200?"""
    try:
        return call(url, ca_file=ca_file, timeout=2).status == 200
    except (OSError, http.client.HTTPException):
        return False
