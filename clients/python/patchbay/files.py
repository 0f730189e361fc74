from __future__ import annotations

import hashlib
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from ._address import Query
from ._connection import Connection
from ._routes import (
    CHANGE_FILES,
    CHANGED_PATHS,
    DELETE_FILE,
    DOWNLOAD_FILES,
    EDIT_FILE,
    FILE_HISTORY,
    LIST_FILES,
    MISSING_CONTENTS,
    OPEN_DOCUMENT,
    READ_FILE,
    RESTORE_FILES,
    SEARCH_FILES,
    UPLOAD_CONTENT,
    WRITE_FILE,
)
from ._stream import Stream
from .display import Table
from .types import (
    ChangedPath,
    ChangedPaths,
    DocumentVersion,
    EditedDocument,
    FileChange,
    FileChanged,
    FileInfo,
    FilePage,
    FolderInfo,
    SearchResult,
)

#: Text, bytes, a file of this computer by its `Path`, or anything open for reading bytes.
Content = Union[str, bytes, Path, BinaryIO]
#: The revision that was read; `"any"` for whatever is there; `None`: the file must not be there yet.
Expected = Union[int, str, None]

_PAGE = 1_000
_MOST_PAGES = 1_000
_UPLOAD_S = 60 * 60.0
_CHANGE_S = 60.0
#: One that has to wait for others first.
_SEARCH_S = 40.0


class Files:
    """The files of one workspace. A key needs the scope `files:read` or `files:write`."""

    def __init__(self, connection: Connection, params: Mapping[str, str]) -> None:
        self._connection = connection
        self._params = params

    def list(self, folder: Optional[str] = None, *, recursive: bool = False) -> FilePage:
        """What is directly in a folder, or with `recursive` every file below it."""
        folders: Table[FolderInfo] = Table()
        files: Table[FileInfo] = Table()
        cursor: Optional[str] = None
        for _ in range(_MOST_PAGES):
            query = {"folder": folder, "recursive": recursive, "limit": _PAGE, "cursor": cursor}
            page = self._connection.ask(LIST_FILES, self._params, query)
            folders.extend(page.folders)
            files.extend(page.files)
            cursor = page.next_cursor
            if cursor is None:
                break
        return FilePage(page.revision, folders, files)

    def open(
        self,
        path: str,
        *,
        revision: Optional[int] = None,
        start: int = 0,
        length: Optional[int] = None,
    ) -> Stream:
        """The bytes as they come, whole or from `start`, as they are or as the change `revision` had left them."""
        headers: Dict[str, str] = {}
        if start or length is not None:
            if start < 0 or (length is not None and length < 1):
                raise ValueError("start must be 0 or more, and length 1 or more")
            end = "" if length is None else str(start + length - 1)
            headers["range"] = f"bytes={start}-{end}"
        return self._connection.open(READ_FILE, self._params, {"path": path, "revision": revision}, headers=headers)

    def read(self, path: str, *, revision: Optional[int] = None, start: int = 0, length: Optional[int] = None) -> bytes:
        """The same, in memory."""
        return self.open(path, revision=revision, start=start, length=length).read()

    def read_text(self, path: str, *, revision: Optional[int] = None, encoding: str = "utf-8") -> str:
        return self.read(path, revision=revision).decode(encoding)

    def download(
        self,
        path: str,
        to: Union[str, Path],
        *,
        revision: Optional[int] = None,
        overwrite: bool = True,
    ) -> Path:
        """Into a file of this computer, which appears when it is whole."""
        return self.open(path, revision=revision).save(to, overwrite)

    def write(
        self,
        path: str,
        content: Content,
        *,
        if_revision: Expected = None,
        media_type: Optional[str] = None,
        reason: Optional[str] = None,
    ) -> FileInfo:
        """Refused with `file_changed` unless the file is the expected one; the problem says what is there.

        `if_revision`: the revision that was read, or `"any"` to replace whatever is there. Without it the file must be new.
        """
        headers = {"content-type": "application/octet-stream", **_expecting(if_revision)}
        query = {"path": path, "mediaType": media_type, "reason": reason}
        with _opened(content) as upload:
            return self._connection.ask(
                WRITE_FILE, self._params, query, headers=headers, upload=upload, wait=_UPLOAD_S
            )

    def document(self, path: str) -> EditedDocument:
        """The text of a file as people edit it at this moment, with what is not saved to it yet."""
        return self._connection.ask(OPEN_DOCUMENT, self._params, {"path": path})

    def edit(self, path: str, edits: Sequence[Tuple[str, str]], *, reason: Optional[str] = None) -> DocumentVersion:
        """Replaces parts of a text, also while people type in it: all of them or none.

        Each pair is what is there exactly once, and what takes its place; otherwise it is refused with `text_not_unique`.
        """
        body = {"path": path, "edits": [{"find": find, "replace": text} for find, text in edits], "reason": reason}
        return self._connection.ask(EDIT_FILE, self._params, body=body, wait=_CHANGE_S)

    def remove(self, path: str, *, if_revision: Expected = "any", reason: Optional[str] = None) -> FileChanged:
        query = {"path": path, "reason": reason}
        return self._connection.ask(DELETE_FILE, self._params, query, headers=_expecting(if_revision))

    def change(self, operations: Sequence[Mapping[str, Any]], *, reason: Optional[str] = None) -> FileChanged:
        """Several changes in one step: all of them or none. Contents are uploaded before.

        Operations are `{"op": "put", "path": …, "sha256": …}`, `delete`, `move` with `to`, and `restore` with `revision`.
        """
        body = {"operations": [dict(each) for each in operations], "reason": reason}
        return self._connection.ask(CHANGE_FILES, self._params, body=body, wait=_CHANGE_S)

    def upload(self, content: Content) -> str:
        """Bytes that a `put` of `change` will name by the SHA-256 that is answered."""
        with _opened(content) as upload:
            if not upload.seekable():
                raise ValueError("what is uploaded must be seekable: its SHA-256 comes first")
            begin = upload.tell()
            digest = hashlib.sha256()
            for chunk in iter(lambda: upload.read(64 * 1024), b""):
                digest.update(chunk)
            upload.seek(begin)
            sha256 = digest.hexdigest()
            headers = {"content-type": "application/octet-stream"}
            params = {**self._params, "sha256": sha256}
            self._connection.ask(UPLOAD_CONTENT, params, headers=headers, upload=upload, wait=_UPLOAD_S)
        return sha256

    def missing(self, sha256: Sequence[str]) -> List[str]:
        """Which of these contents would have to be uploaded."""
        return self._connection.ask(MISSING_CONTENTS, self._params, body={"sha256": [*sha256]}).missing

    def search(
        self,
        text: str,
        *,
        case_sensitive: bool = False,
        whole_word: bool = False,
        wildcards: bool = False,
        path: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> SearchResult:
        """Lines that hold a text. `path`: a file, a folder, or a pattern such as `*.c`."""
        query: Query = {
            "text": text,
            "caseSensitive": case_sensitive,
            "wholeWord": whole_word,
            "wildcards": wildcards,
            "path": path,
            "limit": limit,
        }
        return self._connection.ask(SEARCH_FILES, self._params, query, wait=_SEARCH_S)

    def history(self, path: Optional[str] = None, *, limit: int = 100) -> Table[FileChange]:
        """The last change first."""
        changes: Table[FileChange] = Table()
        cursor: Optional[str] = None
        while len(changes) < limit:
            query: Query = {"path": path, "cursor": cursor, "limit": min(_PAGE, limit - len(changes))}
            page = self._connection.ask(FILE_HISTORY, self._params, query)
            changes.extend(page.items)
            cursor = page.next_cursor
            if cursor is None or not page.items:
                break
        return changes

    def changed_since(self, revision: int, *, wait: int = 0, until: Optional[int] = None) -> ChangedPaths:
        """What each path that was touched after a revision is now. `wait`: seconds to wait for something to happen."""
        query: Dict[str, Optional[int]] = {"after": revision, "until": until, "wait": wait, "limit": _PAGE}
        first = self._connection.ask(CHANGED_PATHS, self._params, query, wait=wait)
        items: Table[ChangedPath] = first.items
        cursor = first.next_cursor
        for _ in range(_MOST_PAGES):
            if cursor is None:
                break
            # Of the same moment: what happens meanwhile is told the next time.
            rest: Query = {"after": revision, "until": first.revision, "limit": _PAGE, "cursor": cursor}
            page = self._connection.ask(CHANGED_PATHS, self._params, rest)
            items.extend(page.items)
            cursor = page.next_cursor
        return ChangedPaths(first.revision, items)

    def restore(self, revision: int, *, reason: Optional[str] = None) -> FileChanged:
        """Makes everything what it was after a change."""
        body = {"revision": revision, "reason": reason}
        return self._connection.ask(RESTORE_FILES, self._params, body=body, wait=_CHANGE_S)

    def archive(self, *, folder: Optional[str] = None, revision: Optional[int] = None) -> Stream:
        """Everything, or one folder, as a ZIP archive: `workspace.files.archive().save("project.zip")`."""
        return self._connection.open(DOWNLOAD_FILES, self._params, {"folder": folder, "revision": revision})


def _expecting(revision: Expected) -> Dict[str, str]:
    if revision is None:
        return {}
    if isinstance(revision, int):
        return {"if-match": f'"{revision}"'}
    if revision != "any":
        raise ValueError('if_revision is a number, "any" or None')
    return {"if-match": "*"}


@contextmanager
def _opened(content: Content) -> Iterator[BinaryIO]:
    if isinstance(content, str):
        yield BytesIO(content.encode())
    elif isinstance(content, bytes):
        yield BytesIO(content)
    elif isinstance(content, Path):
        with content.open("rb") as file:
            yield file
    else:
        yield content
