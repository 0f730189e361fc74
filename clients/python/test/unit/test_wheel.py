from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
MISSING = [name for name in ("pip", "setuptools", "wheel") if importlib.util.find_spec(name) is None]


class WheelTest(unittest.TestCase):
    @unittest.skipIf(MISSING, f"without {', '.join(MISSING)}")
    def test_installed(self) -> None:
        """[PY-13] it is built into a wheel and installed without a network, whole and with its types"""
        with tempfile.TemporaryDirectory() as folder:
            # Building writes into the folder of the source.
            source = shutil.copytree(PROJECT, Path(folder, "source"), ignore=shutil.ignore_patterns("test", "__pycache__"))
            pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
            offline = ["--no-index", "--no-deps", "--no-build-isolation"]
            subprocess.run([*pip, "wheel", *offline, "--wheel-dir", folder, str(source)], check=True, capture_output=True)
            (wheel,) = Path(folder).glob("patchbay-*-py3-none-any.whl")
            target = Path(folder, "target")
            subprocess.run([*pip, "install", "--no-index", "--target", str(target), str(wheel)], check=True, capture_output=True)
            wanted = {str(path.relative_to(PROJECT)) for path in PROJECT.glob("patchbay/**/*") if path.suffix in (".py", ".typed")}
            found = {str(path.relative_to(target)) for path in target.glob("patchbay/**/*") if path.suffix in (".py", ".typed")}
            self.assertEqual(found, wanted)
            command = [sys.executable, "-c", "import patchbay; print(patchbay.connect('http://localhost:8790'))"]
            told = subprocess.run(command, cwd=target, env={"HOME": folder}, check=True, capture_output=True, text=True)
        self.assertEqual(told.stdout, "<Patchbay at http://localhost:8790>\n")
