from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Iterator, List

_LONGEST = 65_536


class EventTooLarge(ValueError):
    pass


@dataclass(frozen=True)
class Event:
    name: str
    data: str


def events_in(chunks: Iterable[bytes]) -> Iterator[Event]:
    """Server-sent events, however their bytes are cut. CR, LF and CRLF end lines."""
    name, data, size = "message", [], 0  # type: str, List[str], int
    for line in _lines(chunks):
        if line == "":
            if data:
                yield Event(name, "\n".join(data))
            name, data, size = "message", [], 0
            continue
        size += len(line)
        if size > _LONGEST:
            raise EventTooLarge("an event is too large")
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    rest = b""
    was_return = False
    for chunk in chunks:
        # A CRLF that is cut in the middle is one end of a line.
        if was_return and chunk.startswith(b"\n"):
            chunk = chunk[1:]
        if chunk:
            was_return = chunk.endswith(b"\r")
        rest += chunk
        *lines, rest = rest.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        if len(rest) > _LONGEST:
            raise EventTooLarge("an event is too large")
        for line in lines:
            yield line.decode("utf-8", "replace")
