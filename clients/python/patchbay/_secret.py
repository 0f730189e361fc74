from __future__ import annotations

import re
from typing import NoReturn

_PLAIN = re.compile(r"[\x21-\x7e]{1,4096}")


class Secret:
    """A key or a session. It is not shown, and not saved with a notebook's variables."""

    __slots__ = ("_text",)

    def __init__(self, text: str, what: str) -> None:
        # An error of the transport would repeat it.
        if _PLAIN.fullmatch(text) is None:
            raise ValueError(f"{what} must be given, without spaces and line breaks")
        self._text = text

    def reveal(self) -> str:
        return self._text

    def as_bearer(self) -> "Secret":
        header = Secret(self._text, "token")
        header._text = f"Bearer {self._text}"
        return header

    def __repr__(self) -> str:
        return "[secret]"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not saved")
