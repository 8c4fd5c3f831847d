#!/usr/bin/env python3
"""`weir count --text` of 100 MB that come through a pipe: the right number, in memory that does not grow with the text."""
import os
import resource
import subprocess
import unittest

from harness import places

TEXT_BYTES = 100_000_000
MEMORY_KB_MAX = 80_000
SENTENCES = ("The quick brown fox jumps over the lazy dog, and then it sleeps for 12 hours.\n"
             "他们在河边散步，看见一只白色的鸟。今天天气很好，我们去公园玩吧。\n")
BLOCK = (SENTENCES * 3000).encode()


class Count(unittest.TestCase):
    def test_a_text_larger_than_the_memory_it_gets(self):
        alone = subprocess.run([places.weir_binary(), "count", "--text"], input=BLOCK, capture_output=True, check=True)
        blocks = TEXT_BYTES // len(BLOCK)
        counting = subprocess.Popen([places.weir_binary(), "count", "--text"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(blocks):
            counting.stdin.write(BLOCK)
        counting.stdin.close()
        tokens = int(counting.stdout.read())
        counting.stdout.close()
        self.assertEqual(counting.wait(), 0)
        self.assertEqual(tokens, blocks * int(alone.stdout))
        if not os.environ.get("WEIR_SANITIZE"):
            self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, MEMORY_KB_MAX)


if __name__ == "__main__":
    places.main()
