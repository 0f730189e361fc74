from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import List, Optional, Tuple

from ..display import Table, table_html
from .common import Actor

__all__ = [
    "ChangeAuthor",
    "ChangedContent",
    "ChangedPath",
    "ChangedPaths",
    "DocumentVersion",
    "EditedDocument",
    "FileChange",
    "FileChanged",
    "FileInfo",
    "FilePage",
    "FolderInfo",
    "FoundFile",
    "FoundLine",
    "FoundRange",
    "MissingContents",
    "SearchResult",
]


@dataclass(frozen=True)
class FileInfo:
    path: str
    size: int
    revision: int
    changed_at: datetime
    changed_by: Actor
    media_type: str
    sha256: str


@dataclass(frozen=True)
class FolderInfo:
    path: str
    files: int
    bytes: int


@dataclass(frozen=True)
class FilePage:
    """`revision` is that of the whole workspace, and moves with every change."""

    revision: int
    folders: Table[FolderInfo]
    files: Table[FileInfo]
    next_cursor: Optional[str] = None

    def _repr_html_(self) -> str:
        folders = self.folders._repr_html_() if self.folders else ""
        return folders + self.files._repr_html_()


@dataclass(frozen=True)
class FileChanged:
    revision: int
    paths: int


@dataclass(frozen=True)
class ChangeAuthor:
    name: str
    at: datetime


@dataclass(frozen=True)
class FileChange:
    revision: int
    at: datetime
    by: Actor
    reason: Optional[str]
    paths: int
    author: Optional[ChangeAuthor]
    editors: Tuple[Actor, ...] = ()


@dataclass(frozen=True)
class ChangedContent:
    sha256: str
    size: int
    media_type: str


@dataclass(frozen=True)
class ChangedPath:
    """`content` is `None` for what was deleted."""

    path: str
    revision: int
    moved_from: Optional[str]
    content: Optional[ChangedContent]


@dataclass(frozen=True)
class ChangedPaths:
    revision: int
    items: Table[ChangedPath]
    next_cursor: Optional[str] = None


@dataclass(frozen=True)
class FoundRange:
    from_: int
    to: int


@dataclass(frozen=True)
class FoundLine:
    line: int
    text: str
    column: int
    ranges: Tuple[FoundRange, ...]


@dataclass(frozen=True)
class FoundFile:
    path: str
    revision: int
    lines: Table[FoundLine]


@dataclass(frozen=True)
class SearchResult:
    """`cut` says why there may be more: `lines`, `bytes` or `time`."""

    files: Table[FoundFile]
    searched: int
    too_large: int
    cut: Optional[str]

    def _repr_html_(self) -> str:
        rows: List[Tuple[str, int, str]] = [(each.path, line.line, line.text) for each in self.files for line in each.lines]
        return table_html(("path", "line", "text"), rows, len(rows))


@dataclass(frozen=True)
class EditedDocument:
    document: int
    version: int
    saved_version: int
    text: str


@dataclass(frozen=True)
class DocumentVersion:
    document: int
    version: int


@dataclass(frozen=True)
class MissingContents:
    missing: List[str]
