from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Dict, Optional, Tuple

from ..display import Table

__all__ = [
    "FoundPackage",
    "FoundVersion",
    "Notice",
    "OwnedPackage",
    "PackageFeed",
    "PackagePage",
    "PackagePerson",
    "PackageVersion",
    "Provenance",
    "Published",
    "PublishWarning",
]


@dataclass(frozen=True)
class FoundVersion:
    version: str
    status: str
    tool_version: str
    tool_version_max: Optional[str]
    platforms: Tuple[str, ...]
    runtime: Optional[str]
    published_at: datetime

    def __str__(self) -> str:
        return self.version


@dataclass(frozen=True)
class FoundPackage:
    identifier: str
    name: str
    latest: Optional[FoundVersion]
    type: str
    owner: str
    description: str
    author: str
    license: str
    tags: Tuple[str, ...]
    icon_url: Optional[str]
    visibility: str


@dataclass(frozen=True)
class PackagePerson:
    name: str
    contact: Dict[str, Any]


@dataclass(frozen=True)
class Notice:
    at: datetime
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True)
class Provenance:
    service: str
    repository: str
    ref: str
    commit: str
    workflow: str
    run_url: str

    def __str__(self) -> str:
        return f"{self.repository} at {self.commit[:12]}"


@dataclass(frozen=True)
class PackageVersion:
    version: str
    status: str
    published_at: datetime
    published_by: str
    tool_version: str
    tool_version_max: Optional[str]
    platforms: Tuple[str, ...]
    runtime: Optional[str]
    download_size: int
    install_size: int
    yanked: Optional[Notice]
    provenance: Optional[Provenance]
    download_url: str
    download_sha256: str
    version_epoch: int
    is_deletable: bool


@dataclass(frozen=True)
class PackageFeed:
    brand: str
    url: str


@dataclass(frozen=True)
class PackagePage:
    """A package with its versions, the newest first."""

    identifier: str
    owner: str
    visibility: str
    is_listed: bool
    name: str
    description: str
    description_full: str
    type: str
    category: Optional[str]
    author: PackagePerson
    maintainer: Optional[PackagePerson]
    license: str
    resources: Dict[str, Any]
    tags: Tuple[str, ...]
    icon_url: Optional[str]
    created_at: datetime
    updated_at: datetime
    quarantine: Optional[Notice]
    versions: Table[PackageVersion]
    feeds: Tuple[PackageFeed, ...]

    def _repr_html_(self) -> str:
        return self.versions._repr_html_()


@dataclass(frozen=True)
class OwnedPackage:
    identifier: str
    name: str
    visibility: str
    is_listed: bool
    latest_version: Optional[str]
    versions: int
    updated_at: datetime


@dataclass(frozen=True)
class PublishWarning:
    pointer: str
    message: str


@dataclass(frozen=True)
class Published:
    identifier: str
    version: str
    owner: str
    visibility: str
    download_url: str
    download_sha256: str
    download_size: int
    install_size: int
    is_indexed: bool
    warnings: Table[PublishWarning]
