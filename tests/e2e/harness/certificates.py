"""A certificate authority for one test run, made by openssl."""
import subprocess


def _openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


_NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


class Authority:
    def __init__(self, directory, name="weir test CA"):
        self.directory = directory
        directory.mkdir(parents=True, exist_ok=True)
        self.file = directory / "ca.pem"  # what a client trusts
        self._key = directory / "ca.key"
        _openssl("req", "-x509", *_NEW_KEY, "-days", 2, "-subj", f"/CN={name}", "-keyout", self._key, "-out", self.file)

    def issue(self, *names):
        """Makes a certificate for DNS names; returns the paths of certificate and key."""
        stem = self.directory / names[0]
        certificate, key, request, extension = (stem.with_suffix(f".{end}") for end in ("pem", "key", "csr", "ext"))
        extension.write_text("subjectAltName=" + ",".join(f"DNS:{name}" for name in names) + "\n")
        _openssl("req", *_NEW_KEY, "-subj", f"/CN={names[0]}", "-keyout", key, "-out", request)
        _openssl("x509", "-req", "-in", request, "-CA", self.file, "-CAkey", self._key, "-CAcreateserial",
                 "-days", 2, "-extfile", extension, "-out", certificate)
        return certificate, key
