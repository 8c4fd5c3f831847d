#!/usr/bin/env python3
"""The PyPI package openai, pointed at weir between two real servers; the checks are in sdk/chat.py."""
import unittest

from harness import places, sdk


class OpenAiPython(unittest.TestCase):
    def test_chat_stream_tools_and_errors(self):
        sdk.run(places.FETCHED / "venv/bin/python", places.ROOT / "tests/e2e/sdk/chat.py", places.work_dir())

    def test_the_same_over_https(self):
        sdk.run(places.FETCHED / "venv/bin/python", places.ROOT / "tests/e2e/sdk/chat.py", places.work_dir(), https=True)


if __name__ == "__main__":
    places.main("server", "models", "python")
