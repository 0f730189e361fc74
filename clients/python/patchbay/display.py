"""What notebooks show: tables and pictures. Texts of strangers are escaped, and pictures cannot run scripts."""

from __future__ import annotations

import base64
from dataclasses import fields, is_dataclass
from datetime import datetime, timezone
from html import escape
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Sequence, TypeVar, Union

from ._files import write_atomically
from ._text import strip_hidden

T = TypeVar("T")

MOST_ROWS = 200
MOST_CHARACTERS = 200


class Table(List[T]):
    """A list of objects that a notebook shows as a table. `pandas.DataFrame(table.rows())` takes it as well."""

    @property
    def columns(self) -> List[str]:
        first = self[0] if self else None
        return [each.name for each in fields(first)] if is_dataclass(first) else []

    def rows(self) -> List[Dict[str, Any]]:
        """Each object as a dictionary, its parts as they are."""
        return [{name: getattr(each, name) for name in self.columns} for each in self]

    def _repr_html_(self) -> str:
        return table_html(self.columns, ([getattr(each, name) for name in self.columns] for each in self), len(self))


def table_html(columns: Sequence[str], rows: Iterable[Sequence[Any]], count: int) -> str:
    if count == 0:
        return "<p>Nothing to list.</p>"
    head = "".join(f"<th>{escape(words_of(name))}</th>" for name in columns)
    shown = [row for row, _ in zip(rows, range(MOST_ROWS))]
    body = "".join("<tr>" + "".join(f"<td>{escape(cell_text(value))}</td>" for value in row) + "</tr>" for row in shown)
    more = "" if count <= len(shown) else f"<p>{count - len(shown)} more.</p>"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def words_of(name: str) -> str:
    plain = name.rstrip("_").replace("_", " ")
    return plain[:1].upper() + plain[1:]


def cell_text(value: Any) -> str:
    """One line, without what is hidden, and not longer than a cell should be."""
    text = strip_hidden(_plain(value))
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"


def _plain(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC")
    if isinstance(value, (list, tuple)):
        return ", ".join(_plain(each) for each in value[:MOST_ROWS])
    if is_dataclass(value) and "__str__" not in vars(type(value)):
        name = getattr(value, "name", None)
        return str(value) if name is None else str(name)
    return str(value)


class Picture:
    """A PNG or SVG picture. A notebook shows it; `save` writes it into a file."""

    def __init__(self, data: bytes, media_type: str, title: str = "") -> None:
        self.data = data
        self.media_type = media_type
        self.title = title

    def save(self, path: Union[str, Path], overwrite: bool = True) -> Path:
        return write_atomically(path, [self.data], overwrite)

    def __repr__(self) -> str:
        return f"<Picture {self.media_type}, {len(self.data)} bytes>"

    def _repr_png_(self) -> Optional[bytes]:
        return self.data if self.media_type == "image/png" else None

    def _repr_html_(self) -> Optional[str]:
        # As an image, and not as a part of the page, where an SVG could run scripts.
        if self.media_type != "image/svg+xml":
            return None
        source = base64.b64encode(self.data).decode("ascii")
        title = escape(cell_text(self.title))
        return f'<img src="data:image/svg+xml;base64,{source}" alt="{title}" style="max-width: 100%; background: #fff">'
