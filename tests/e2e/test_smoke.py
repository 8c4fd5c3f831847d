#!/usr/bin/env python3
"""scripts/smoke.sh against a running weir: it passes when all is well and fails when something is not."""
import subprocess
import unittest

from harness import certificates, daemon, places
from harness.upstream import Upstream


def script(exchange):
    if b'"stream":true' in exchange.request.body:
        exchange.begin_stream()
        exchange.event("one")
        exchange.end_stream()
    else:
        exchange.answer()


class Smoke(unittest.TestCase):
    def smoke(self, cloud_url, ca_file):
        local = Upstream("L", script)
        self.addCleanup(local.close)
        weir = daemon.Weir({
            "provider.c": {"base_url": cloud_url, "api_key": "cloud-key-canary-2", "ca_file": str(ca_file)},
            "provider.c.models": {"long_context": "cloud-model"},
            "local.l": {"base_url": local.url + "/v1", "model": "local-model"},
            "routing": {"threshold_tokens": 1000, "long_route": "c", "short_route": "local"}})
        self.addCleanup(weir.stop)
        weir.start()
        return subprocess.run([places.ROOT / "scripts/smoke.sh", weir.url + "/"], capture_output=True, text=True,
                              env={**daemon.clean_environment(), "WEIR_SMOKE_WORDS": "3000"}, timeout=60)

    def test_passes_and_fails_as_it_must(self):
        authority = certificates.Authority(places.work_dir() / "ca")
        cloud = Upstream("C", script, authority.issue("localhost"))
        self.addCleanup(cloud.close)
        result = self.smoke(cloud.url, authority.file)
        self.assertEqual((result.returncode, result.stdout.count("PASS ")), (0, 6), result.stdout + result.stderr)
        cloud.close()
        result = self.smoke(cloud.url, authority.file)
        self.assertEqual((result.returncode, result.stdout.count("FAIL ")), (1, 1), result.stdout + result.stderr)


if __name__ == "__main__":
    places.main()
