from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Dict, Iterator, Mapping, Optional, Sequence

from ._address import Query
from ._connection import Connection
from ._routes import (
    ADD_MARKER,
    DEVICE_HISTORY,
    EXPORT_RECORDING,
    LIST_MARKERS,
    LIST_RECORDINGS,
    READ_RECORDER,
    RECORDED_VALUES,
    REMOVE_MARKER,
    START_RECORDING,
    STOP_RECORDING,
)
from ._stream import Stream
from ._wire import time_text
from .display import Table
from .types import History, Marker, RecordedValue, Recorder, RecordingFile

_PAGE = 5_000
_HOUR = timedelta(hours=1)


class Recordings:
    """What the devices of one workspace have sent. Times without a zone are those of this computer."""

    def __init__(self, connection: Connection, params: Mapping[str, str]) -> None:
        self._connection = connection
        self._params = params

    def history(
        self,
        device: str,
        start: Optional[datetime] = None,
        end: Optional[datetime] = None,
        *,
        channels: Optional[Sequence[str]] = None,
        points: Optional[int] = None,
    ) -> History:
        """The numbers of a device as so many points, recorded or not; the last hour unless told."""
        query = {**_range(start, end), "channels": channels, "points": points}
        return self._connection.ask(DEVICE_HISTORY, {**self._params, "device": device}, query)

    def values(
        self,
        device: str,
        start: datetime,
        end: datetime,
        *,
        channels: Optional[Sequence[str]] = None,
        with_before: bool = False,
        step_ms: Optional[int] = None,
    ) -> Iterator[RecordedValue]:
        """Every recorded value, in its order, fetched as it is taken."""
        wanted: Query = {**_range(start, end), "channels": channels, "stepMs": step_ms, "limit": _PAGE}
        query: Query = {**wanted, "withBefore": True if with_before else None}
        while True:
            page = self._connection.ask(RECORDED_VALUES, {**self._params, "device": device}, query)
            yield from page.items
            if page.next_cursor is None:
                return
            query = {**wanted, "cursor": page.next_cursor}

    def list(self, device: Optional[str] = None) -> Table[RecordingFile]:
        """What was recorded, the last first; of one device if given."""
        return self._connection.pages(LIST_RECORDINGS, self._params, {"device": device})

    def export(
        self,
        start: datetime,
        end: datetime,
        *,
        devices: Optional[Sequence[str]] = None,
        format: str = "csv",
    ) -> Stream:
        """What was recorded as `csv` or `mcap`: `workspace.recordings.export(start, end).save("run.csv")`."""
        query: Query = {**_range(start, end), "devices": devices, "format": format}
        return self._connection.open(EXPORT_RECORDING, self._params, query)

    def state(self) -> Recorder:
        return self._connection.ask(READ_RECORDER, self._params)

    def start(self) -> Recorder:
        return self._connection.ask(START_RECORDING, self._params)

    def stop(self) -> Recorder:
        return self._connection.ask(STOP_RECORDING, self._params)

    def markers(self, start: Optional[datetime] = None, end: Optional[datetime] = None) -> Table[Marker]:
        query = {"from": None if start is None else time_text(start), "to": None if end is None else time_text(end)}
        return self._connection.pages(LIST_MARKERS, self._params, query)

    def mark(self, label: str, at: Optional[datetime] = None) -> Marker:
        """Marks a moment, the present one unless given."""
        body = {"label": label, "at": None if at is None else time_text(at)}
        return self._connection.ask(ADD_MARKER, self._params, body=body)

    def unmark(self, id: str) -> None:
        self._connection.ask(REMOVE_MARKER, {**self._params, "marker": id})


def _range(start: Optional[datetime], end: Optional[datetime]) -> Dict[str, str]:
    until = datetime.now(timezone.utc) if end is None else end
    return {"from": time_text(until - _HOUR if start is None else start), "to": time_text(until)}
