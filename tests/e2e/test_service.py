#!/usr/bin/env python3
"""weir as a service: what the manager hears, what the unit files are worth, and a real systemd with one of them."""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

from harness import daemon, places
from harness.processes import Process, wait_until
from harness.rawclient import RawClient
from harness.systemd_box import CannotBoot, SystemdBox
from harness.upstream import Upstream

CLOUD_KEY = "cloud-key-canary-2"
STREAM = {"model": "auto", "stream": True, "messages": [{"role": "user", "content": "ping"}]}
TABLES = {"routing": {"threshold_tokens": 1000, "long_route": "local", "short_route": "local"}}


class Manager:
    """A service manager's end of NOTIFY_SOCKET."""

    def __init__(self, name):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(name.replace("@", "\0", 1))
        self.socket.settimeout(30)
        self.name = name

    def next(self, word):
        """The next notice with `word`, as a dictionary."""
        while True:
            notice = dict(line.split("=", 1) for line in self.socket.recv(4096).decode().split("\n"))
            if word in notice:
                return notice


class Notices(unittest.TestCase):
    def start(self, manager, script=lambda exchange: exchange.answer(), server=None, **variables):
        local = Upstream("L", script)
        self.addCleanup(local.close)
        self.addCleanup(manager.socket.close)
        weir = daemon.Weir({**TABLES, "local.l": {"base_url": local.url + "/v1", "model": "m"}, "server": server or {}})
        environment = {**daemon.clean_environment(), "NOTIFY_SOCKET": manager.name, **variables}
        weir.process = Process([places.weir_binary(), "serve", "--config", weir.config], places.work_dir() / "notices.log",
                               environment, places.work_dir())
        self.addCleanup(weir.stop)
        return weir

    def test_ready_means_that_the_port_is_open(self):
        for name in (str(places.work_dir() / "notify"), f"@weir-e2e-{os.getpid()}"):
            with self.subTest(name=name):
                manager = Manager(name)
                weir = self.start(manager)
                notice = manager.next("READY")
                self.assertEqual(notice, {"READY": "1", "STATUS": f"listens on 127.0.0.1:{weir.port}"})
                self.assertEqual(weir.call("/health").status, 200)

    def test_stopping_asks_for_the_time_that_running_answers_may_take(self):
        def endless(exchange):
            exchange.begin_stream()
            exchange.event("one")
            exchange.wait_gone()
        manager = Manager(str(places.work_dir() / "notify-stop"))
        weir = self.start(manager, endless, {"drain": 1})
        manager.next("READY")
        client = RawClient(weir.port).post(STREAM)
        self.addCleanup(client.close)
        client.read_until(b"one")
        weir.process.signal(signal.SIGTERM)
        notice = manager.next("STOPPING")
        self.assertEqual(notice["STATUS"], "stops; connections: 1")
        self.assertGreater(int(notice["EXTEND_TIMEOUT_USEC"]), 3_000_000)
        self.assertIn(b'"code":"draining"', client.read_all())
        self.assertEqual(weir.process.wait(30), 0)

    def test_a_reload_begins_and_ends_with_a_notice(self):
        manager = Manager(str(places.work_dir() / "notify-reload"))
        weir = self.start(manager)
        manager.next("READY")
        before = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
        weir.process.signal(signal.SIGHUP)
        notice = manager.next("RELOADING")
        self.assertGreaterEqual(int(notice["MONOTONIC_USEC"]), before)
        self.assertEqual(manager.next("READY")["READY"], "1")
        self.assertEqual(weir.call("/health").status, 200)

    def test_the_watchdog_hears_from_it_again_and_again(self):
        manager = Manager(str(places.work_dir() / "notify-watchdog"))
        weir = self.start(manager, WATCHDOG_USEC="200000")
        for _ in range(5):
            manager.next("WATCHDOG")
        self.assertEqual(weir.call("/health").status, 200)

    def test_the_watchdog_of_another_process_is_not_served(self):
        manager = Manager(str(places.work_dir() / "notify-other"))
        weir = self.start(manager, WATCHDOG_USEC="2000", WATCHDOG_PID="1")
        manager.next("READY")
        time.sleep(0.2)
        weir.process.signal(signal.SIGTERM)
        self.assertEqual(weir.process.wait(30), 0)
        manager.socket.settimeout(0)
        left = []
        while True:
            try:
                left.append(manager.socket.recv(4096))
            except BlockingIOError:
                break
        self.assertEqual([notice for notice in left if b"WATCHDOG" in notice], [])
        self.assertEqual(len(left), 1, left)  # the one of the stop: notices are still sent

    def test_without_a_manager_it_runs_as_well(self):
        manager = Manager(str(places.work_dir() / "notify-gone"))
        os.unlink(manager.name)
        weir = self.start(manager)
        wait_until(weir._up, 20, "weir answers")


def analyze(*words):
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(places.work_dir())}
    return subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, env=environment, timeout=60, check=False)


class UnitFiles(unittest.TestCase):
    """`weir service install --dry-run` shows the unit; systemd's own tools say what they think of it."""

    def setUp(self):
        if not shutil.which("systemd-analyze"):
            if os.environ.get("CI") == "true":
                self.fail("systemd-analyze is missing (Debian package systemd)")
            self.skipTest("systemd-analyze is missing (Debian package systemd): the unit files are not checked")

    def unit(self, *options):
        config = places.work_dir() / "unit.toml"
        config.write_text('[local.l]\nbase_url = "http://127.0.0.1:8080"\napi_key = "${credential:cloud.key}"\n'
                          '[routing]\nlong_route = "local"\nshort_route = "local"\nthreshold_tokens = 1000\n')
        (places.work_dir() / "cloud.key").write_text(CLOUD_KEY)
        shown = daemon.run_weir("service", "install", "--dry-run", "--user", "--config", config).stdout.decode()
        file = places.work_dir() / "weir.service"
        if "--user" in options:
            file.write_text("# " + shown.partition("# ")[2].partition("\nwould run")[0] + "\n")
        else:  # the system's would refuse a program below /tmp
            text = (places.ROOT / "config/weir.service").read_text()
            file.write_text(text.replace("/usr/local/bin/weir", str(places.weir_binary())))
        return file, shown

    def test_the_unit_of_the_system_is_right_and_well_closed(self):
        file, _ = self.unit()
        result = analyze("verify", "--man=no", str(file))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        result = analyze("security", "--offline=yes", "--threshold=19", str(file))
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("Overall exposure level", result.stdout)

    def test_the_unit_of_a_user_is_right(self):
        file, shown = self.unit("--user")
        result = analyze("--user", "verify", "--man=no", str(file))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn(f"ExecStart={places.weir_binary()} serve --config {places.work_dir()}/unit.toml\n", file.read_text())
        self.assertIn("would run systemctl --user enable weir.service", shown)

    def test_a_faulty_unit_would_be_seen(self):
        file = places.work_dir() / "weir.service"
        file.write_text("[Service]\nExecStart=weir\nTypo=1\n")
        self.assertNotEqual(analyze("verify", "--man=no", str(file)).stderr, "")
        self.assertNotEqual(analyze("security", "--offline=yes", "--threshold=19", str(file)).returncode, 0)


class RealSystemd(unittest.TestCase):
    """The service of the system, with its own user and all that its unit takes away."""

    CONFIG = ('[provider.c]\nbase_url = "https://127.0.0.1:1"\napi_key = "${credential:cloud.key}"\n'
              '[local.l]\nbase_url = "http://127.0.0.1:2/v1"\nmodel = "m"\n'
              '[routing]\nlong_route = "c"\nshort_route = "local"\nthreshold_tokens = 1000\n')

    @classmethod
    def setUpClass(cls):
        try:
            if os.environ.get("WEIR_SANITIZE"):
                raise CannotBoot("a sanitizer does what the unit forbids")
            cls.box = SystemdBox()
        except CannotBoot as why:
            print(f"SKIPPED: no real systemd: {why}", file=sys.stderr)
            raise unittest.SkipTest(str(why)) from None
        cls.addClassCleanup(cls.box.close)
        cls.box.write("/etc/weir/config.toml", cls.CONFIG)
        cls.box.write("/etc/weir/cloud.key", CLOUD_KEY, "600")

    def weir(self, *words, expect=0):
        done = self.box.run("weir", "service", *words)
        self.assertEqual(done.returncode, expect, done.stdout)
        return done.stdout

    def shown(self, name):
        return self.box.run("systemctl", "show", "weir", "--value", "-p", name).stdout.strip()

    def health(self):
        return self.box.run("curl", "-s", "http://127.0.0.1:8090/health").stdout

    def test_life_of_the_service(self):
        self.assertIn("not installed", self.weir("status", expect=1))
        self.assertIn("restart weir.service", self.weir("install"))
        self.assertIn("active (running)", self.weir("status"))
        self.assertIn("listens on 127.0.0.1:8090", self.weir("status"))
        self.assertIn('"ok"', self.health())
        process = self.shown("MainPID")
        status = self.box.run("cat", f"/proc/{process}/status").stdout
        self.assertRegex(status, r"Uid:\s+6\d{4}\s")  # a user that exists while it runs only
        self.assertRegex(status, r"CapEff:\s+0+\n")
        self.assertRegex(self.box.run("cat", f"/proc/{process}/limits").stdout, r"Max core file size +0 +0")
        self.assertIn("is as it should be", self.weir("install"))
        self.assertEqual(self.shown("MainPID"), process)  # nothing was restarted for nothing
        self.reads_its_configuration_again(process)
        self.hangs_and_is_started_again()
        self.weir("uninstall")
        self.assertEqual(self.health(), "")
        self.assertIn("not installed", self.weir("status", expect=1))
        self.assertIn("nothing to do", self.weir("uninstall"))

    def test_what_the_service_could_not_read_is_said_before(self):
        self.box.write("/etc/weir/closed.toml", self.CONFIG, "600")
        self.assertIn("cannot read /etc/weir/closed.toml", self.weir("install", "--config", "/etc/weir/closed.toml", expect=3))
        self.box.run("install", "-D", "/usr/local/bin/weir", "/run/user/1/weir")
        refused = self.box.run("/run/user/1/weir", "service", "install")
        self.assertEqual(refused.returncode, 3, refused.stdout)
        self.assertIn("cannot see /run/user/1/weir", refused.stdout)
        self.box.write("/etc/weir/faulty.toml", self.CONFIG.replace("threshold", "treshold"))
        self.assertIn("unknown key", self.weir("install", "--config", "/etc/weir/faulty.toml", expect=2))
        self.box.write("/etc/weir/variable.toml", self.CONFIG.replace("${credential:cloud.key}", "${CLOUD_KEY}"))
        noted = self.box.run("env", f"CLOUD_KEY={CLOUD_KEY}", "weir", "service", "install", "--dry-run", "--config",
                             "/etc/weir/variable.toml")
        self.assertIn("takes the environment variable CLOUD_KEY", noted.stdout)
        self.assertNotIn(CLOUD_KEY, noted.stdout)
        self.assertNotIn("\nLoadCredential=", noted.stdout)
        self.assertIn("not there", self.weir("status", expect=1))  # nothing of this has written anything
    def threshold(self):
        return json.loads(self.box.run("curl", "-s", "http://127.0.0.1:8090/weir/status").stdout)["threshold_tokens"]

    def reads_its_configuration_again(self, process):
        self.box.write("/etc/weir/config.toml", self.CONFIG.replace("1000", "2000"))
        done = self.box.run("systemctl", "reload", "weir")
        self.assertEqual(done.returncode, 0, done.stdout)
        wait_until(lambda: self.threshold() == 2000, 20, "the new threshold is in force")
        wait_until(lambda: self.shown("ActiveState") == "active", 20, "the reload is over")
        self.assertEqual(self.shown("MainPID"), process)

    def hangs_and_is_started_again(self):
        self.box.write("/etc/systemd/system/weir.service.d/watchdog.conf", "[Service]\nWatchdogSec=5\n")
        self.box.run("systemctl", "daemon-reload")
        self.box.run("systemctl", "restart", "weir")
        process = self.shown("MainPID")
        self.box.run("kill", "-STOP", process)
        wait_until(lambda: self.shown("NRestarts") == "1" and self.shown("ActiveState") == "active", 60, "it is started again")
        self.assertNotEqual(self.shown("MainPID"), process)
        self.assertIn('"ok"', self.health())


if __name__ == "__main__":
    places.main()
