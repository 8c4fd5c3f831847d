"""What clients do, one function each. What is answered is compared with what the plan says; a difference is an AssertionError."""
import http.client
import json
import random
import socket
import time

from harness.upstream import reset
from plans import LOCAL_FAULTS, Plan

PATIENCE = 60  # seconds; far more than anything takes, unless it is stuck
POST = "/v1/chat/completions"


def _connect(port):
    return http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)


def _head(port, length, more=""):
    return (f"POST {POST} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n{more}"
            f"Content-Length: {length}\r\n\r\n").encode()


def _ask(connection, plan, stream=False, long=False):
    connection.request("POST", POST, plan.request(stream, long), {"Content-Type": "application/json"})
    response = connection.getresponse()
    body = response.read()
    wanted = plan.stream() if stream else plan.answer()
    assert response.status == 200, (plan, response.status, body[:300])
    assert body == wanted, (plan, len(body), len(wanted), body[:200], wanted[:200])
    if long:
        assert response.getheader("X-Weir-Route") == "provider.c", (plan, response.getheader("X-Weir-Route"))


def _one(port, plan, **options):
    connection = _connect(port)
    try:
        _ask(connection, plan, **options)
    finally:
        connection.close()


def answer(port, number, dice):
    _one(port, Plan(number, size=dice.choice((1, 1, 4, 64))))


def long_prompt(port, number, dice):
    _one(port, Plan(number, size=2), long=True, stream=dice.random() < 0.5)


def stream(port, number, dice):
    _one(port, Plan(number, size=dice.randint(1, 60)), stream=True)


def local_fault(port, number, dice):
    kind = dice.choice(LOCAL_FAULTS)
    _one(port, Plan(number, kind, 3), stream=kind == "context-event" or dice.random() < 0.5)


def one_connection(port, number, dice):
    """Several requests, one after the other and two at a time."""
    connection = _connect(port)
    try:
        for i in range(dice.randint(2, 6)):
            _ask(connection, Plan(number + i), stream=dice.random() < 0.3)
    finally:
        connection.close()
    bodies = [Plan(number + i).request() for i in (0, 1)]
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as sock:
        sock.sendall(_head(port, len(bodies[0])) + bodies[0] + _head(port, len(bodies[1]), "Connection: close\r\n") + bodies[1])
        got = b""
        while piece := sock.recv(65536):
            got += piece
    first, second = got.find(Plan(number).answer()), got.find(Plan(number + 1).answer())
    assert 0 < first < second and got.count(b"HTTP/1.1 200 ") == 2, (number, got[:300])


def slow_reader(port, number, dice):
    plan = Plan(number, size=1500)
    connection = _connect(port)
    connection.connect()
    connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    try:
        connection.request("POST", POST, plan.request(stream=True), {"Content-Type": "application/json"})
        response = connection.getresponse()
        got = bytearray()
        while piece := response.read1(dice.randint(1, 16384)):
            got += piece
            time.sleep(0.005)
        assert bytes(got) == plan.stream(), (plan, len(got))
    finally:
        connection.close()


def broken_in_the_middle(port, number, dice):
    """The client sees the events so far, an error event, and no proper end."""
    plan = Plan(number, "break", dice.randint(4, 40))
    connection = _connect(port)
    try:
        connection.request("POST", POST, plan.request(stream=True), {"Content-Type": "application/json"})
        response = connection.getresponse()
        try:
            raise AssertionError((plan, "ended properly", response.read()[-300:]))
        except http.client.IncompleteRead as cut:
            body = cut.partial
        events, error = body.decode().split('data: {"error":')
        assert "".join(plan.events()).startswith(events) and "[DONE]" not in error, (plan, body[-300:])
    finally:
        connection.close()


def leaver(port, number, dice):
    """Leaves before, in or after its request, or in the middle of the answer."""
    plan = Plan(number, dice.choice(("answer", "answer", "silent")), dice.randint(1, 100))
    body = plan.request(stream=dice.random() < 0.7, long=dice.random() < 0.2)
    sock = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    whole = _head(port, len(body)) + body
    sock.sendall(whole[:dice.randint(0, len(whole))] if dice.random() < 0.3 else whole)
    time.sleep(dice.random() / 10)
    reset(sock) if dice.random() < 0.5 else sock.close()


def half_a_head(port, number, dice):
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as sock:
        sock.sendall(_head(port, 10)[:dice.randint(1, 60)])
        time.sleep(dice.random() / 5)


def rubbish(port, number, dice):
    """Whatever it is, the answer is a refusal or none, and the connection is closed."""
    body = b'{"messages":[{"role":"user","content":"x"}]}'
    text = dice.choice((
        dice.randbytes(dice.randint(1, 3000)) + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 2000 + b"\r\n",
        _head(port, 5, "Transfer-Encoding: chunked\r\n") + b"0\r\n\r\n",
        _head(port, 5, "Content-Length: 6\r\n") + b"hello!",
        f"POST {POST} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n".encode(),
        _head(port, 1 << 40), b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x16\x03\x01" + dice.randbytes(200),
        _head(port, len(body), "Content-Encoding: gzip\r\n") + body))
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as sock:
        try:
            sock.sendall(text)
            sock.shutdown(socket.SHUT_WR)
            got = b""
            while piece := sock.recv(65536):
                got += piece
        except ConnectionError:
            return
    assert got == b"" or got.startswith(b"HTTP/1.1 4") or got.startswith(b"HTTP/1.1 505"), (text[:80], got[:200])


def pages(port, number, dice):
    path, status = dice.choice((("/health", 200), ("/weir/status", 200), ("/v1/models", 200), ("/nothing", 404)))
    connection = _connect(port)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        assert response.status == status, (path, response.status)
        json.loads(response.read())
    finally:
        connection.close()


def bad_body(port, number, dice):
    connection = _connect(port)
    try:
        connection.request("POST", POST, dice.choice((b"{", b"[]", b'{"model":"auto"}', b"\xff\xfe{}", b"")))
        response = connection.getresponse()
        assert response.status == 400 and b'"error"' in response.read(), response.status
    finally:
        connection.close()


# How often each of them is done.
KINDS = {answer: 20, stream: 20, long_prompt: 8, local_fault: 12, one_connection: 6, slow_reader: 1, broken_in_the_middle: 4,
         leaver: 15, half_a_head: 3, rubbish: 8, pages: 4, bad_body: 3}


def endless(port, first_number, running, done, failed):
    """One client after the other until `running()` is false. `done(name)` counts; `failed(text)` takes what went wrong."""
    dice = random.Random(first_number)
    number = first_number
    while running():
        kind = dice.choices(list(KINDS), list(KINDS.values()))[0]
        try:
            kind(port, number, dice)
            done(kind.__name__)
        except Exception as error:  # pylint: disable=broad-except  # whatever it is, the soak has failed
            failed(f"{kind.__name__}, number {number}: {type(error).__name__}: {error}")
        number += 10
