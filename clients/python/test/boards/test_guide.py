from __future__ import annotations

import unittest
from typing import Any, Dict

from guide import blocks, run_blocks
from site_of_test import client


class GuideTest(unittest.TestCase):
    def test_run(self) -> None:
        """[PY-90] the blocks of the guide about a board run as they are"""
        chosen = [block for block in blocks() if "lamp" in block]
        self.assertEqual(len(chosen), 3)
        known: Dict[str, Any] = {"client": client()}
        run_blocks(chosen, known)
        self.assertGreater(known["parts"], 3)
