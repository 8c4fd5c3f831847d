#!/usr/bin/env python3
"""The npm package openai, pointed at weir between two real servers; the checks are in sdk/chat.mjs."""
import unittest

from harness import places, sdk


class OpenAiNode(unittest.TestCase):
    def test_chat_stream_tools_and_errors(self):
        sdk.run("node", places.ROOT / "tests/e2e/sdk/chat.mjs", places.FETCHED / "node")

    def test_the_same_over_https(self):
        sdk.run("node", places.ROOT / "tests/e2e/sdk/chat.mjs", places.FETCHED / "node", https=True)


if __name__ == "__main__":
    places.main("server", "models", "node")
