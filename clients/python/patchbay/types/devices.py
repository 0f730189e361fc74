from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Dict, List, Optional, Tuple

from ..display import Table, table_html
from .common import Actor, JsonValue
from .panels import WorkspaceRef

__all__ = [
    "AddedDevice",
    "Arming",
    "Channel",
    "CommandResult",
    "Device",
    "DeviceConnection",
    "DeviceDetails",
    "DeviceKey",
    "DevicePage",
    "EmergencyStop",
    "Gap",
    "History",
    "HistoryPoint",
    "LatestValue",
    "Marker",
    "RecordedValue",
    "Recorder",
    "RecordingFile",
    "Series",
    "Stopped",
]


@dataclass(frozen=True)
class Channel:
    name: str
    title: str
    platform: str
    device_class: Optional[str]
    unit: Optional[str]
    min: Optional[float]
    max: Optional[float]
    step: Optional[float]
    options: Optional[Tuple[str, ...]]
    takes_commands: bool
    is_idempotent: bool
    is_guarded: bool
    stale_after_ms: int


@dataclass(frozen=True)
class Arming:
    until: datetime
    by: Actor
    is_for_agents: bool

    def __str__(self) -> str:
        return f"by {self.by}"


@dataclass(frozen=True)
class Device:
    name: str
    title: str
    status: str
    seen_at: Optional[datetime]
    channels: Table[Channel]
    arming: Optional[Arming]
    manufacturer: Optional[str]
    model: Optional[str]
    version: Optional[str]
    owner: str
    repo: str
    created_at: datetime
    created_by: Actor


@dataclass(frozen=True)
class EmergencyStop:
    since: datetime
    by: Actor
    reason: Optional[str]


@dataclass(frozen=True)
class DevicePage:
    items: Table[Device]
    next_cursor: Optional[str]
    stop: Optional[EmergencyStop]


@dataclass(frozen=True)
class DeviceConnection:
    """Where a device connects with MQTT."""

    host: str
    port: int
    is_tls: bool
    username: str
    topic: str


@dataclass(frozen=True)
class DeviceKey:
    """`key` is told this once."""

    key: str
    connection: Optional[DeviceConnection]

    def __repr__(self) -> str:
        return f"{type(self).__name__}(key=[secret], connection={self.connection!r})"


@dataclass(frozen=True)
class AddedDevice:
    device: Device
    key: str
    connection: Optional[DeviceConnection]

    def __repr__(self) -> str:
        return f"AddedDevice(device={self.device.name!r}, key=[secret], connection={self.connection!r})"


@dataclass(frozen=True)
class LatestValue:
    channel: str
    value: JsonValue
    at: datetime


@dataclass(frozen=True)
class DeviceDetails:
    device: Device
    connection: Optional[DeviceConnection]
    values: Table[LatestValue]
    grants: Tuple[WorkspaceRef, ...]

    def _repr_html_(self) -> str:
        return self.values._repr_html_()


@dataclass(frozen=True)
class CommandResult:
    """`status`: `done`, `sent` to a device that does not confirm, `refused`, `failed`, or `timeout`: it may have happened."""

    id: str
    status: str
    message: Optional[str]


@dataclass(frozen=True)
class Stopped:
    stop: EmergencyStop
    devices: int


@dataclass(frozen=True)
class HistoryPoint:
    #: It comes as a list, in this order.
    IS_TUPLE: ClassVar[bool] = True

    at: datetime
    min: float
    max: float
    mean: float
    last: float
    count: int


@dataclass(frozen=True)
class Series:
    """The numbers of a channel; `member` is the part of a value that is an object, such as `x` of a vector."""

    channel: str
    member: Optional[str]
    points: Table[HistoryPoint]

    def __str__(self) -> str:
        return self.channel if self.member is None else f"{self.channel}.{self.member}"


@dataclass(frozen=True)
class History:
    step_ms: int
    series: Table[Series]
    is_cut: bool

    def rows(self) -> List[Dict[str, Any]]:
        """One dictionary a point, with its channel: what a table or a data frame is made of."""
        return [
            {"channel": str(each), "at": point.at, "min": point.min, "max": point.max, "mean": point.mean, "last": point.last}
            for each in self.series
            for point in each.points
        ]

    def _repr_html_(self) -> str:
        rows = self.rows()
        names = ("channel", "at", "min", "max", "mean", "last")
        return table_html(names, ([row[name] for name in names] for row in rows), len(rows))


@dataclass(frozen=True)
class RecordedValue:
    channel: str
    value: JsonValue
    at: datetime


@dataclass(frozen=True)
class Recorder:
    """`since` is `None` while nothing is recorded."""

    since: Optional[datetime]
    by: Optional[Actor]
    bytes: int
    max_bytes: int


@dataclass(frozen=True)
class Gap:
    from_: datetime
    to: Optional[datetime]
    reason: str


@dataclass(frozen=True)
class RecordingFile:
    device: str
    from_: datetime
    to: datetime
    values: int
    size: int
    gaps: Tuple[Gap, ...]


@dataclass(frozen=True)
class Marker:
    id: str
    at: datetime
    label: str
    by: Actor
