from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
MYPY = shutil.which("mypy")

#: What a program that uses the package writes.
USER = """
from datetime import datetime
import patchbay

client = patchbay.connect("https://patchbay.example.com", api_key="pbk_x")
workspace = client.workspace("ada/bench")
size: int = workspace.files.list().files[0].size
when: datetime = workspace.files.write("a.txt", "text").changed_at
wrong: str = workspace.files.read("a.txt")
"""


class TypingTest(unittest.TestCase):
    @unittest.skipIf(MYPY is None, "mypy is not installed")
    def test_mypy(self) -> None:
        """[PY-11] the package is typed throughout, for Python 3.9, and a program that uses it is told of its mistakes"""
        with tempfile.TemporaryDirectory() as folder:
            user = Path(folder, "user.py")
            user.write_text(USER, "utf-8")
            command = [MYPY or "", "--strict", "--config-file", str(PROJECT / "pyproject.toml"), "--cache-dir", folder]
            paths = [str(PROJECT / "patchbay"), str(user)]
            checked = subprocess.run([*command, *paths], cwd=PROJECT, capture_output=True, text=True)
        lines = [line for line in checked.stdout.splitlines() if "error:" in line]
        self.assertEqual(len(lines), 1, checked.stdout + checked.stderr)
        self.assertIn("user.py:9: error: Incompatible types in assignment", lines[0])
        self.assertTrue((PROJECT / "patchbay/py.typed").is_file())
        self.assertGreaterEqual(sys.version_info, (3, 9))
