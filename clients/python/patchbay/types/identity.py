from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Optional, Tuple

__all__ = ["About", "Credential", "Installation", "Intent", "IntentStatus", "Person", "Whoami"]


@dataclass(frozen=True)
class Installation:
    id: str
    created_at: datetime


@dataclass(frozen=True)
class About:
    name: str
    version: str
    node: str
    installation: Installation


@dataclass(frozen=True)
class Person:
    handle: str
    display_name: str
    is_admin: bool


@dataclass(frozen=True)
class Credential:
    kind: str
    label: Optional[str]
    expires_at: Optional[datetime]
    scopes: Optional[Tuple[str, ...]]


@dataclass(frozen=True)
class Whoami:
    person: Person
    credential: Credential


@dataclass(frozen=True)
class Intent:
    token: str
    created_at: datetime
    expires_at: datetime
    requested_max_age: int
    auth_url: str
    confirmation_code: Optional[str] = None

    def __repr__(self) -> str:
        # The token and the link are secrets.
        return f"Intent(expires_at={self.expires_at!r})"


@dataclass(frozen=True)
class IntentStatus:
    state: str
    session_token: Optional[str] = None

    def __repr__(self) -> str:
        return f"IntentStatus(state={self.state!r})"
