from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Generic, List, Optional, TypeVar, Union

from ..display import Table

__all__ = ["Actor", "JsonValue", "Page"]

T = TypeVar("T")
#: What a device says, or a script hands over.
JsonValue = Union[None, bool, int, float, str, List[Any], Dict[str, Any]]


@dataclass(frozen=True)
class Page(Generic[T]):
    items: Table[T]
    next_cursor: Optional[str]


@dataclass(frozen=True)
class Actor:
    """Who did something: a person at a browser, an application of theirs, or one of their keys."""

    kind: str
    name: str
    handle: str

    def __str__(self) -> str:
        return self.handle if self.kind == "browser" else f"{self.name} ({self.handle})"
