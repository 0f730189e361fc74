from __future__ import annotations

import base64
import binascii
import hashlib
import re
import time
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from types import TracebackType
from typing import Iterator, Optional, Type, Union

from ._files import write_atomically
from .errors import UnexpectedResponse, Unanswered

#: What is held in memory: an answer in JSON, or a picture.
MOST_BYTES = 32 * 1024 * 1024
_CHUNK = 64 * 1024
_DIGEST = re.compile(r"sha-256=:([A-Za-z0-9+/=]+):")


def read_bounded(response: HTTPResponse, timeout: float, most: int = MOST_BYTES) -> bytes:
    ends_at = time.monotonic() + timeout
    chunks = []
    size = 0
    for chunk in _chunks(response):
        size += len(chunk)
        if size > most:
            raise UnexpectedResponse(response.status, "the answer is too large")
        if time.monotonic() > ends_at:
            raise Unanswered("no answer in time", True)
        chunks.append(chunk)
    return b"".join(chunks)


def _chunks(response: HTTPResponse) -> Iterator[bytes]:
    expected = response.length
    size = 0
    while True:
        try:
            # As much as is there: whoever follows events does not wait for a full block.
            chunk = response.read1(_CHUNK)
        except (OSError, HTTPException) as error:
            is_late = isinstance(error, TimeoutError) or type(error).__name__ == "timeout"
            raise Unanswered("nothing came for a while" if is_late else "the answer broke off", is_late) from None
        if not chunk:
            break
        size += len(chunk)
        yield chunk
    # At the end of a connection, read1 does not say that something is missing.
    if expected is not None and size < expected:
        raise Unanswered("the answer broke off")


class Stream:
    """Bytes as they come, of any size. Use it in a `with`, or read it to its end; `save` writes it into a file."""

    def __init__(self, response: HTTPResponse) -> None:
        self._response = response
        self.media_type: str = response.headers.get_content_type()
        self.size: Optional[int] = response.length
        self.sha256: Optional[str] = _sha256(response.getheader("repr-digest"))
        etag = (response.getheader("etag") or "").strip('"')
        self.revision: Optional[int] = int(etag) if etag.isascii() and etag.isdigit() else None
        self.is_whole: bool = response.status != 206

    def __iter__(self) -> Iterator[bytes]:
        """Each chunk. What is not as announced is an error at its end."""
        digest = hashlib.sha256()
        with self._response:
            for chunk in _chunks(self._response):
                digest.update(chunk)
                yield chunk
        if self.is_whole and self.sha256 is not None and digest.hexdigest() != self.sha256:
            raise UnexpectedResponse(200, "the bytes do not have the announced SHA-256")

    def read(self, most: Optional[int] = None) -> bytes:
        """All of it, in memory; more than `most` bytes are an error."""
        chunks = []
        size = 0
        for chunk in self:
            size += len(chunk)
            if most is not None and size > most:
                raise UnexpectedResponse(200, "the answer is too large")
            chunks.append(chunk)
        return b"".join(chunks)

    def save(self, path: Union[str, Path], overwrite: bool = True) -> Path:
        """Into a file, which appears when it is whole."""
        try:
            return write_atomically(path, self, overwrite)
        finally:
            self.close()

    def close(self) -> None:
        self._response.close()

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()


def _sha256(digest: Optional[str]) -> Optional[str]:
    found = _DIGEST.search(digest or "")
    if found is None:
        return None
    try:
        return base64.b64decode(found.group(1), validate=True).hex()
    except binascii.Error:
        return None
