from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Dict, Optional

from ..display import Table
from .common import JsonValue

__all__ = [
    "AddedTab",
    "Capture",
    "CatalogPanel",
    "ClosedTab",
    "ClosedTabs",
    "CurrentTab",
    "CurrentWorkspace",
    "EvalLine",
    "EvalOutcome",
    "LayoutVersion",
    "SharedWorkspace",
    "TrashedWorkspace",
    "WorkspaceRef",
    "WorkspaceSummary",
]


@dataclass(frozen=True)
class WorkspaceRef:
    owner: str
    repo: str

    def __str__(self) -> str:
        return f"{self.owner}/{self.repo}"


@dataclass(frozen=True)
class WorkspaceSummary:
    owner: str
    repo: str
    version: int
    tabs: int
    created_at: datetime
    changed_at: datetime


@dataclass(frozen=True)
class SharedWorkspace:
    owner: str
    repo: str
    version: int
    tabs: int
    created_at: datetime
    changed_at: datetime
    role: str
    invited_by: str


@dataclass(frozen=True)
class TrashedWorkspace:
    id: str
    owner: str
    repo: str
    tabs: int
    deleted_at: datetime
    gone_at: datetime


@dataclass(frozen=True)
class CurrentTab:
    display_name: str
    kind: str
    is_active: bool
    tab_id: str
    panel_id: str
    panel_type: str
    display_icon: str
    state: Dict[str, Any]


@dataclass(frozen=True)
class CurrentWorkspace:
    """The layout of a workspace, its tabs with what they show, and how many browsers have it open."""

    owner: str
    repo: str
    version: int
    tabs: Table[CurrentTab]
    browsers: int
    is_sharing: bool
    layout: Dict[str, Any]

    def _repr_html_(self) -> str:
        return self.tabs._repr_html_()


@dataclass(frozen=True)
class AddedTab:
    tab_id: str
    panel_id: str
    version: int


@dataclass(frozen=True)
class LayoutVersion:
    version: int


@dataclass(frozen=True)
class ClosedTab:
    tab_id: str
    panel_type: str
    kind: str
    display_name: str
    display_icon: str
    closed_at: datetime


@dataclass(frozen=True)
class ClosedTabs:
    items: Table[ClosedTab]


@dataclass(frozen=True)
class CatalogPanel:
    id: str
    kind: str
    name: str
    description: str
    category: str
    icon: str
    singleton: bool
    availability: str
    url: Optional[str] = None


@dataclass(frozen=True)
class EvalLine:
    level: str
    text: str


@dataclass(frozen=True)
class EvalOutcome:
    """What came of code in a sandbox. `status`: `executed`, `error`, or `queued` until a browser has run it."""

    id: str
    status: str
    expires_at: datetime
    result: JsonValue = None
    result_type: Optional[str] = None
    error: Optional[str] = None
    is_truncated: bool = False
    console: Table[EvalLine] = field(default_factory=Table)
    duration_ms: Optional[int] = None


@dataclass(frozen=True)
class Capture:
    id: str
    url: str
    scope: str
    method: str
    engine: str
    width: int
    height: int
    scale: float
    panel_id: Optional[str]
    tab_id: Optional[str]
    was_activated: bool
    captured_at: datetime
    expires_at: datetime
    bytes: int
    sha256: str
