"""Starts programs and makes sure that they end, by process id, however the test ends."""
import atexit
import ctypes
import signal
import socket
import subprocess
import time

_running = []


def _end_with_parent():
    """In the child: die when the test program dies (a time-out of ctest kills it without warning)."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


class Process:
    """One running program whose output goes to a file."""

    def __init__(self, argv, log, env=None, cwd=None):
        self.log_path = log
        self._log = open(log, "wb")
        self.popen = subprocess.Popen(
            [str(arg) for arg in argv], stdin=subprocess.DEVNULL, stdout=self._log, stderr=subprocess.STDOUT,
            env=env, cwd=cwd, preexec_fn=_end_with_parent)
        _running.append(self)

    @property
    def pid(self):
        return self.popen.pid

    def alive(self):
        return self.popen.poll() is None

    def output(self):
        return self.log_path.read_text("utf-8", "replace")

    def signal(self, number):
        self.popen.send_signal(number)

    def wait(self, seconds):
        """Exit code, or None when it still runs after that time."""
        try:
            return self.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def stop(self, seconds=10):
        """Asks it to end, then makes it; returns the exit code."""
        if self.alive():
            self.signal(signal.SIGTERM)
            if self.wait(seconds) is None:
                self.kill()
        return self._forget()

    def kill(self):
        self.popen.kill()
        self.popen.wait()
        return self._forget()

    def _forget(self):
        if self in _running:
            _running.remove(self)
        self._log.close()
        return self.popen.returncode


@atexit.register
def stop_all():
    for process in list(_running):
        process.kill()


def free_port():
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, seconds, what):
    """Asks `condition` until it is true; its value is returned."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.02)
