"""A systemd of its own for one test: process, mount, network and host name are apart from this machine's."""
import os
import pathlib
import shutil
import subprocess

from . import places
from .processes import Process, wait_until

RUNNING = ("running", "degraded")


class CannotBoot(Exception):
    """This machine does not let us; the text says what is missing."""


class SystemdBox:
    def __init__(self):
        if os.geteuid() != 0:
            raise CannotBoot("only root can start a systemd of its own")
        for program in ("unshare", "nsenter", "/lib/systemd/systemd"):
            if not shutil.which(program):
                raise CannotBoot(f"there is no {program}")
        scratch = places.work_dir() / "box"
        scratch.mkdir()
        script = pathlib.Path(__file__).resolve().parents[1] / "systemd_box.sh"
        self.outer = Process(["unshare", "--mount", "--pid", "--uts", "--net", "--ipc", "--fork", "--mount-proc", "--kill-child",
                              script, places.weir_binary(), scratch], places.work_dir() / "box.log")
        try:
            self.first = wait_until(self._first_process, 10, "the box has a process")
            wait_until(lambda: self.run("systemctl", "is-system-running").stdout.strip() in RUNNING, 60, "systemd has started")
        except AssertionError as error:
            self.close()
            raise CannotBoot(f"{error}\n{self.outer.output()}") from None

    def _first_process(self):
        if not self.outer.alive():
            raise AssertionError("unshare has ended")
        children = pathlib.Path(f"/proc/{self.outer.pid}/task/{self.outer.pid}/children").read_text("ascii").split()
        return children[0] if children else None

    def run(self, *words, stdin=None):
        """Runs a command inside; subprocess's result with text."""
        words = ["nsenter", "-t", self.first, "-m", "-p", "-u", "-n", "-i", "--wd=/", *words]
        return subprocess.run(words, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={"PATH": "/usr/local/bin:/usr/bin:/usr/sbin:/bin"}, timeout=240, check=False)

    def write(self, path, text, mode="644"):
        """A file inside."""
        done = self.run("install", "-D", "-m", mode, "/dev/stdin", path, stdin=text)
        assert done.returncode == 0, done.stdout

    def close(self):
        self.outer.kill()  # its child dies with it, and all inside with that
        for hierarchy in ("systemd", "unified", ""):
            top = pathlib.Path("/sys/fs/cgroup") / hierarchy / "weir-box"
            if top.exists():
                wait_until(lambda top=top: self._removed(top), 20, f"{top} is empty")

    @staticmethod
    def _removed(top):
        try:
            for folder in sorted((path for path in top.rglob("*") if path.is_dir()), key=lambda path: -len(path.parts)):
                folder.rmdir()
            top.rmdir()
        except OSError:
            return False
        return True
