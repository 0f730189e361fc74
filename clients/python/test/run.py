"""Runs the tests of a folder and writes what came of each as JSON: run.py <folder> <outcome.json>."""

from __future__ import annotations

import json
import sys
import time
import unittest
from pathlib import Path
from typing import Any, Dict, List, Tuple

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]


class Outcomes(unittest.TestResult):
    def __init__(self) -> None:
        super().__init__()
        self.outcomes: List[Dict[str, Any]] = []
        self._began = 0.0

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self._began = time.monotonic()

    def _add(self, test: unittest.TestCase, status: str, text: str = "") -> None:
        ms = round((time.monotonic() - self._began) * 1000)
        self.outcomes.append({"id": test.id(), "status": status, "text": text, "ms": ms})

    def addSuccess(self, test: unittest.TestCase) -> None:
        self._add(test, "passed")

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        self._add(test, "skipped", reason)

    def addFailure(self, test: unittest.TestCase, err: Tuple[Any, Any, Any]) -> None:
        super().addFailure(test, err)
        self._add(test, "failed", self.failures[-1][1])

    def addError(self, test: unittest.TestCase, err: Tuple[Any, Any, Any]) -> None:
        super().addError(test, err)
        self._add(test, "failed", self.errors[-1][1])

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._add(test, "failed", (self.failures + self.errors)[-1][1])


def main(folder: str, outcome: str) -> None:
    suite = unittest.defaultTestLoader.discover(str(HERE / folder), "test_*.py", str(HERE))
    result = Outcomes()
    suite.run(result)
    Path(outcome).write_text(json.dumps(result.outcomes), "utf-8")


main(*sys.argv[1:3])
