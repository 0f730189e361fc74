from __future__ import annotations

import re
import unittest
from typing import Any, Dict

from guide import GUIDE, blocks, run_blocks


class GuideTest(unittest.TestCase):
    def test_run(self) -> None:
        """[PY-90] the blocks of the guide run as they are, one after the other"""
        chosen = [block for block in blocks() if "lamp" not in block]
        self.assertEqual(len(chosen), 10)
        known: Dict[str, Any] = {}
        said = run_blocks(chosen, known)
        self.assertRegex(said, r"(?m)^20\d\d-.*\+00:00 21\.5$")
        self.assertIn("\ndone\n", said)
        self.assertTrue(said.endswith("file_not_found 404\n"), said)
        self.assertEqual(known["bench"].files.read_text("notes/today.txt"), "The bench is warm.\nIt stays warm.\n")

    def test_named(self) -> None:
        """[PY-90] what the guide and the README name is there"""
        import patchbay

        client = patchbay.connect("https://patchbay.example.com", api_key="pbk_x")
        bench = client.workspace("ada/bench")
        text = GUIDE.read_text("utf-8") + (GUIDE.parents[2] / "clients/python/README.md").read_text("utf-8")
        for part, method in re.findall(r"bench\.(\w+)\.(\w+)\(", text):
            self.assertTrue(callable(getattr(getattr(bench, part), method)), f"{part}.{method}")
        for part, row in re.findall(r"^\| `(?:client|workspace)\.(\w+)` \| (.*) \|$", text, re.MULTILINE):
            home = client if part in ("workspaces", "packages") else bench
            for method in re.findall(r"`(\w+)(?:\([^`]*\))?`", row):
                self.assertTrue(callable(getattr(getattr(home, part), method)), f"{part}.{method}")
