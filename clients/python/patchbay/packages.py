from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Iterator, Optional, Union

from ._connection import Connection
from ._files import write_atomically
from ._routes import OWNED_PACKAGES, PUBLISH_PACKAGE, SEARCH_PACKAGES, SHOW_PACKAGE
from ._stream import Stream
from .display import Table
from .errors import UnexpectedResponse
from .types import FoundPackage, OwnedPackage, PackagePage, PackageVersion, Published

#: What the registry takes, with the archive's own framing.
_MOST_ARCHIVE_BYTES = 1024 * 1024 * 1024
_UPLOAD_S = 60 * 60.0


class Packages:
    """The package registry."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def search(
        self,
        text: Optional[str] = None,
        *,
        type: Optional[str] = None,
        platform: Optional[str] = None,
        runtime: Optional[str] = None,
        tool_version: Optional[str] = None,
        status: Optional[str] = None,
        tag: Optional[str] = None,
        owner: Optional[str] = None,
        limit: int = 100,
    ) -> Table[FoundPackage]:
        """The best first, `limit` at the most."""
        found: Table[FoundPackage] = Table()
        cursor: Optional[str] = None
        while len(found) < limit:
            query = {
                "q": text,
                "type": type,
                "platform": platform,
                "runtime": runtime,
                "tool_version": tool_version,
                "status": status,
                "tag": tag,
                "owner": owner,
                "limit": min(100, limit - len(found)),
                "cursor": cursor,
            }
            page = self._connection.ask(SEARCH_PACKAGES, query=query)
            found.extend(page.items)
            cursor = page.next_cursor
            if cursor is None:
                break
        return found

    def show(self, identifier: str) -> PackagePage:
        """A package with its versions."""
        return self._connection.ask(SHOW_PACKAGE, {"identifier": identifier})

    def owned(self, owner: str) -> Table[OwnedPackage]:
        return self._connection.pages(OWNED_PACKAGES, {"owner": owner})

    def download(
        self,
        package: Union[str, PackageVersion],
        path: Union[str, Path],
        *,
        version: Optional[str] = None,
        overwrite: bool = True,
    ) -> Path:
        """The archive of a version, the newest that is not yanked unless told, checked while it is written."""
        wanted = package if isinstance(package, PackageVersion) else _choose(self.show(package), version)
        with self._connection.open_url(wanted.download_url) as stream:
            return write_atomically(path, _checked(stream, wanted), overwrite)

    def publish(self, path: Union[str, Path], owner: str, *, visibility: Optional[str] = None) -> Published:
        """Publishes an archive that `patchbay package pack` has made. The same one again changes nothing."""
        with open(path, "rb") as archive:
            return self._connection.ask(
                PUBLISH_PACKAGE,
                {"owner": owner},
                {"visibility": visibility},
                headers={"content-type": "application/zip"},
                upload=archive,
                wait=_UPLOAD_S,
            )


def _choose(page: PackagePage, version: Optional[str]) -> PackageVersion:
    for each in page.versions:
        if each.version == version or (version is None and each.yanked is None):
            return each
    raise LookupError("the package has no such version" if version else "the package has no version that is not yanked")


def _checked(stream: Stream, version: PackageVersion) -> Iterator[bytes]:
    digest = hashlib.sha256()
    size = 0
    for chunk in stream:
        size += len(chunk)
        if size > min(version.download_size, _MOST_ARCHIVE_BYTES):
            raise UnexpectedResponse(200, "the archive is larger than announced")
        digest.update(chunk)
        yield chunk
    if digest.hexdigest() != version.download_sha256:
        raise UnexpectedResponse(200, "the archive does not have the announced SHA-256")
