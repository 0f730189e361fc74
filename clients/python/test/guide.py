"""The Python blocks of the guide, as they stand."""

from __future__ import annotations

import os
import re
import tempfile
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, Dict, List
from unittest import mock

import patchbay
from site_of_test import SITE, decide

GUIDE = Path(__file__).resolve().parents[3] / "docs/guides/use-patchbay-from-python.md"
SERVER = "http://localhost:8790"


def blocks() -> List[str]:
    return re.findall(r"```python\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)


def run_blocks(chosen: List[str], known: Dict[str, Any]) -> str:
    """One after the other, by somebody who approves their login; answers what was printed."""
    said = StringIO()
    login = partial(patchbay.login, on_prompt=lambda prompt: decide(prompt.auth_url, "approve"))
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        surroundings = mock.patch.dict(os.environ, {"XDG_CONFIG_HOME": folder})
        with surroundings, mock.patch.object(patchbay, "login", login), redirect_stdout(said):
            os.chdir(folder)
            try:
                for block in chosen:
                    exec(compile(block.replace(SERVER, SITE["url"]), "guide", "exec"), known)
            finally:
                os.chdir(before)
    return said.getvalue()
