"""Runs a script that drives an SDK against weir between two real servers."""
import subprocess

from . import certificates, daemon, pair, places


def run(interpreter, script, cwd, https=False):
    """Fails unless `interpreter script BASE_URL`, run in `cwd`, ends with 0. `https`: between client and weir as well."""
    local, cloud = pair.local_server(), pair.cloud_server()
    authority = certificates.Authority(places.work_dir() / "weir-ca") if https else None
    weir = daemon.Weir(pair.tables(local.url, cloud.url, cloud.ca_file), authority=authority)
    trust = {"SSL_CERT_FILE": str(authority.file), "NODE_EXTRA_CA_CERTS": str(authority.file)} if https else {}
    try:
        local.start(wait=False)
        cloud.start()
        local.wait_ready()
        weir.start()
        pair.wait_for_context(weir)
        result = subprocess.run([interpreter, script, weir.url], cwd=cwd, env={**daemon.clean_environment(), **trust},
                                capture_output=True, text=True, timeout=240)
        assert result.returncode == 0, f"{result.stdout}{result.stderr}\nweir:\n{weir.log()[-3000:]}"
        print(result.stdout, end="")
    finally:
        for part in (weir, local, cloud):
            part.stop()
