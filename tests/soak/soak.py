#!/usr/bin/env python3
"""Mixed traffic against the real binary for a while, then: is all answered right, all closed, the memory flat, no report?

    soak.py [--seconds 600] [--clients 12] [--seed N]      WEIR_BINARY names the program, e.g. build/asan/weir

Exit code: 0 all is well; 1 something is not, each in a line of its own; 77 there is no such program (under CI=true: 1).
"""
import argparse
import collections
import os
import pathlib
import random
import signal
import statistics
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
# pylint: disable=wrong-import-position
from harness import certificates, daemon, places
from harness.processes import wait_until
from harness.upstream import Upstream
import plans
import traffic

KEYS = ("cloud-key-canary-2", "local-key-canary-5")
FAULTS_SHOWN_MAX = 20
# What a sanitizer writes, and what weir logs when it meets a bug of its own.
REPORTS = ("ERROR: AddressSanitizer", "ERROR: LeakSanitizer", "runtime error:", "WARNING: ThreadSanitizer", "a bug of weir",
           "SUMMARY: ")
# Freed memory waits in a quarantine of the address sanitizer before it is used again: a small one is full early.
SANITIZERS = {"ASAN_OPTIONS": "detect_leaks=1:quarantine_size_mb=8:thread_local_quarantine_size_kb=64:malloc_context_size=12",
              "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
              "TSAN_OPTIONS": "second_deadlock_stack=1"}
RELOAD_EVERY = 14  # looks at the memory, of which there are two a second; weir sees a changed file after two looks of its own
# The memory at the end may be this much above that after the first quarter.
GROWTH_MAX, GROWTH_BYTES_MAX = 1.10, 16 << 20


class Soak:
    def __init__(self, options):
        self.options = options
        self.counts, self.faults, self.memory = collections.Counter(), [], []
        self.lock = threading.Lock()
        self.running = True
        self.cloud = Upstream("C", plans.play, certificates.Authority(places.work_dir() / "ca").issue("localhost"))
        self.local = Upstream("L", plans.play, slots=6)
        self.cloud.keeps_requests = self.local.keeps_requests = False
        self.weir = daemon.Weir({
            "provider.c": {"base_url": self.cloud.url, "api_key": KEYS[0], "ca_file": str(places.work_dir() / "ca/ca.pem")},
            "local.l": {"base_url": self.local.url + "/v1", "api_key": KEYS[1], "model": "m", "queue_wait": 0.2},
            "routing": {"threshold_tokens": 1000, "long_route": "c", "short_route": "local"},
            "server": {"drain": 10}})
        self.good_config = self.weir.config.read_text("utf-8")

    def fault(self, text):
        with self.lock:
            self.faults.append(text)

    def done(self, kind):
        with self.lock:
            self.counts[kind] += 1

    def run(self):
        self.weir.start()
        clients = [threading.Thread(target=traffic.endless, args=(self.weir.port, self.options.seed * 1000 + i, lambda: self.running,
                                                                  self.done, self.fault)) for i in range(self.options.clients)]
        for client in clients:
            client.start()
        self.watch()
        self.running = False
        for client in clients:
            client.join()
        self.check("everything ends", self.all_is_over)
        self.check("reloads", self.check_reloads)
        self.check("it still answers", lambda: traffic.answer(self.weir.port, 10**12, random.Random(0)))
        self.check("it ends", self.end)
        self.check("the log", self.check_log)
        self.check("memory", self.check_memory)

    def check(self, name, step):
        try:
            step()
        except Exception as error:  # pylint: disable=broad-except
            self.fault(f"{name}: {type(error).__name__}: {error}")

    def watch(self):
        """Until the time is over, or weir is. Looks at the memory, and lets weir read its configuration again and again."""
        begun = time.monotonic()
        while time.monotonic() < begun + self.options.seconds and self.weir.process.alive():
            time.sleep(0.5)
            self.memory.append(self.resident_bytes())
            if len(self.memory) % RELOAD_EVERY == 0:
                self.reload(len(self.memory) // RELOAD_EVERY)
        if not self.weir.process.alive():
            self.fault(f"weir ended by itself, exit code {self.weir.process.popen.returncode}")

    def reload(self, number):
        """Another value, or none that can be read; by a signal, or left for weir to find."""
        text = self.good_config.replace("queue_wait = 0.2", f"queue_wait = 0.{number % 5}")
        fresh = self.weir.config.with_suffix(".new")
        fresh.write_text(text + ("broken" if number % 4 == 2 else ""), "utf-8")
        os.replace(fresh, self.weir.config)
        if number % 2 == 0:
            self.weir.process.signal(signal.SIGHUP)
        self.done("reload")

    def resident_bytes(self):
        try:
            pages = pathlib.Path(f"/proc/{self.weir.process.pid}/statm").read_text("ascii").split()[1]
        except OSError:
            return 0
        return int(pages) * os.sysconf("SC_PAGESIZE")

    def client_connections(self):
        """Connections at weir's port that stand on its side still, from the kernel's table."""
        established, close_wait = "01", "08"
        rows = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]]
        return [row[2] for row in rows if int(row[1].split(":")[1], 16) == self.weir.port and row[3] in (established, close_wait)]

    def all_is_over(self):
        def state():
            upstreams = self.weir.status()["upstreams"]
            return [(each["name"], each["in_flight"], each["waiting"]) for each in upstreams]
        wait_until(lambda: all(each[1:] == (0, 0) for each in state()), 20, f"nothing is in flight or waits: {state()}")
        wait_until(lambda: not self.client_connections(), 20, f"no client's connection is left: {self.client_connections()}")
        for upstream in (self.local, self.cloud):
            wait_until(lambda upstream=upstream: not upstream.playing, 20, f"no script of {upstream.name} runs: {upstream.playing}")

    def check_reloads(self):
        """Those that it was asked for were done or refused; a reload on the last moment may be under way."""
        asked, status = self.counts["reload"], self.weir.status()
        if asked > 4:
            assert status["reloads"] > 0 and status["reloads_failed"] > 0, (asked, status["reloads"], status["reloads_failed"])

    def end(self):
        self.weir.process.signal(signal.SIGTERM)
        code = self.weir.process.wait(60)
        assert code == 0, f"exit code {code}"

    def check_log(self):
        log = self.weir.log()
        found = [word for word in REPORTS if word in log]
        if found:
            place = min(log.index(word) for word in found)
            raise AssertionError(f"{found}\n{log[max(0, place - 200):place + 6000]}")
        assert not any(key in log for key in KEYS), "a key is in the log"

    def check_memory(self):
        quarter, tenth = len(self.memory) // 4, max(1, len(self.memory) // 10)
        early = statistics.median(self.memory[quarter:quarter + tenth])
        late = statistics.median(self.memory[-tenth:])
        self.growth = f"{early / 2**20:.1f} MB after the first quarter, {late / 2**20:.1f} MB at the end"
        assert late <= early * GROWTH_MAX + GROWTH_BYTES_MAX, self.growth

    def report(self):
        for kind, count in sorted(self.counts.items()):
            print(f"{count:8} {kind}")
        print(f"{sum(self.counts.values()):8} in {self.options.seconds} s; memory: {getattr(self, 'growth', 'not measured')}")
        for fault in self.faults[:FAULTS_SHOWN_MAX]:
            print("FAULT", fault)
        print(f"{len(self.faults)} faults (seed {self.options.seed})")
        return 1 if self.faults else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--clients", type=int, default=12)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    options = parser.parse_args()
    binary = pathlib.Path(os.environ.get("WEIR_BINARY", ""))
    if not binary.is_file():
        print(f"there is no {binary} (WEIR_BINARY)", file=sys.stderr)
        return 1 if os.environ.get("CI") == "true" else places.SKIPPED
    os.environ["WEIR_BINARY"] = str(binary.resolve())
    soak = Soak(options)
    os.environ.update({name: os.environ.get(name, value) for name, value in SANITIZERS.items()})
    soak.run()
    return soak.report()


if __name__ == "__main__":
    sys.exit(main())
