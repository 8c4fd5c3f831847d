"""Where things are, and what a test does when one of them is missing."""
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
FETCHED = pathlib.Path(os.environ.get("WEIR_E2E_DIR", ROOT / "build/e2e"))  # filled by prepare.sh
SKIPPED = 77  # ctest's SKIP_RETURN_CODE of these tests


def weir_binary():
    path = pathlib.Path(os.environ.get("WEIR_BINARY", ROOT / "build/release/weir"))
    if not path.exists():
        sys.exit(f"{path} is missing; build weir first or set WEIR_BINARY")
    return path


def vectors(name):
    """A file of recorded vectors: one JSON object a line."""
    for place in (ROOT / "tests/data/vectors", ROOT / "tests/data", ROOT.parent / "shared/vectors"):
        if (place / name).exists():
            return place / name
    sys.exit(f"the vectors {name} were not found")


def require(*names):
    """Ends the test program as skipped when prepare.sh could not get one of `names`; under CI=true as failed."""
    for name in names:
        reason = FETCHED / "missing" / name
        if not FETCHED.exists() or reason.exists():
            why = reason.read_text().strip() if reason.exists() else "tests/e2e/prepare.sh has not run"
            under_ci = os.environ.get("CI") == "true"
            print(f"{'FAILED' if under_ci else 'SKIPPED'}: {name} is missing: {why}", file=sys.stderr)
            sys.exit(1 if under_ci else SKIPPED)


def main(*needs):
    """The `main` of a test file."""
    require(*needs)
    unittest.main(verbosity=2)


_work = []


def work_dir():
    """One scratch directory a test program, removed at its end unless WEIR_E2E_KEEP is set."""
    if not _work:
        holder = tempfile.TemporaryDirectory(prefix="weir-e2e-")
        _work.append((holder, pathlib.Path(holder.name)))
        if os.environ.get("WEIR_E2E_KEEP"):
            holder._finalizer.detach()
            print("kept:", holder.name, file=sys.stderr)
    return _work[0][1]
