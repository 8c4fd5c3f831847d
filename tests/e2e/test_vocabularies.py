#!/usr/bin/env python3
"""`weir count` with the vocabularies that are built in, and with the kept tables of a model file."""
import subprocess
import sys
import unittest

from harness import places
from harness.daemon import run_weir

TEXT = "Tide tables, 潮汐表, and <|im_end|> 12345\n".encode()


class BuiltIn(unittest.TestCase):
    def test_list_names_them(self):
        result = run_weir("count", "--tokenizer", "list")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.decode().splitlines()
        self.assertEqual(lines[0].split(), ["NAME", "ENTRIES", "LICENCE", "MODELS"])
        names = [line.split()[0] for line in lines[1:]]
        for name in ("qwen3.5", "o200k", "gpt-4o", "gpt-oss", "cl100k", "gpt-4", "deepseek-v3"):
            self.assertIn(name, names)
        for name in names:
            result = run_weir("count", "--text", "--tokenizer", name, stdin=b"hello world")
            self.assertEqual((result.returncode, result.stdout), (0, b"2\n"), name)


class ModelFile(unittest.TestCase):
    def setUp(self):
        self.model = places.work_dir() / "kept-qwen3.gguf"
        script = places.ROOT / "tests/e2e/make_tiny_gguf.py"
        subprocess.run([sys.executable, script, "--vocabulary", "qwen3", self.model], check=True)
        self.folder = places.work_dir() / "cache/weir"

    def count(self):
        result = run_weir("count", "--text", "--tokenizer", self.model, stdin=TEXT)
        self.assertEqual(result.returncode, 0, result.stderr)
        return int(result.stdout)

    def test_tables_are_kept_and_repaired(self):
        first = self.count()
        kept, = self.folder.glob("*.tables")
        self.assertEqual((self.folder.stat().st_mode & 0o777, kept.stat().st_mode & 0o777), (0o700, 0o600))
        written = kept.stat().st_ino
        self.assertEqual(self.count(), first)
        self.assertEqual(kept.stat().st_ino, written, "the second count wrote the tables again")
        good = kept.read_bytes()
        for bad in (good[:len(good) // 2], good[:-1] + bytes([good[-1] ^ 1]), b""):
            kept.write_bytes(bad)
            self.assertEqual(self.count(), first)
            self.assertEqual(kept.read_bytes(), good)

    def test_without_a_folder_it_goes_on(self):
        first = self.count()
        for file in self.folder.glob("*"):
            file.unlink()
        self.folder.rmdir()
        self.folder.write_bytes(b"in the way")
        self.assertEqual(self.count(), first)
        self.folder.unlink()


if __name__ == "__main__":
    places.main()
