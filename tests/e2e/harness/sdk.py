"""Runs a script that drives an SDK against weir between two real servers."""
import subprocess

from . import daemon, pair


def run(interpreter, script, cwd):
    """Fails unless `interpreter script BASE_URL`, run in `cwd`, ends with 0."""
    local, cloud = pair.local_server(), pair.cloud_server()
    weir = daemon.Weir(pair.tables(local.url, cloud.url, cloud.ca_file))
    try:
        local.start(wait=False)
        cloud.start()
        local.wait_ready()
        weir.start()
        pair.wait_for_context(weir)
        result = subprocess.run([interpreter, script, weir.url], cwd=cwd, env=daemon.clean_environment(),
                                capture_output=True, text=True, timeout=240)
        assert result.returncode == 0, f"{result.stdout}{result.stderr}\nweir:\n{weir.log()[-3000:]}"
        print(result.stdout, end="")
    finally:
        for part in (weir, local, cloud):
            part.stop()
