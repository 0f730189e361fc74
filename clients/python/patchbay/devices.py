from __future__ import annotations

import json
import uuid
from typing import Iterator, Mapping, Optional

from ._connection import Connection
from ._events import EventTooLarge, events_in
from ._routes import (
    ADD_DEVICE,
    COMMAND_DEVICE,
    GRANT_DEVICE,
    LIST_DEVICES,
    READ_DEVICE,
    REMOVE_DEVICE,
    REPLACE_DEVICE_KEY,
    REVOKE_DEVICE,
    SEND_VALUES,
    STOP_DEVICES,
    WATCH_DEVICE,
)
from ._secret import Secret
from ._wire import Unfit, parse
from .display import Table
from .errors import UnexpectedResponse
from .types import (
    AddedDevice,
    CommandResult,
    Device,
    DeviceDetails,
    DeviceKey,
    DevicePage,
    JsonValue,
    LatestValue,
    Stopped,
)

_MOST_PAGES = 1_000
_COMMAND_S = 3.0


class Devices:
    """The devices of one workspace. To look needs the scope `devices:read`, to command or stop `devices:command`."""

    def __init__(self, connection: Connection, params: Mapping[str, str]) -> None:
        self._connection = connection
        self._params = params

    def list(self) -> Table[Device]:
        return self._pages().items

    def stopped(self) -> bool:
        """Whether somebody has stopped the devices. Only a person in a browser releases them."""
        return self._connection.ask(LIST_DEVICES, self._params).stop is not None

    def _pages(self) -> DevicePage:
        devices: Table[Device] = Table()
        cursor: Optional[str] = None
        for _ in range(_MOST_PAGES):
            page = self._connection.ask(LIST_DEVICES, self._params, {"cursor": cursor})
            devices.extend(page.items)
            cursor = page.next_cursor
            if cursor is None:
                break
        return DevicePage(devices, None, page.stop)

    def add(self, name: str, *, title: Optional[str] = None) -> AddedDevice:
        """Answers the key of the device, which is told this once."""
        return self._connection.ask(ADD_DEVICE, self._params, body={"name": name, "title": title})

    def get(self, name: str) -> DeviceDetails:
        """With the latest value of each channel."""
        return self._connection.ask(READ_DEVICE, self._at(name))

    def latest(self, name: str, channel: str) -> JsonValue:
        """The latest value of a channel; `KeyError` while there is none."""
        for each in self.get(name).values:
            if each.channel == channel:
                return each.value
        raise KeyError(channel)

    def remove(self, name: str) -> None:
        """With its key, its values and its grants."""
        self._connection.ask(REMOVE_DEVICE, self._at(name))

    def replace_key(self, name: str) -> DeviceKey:
        """The old key ends at once, and so does the device's connection."""
        return self._connection.ask(REPLACE_DEVICE_KEY, self._at(name))

    def grant(self, name: str, to: str) -> None:
        """Lets another workspace, such as `ada/other`, use it."""
        self._connection.ask(GRANT_DEVICE, {**self._at(name), **_other(to)})

    def revoke(self, name: str, to: str) -> None:
        self._connection.ask(REVOKE_DEVICE, {**self._at(name), **_other(to)})

    def watch(
        self,
        name: str,
        *,
        channel: Optional[str] = None,
        seconds: int = 60,
        rate: Optional[int] = None,
    ) -> Iterator[LatestValue]:
        """Values as they arrive, the latest known ones first, for so many seconds, an hour at the most.

        `rate`: values of one channel in a second, 30 at the most. It ends early when the device is removed.
        """
        query = {"channel": channel, "seconds": seconds, "rate": rate}
        with self._connection.open(WATCH_DEVICE, self._at(name), query, headers={"accept": "text/event-stream"}) as stream:
            try:
                for event in events_in(stream):
                    if event.name == "gone":
                        return
                    if event.name == "value":
                        yield parse(LatestValue, json.loads(event.data))
            except (ValueError, RecursionError) as error:
                known = isinstance(error, (Unfit, EventTooLarge))
                raise UnexpectedResponse(200, str(error) if known else "an event of it is no value of a device") from None

    def command(
        self,
        name: str,
        channel: str,
        value: JsonValue,
        *,
        timeout: float = _COMMAND_S,
        id: Optional[str] = None,
        reason: Optional[str] = None,
    ) -> CommandResult:
        """What the device says. `timeout` as a status: it may have carried the command out all the same.

        The command has a name, so that one whose answer got lost is asked for again and reaches the device once.
        """
        body = {
            "channel": channel,
            "value": value,
            "id": uuid.uuid4().hex if id is None else id,
            "timeoutMs": round(timeout * 1000),
            "reason": reason,
        }
        return self._connection.ask(COMMAND_DEVICE, self._at(name), body=body, wait=timeout, keep_null=("value",))

    def stop(self, *, reason: Optional[str] = None) -> Stopped:
        """Stops all devices. Only a person in a browser releases them."""
        return self._connection.ask(STOP_DEVICES, self._params, body={"reason": reason})

    def send(self, key: str, values: Mapping[str, JsonValue]) -> None:
        """Sends values as a device does, with the key of the device: `devices.send(added.key, {"temperature": 21.5})`."""
        headers = {"x-device-key": Secret(key, "key")}
        Connection(self._connection.server, None, self._connection.timeout, True).ask(
            SEND_VALUES, body=values, headers=headers, keep_null=tuple(values)
        )

    def _at(self, device: str) -> Mapping[str, str]:
        return {**self._params, "device": device}


def _other(name: str) -> Mapping[str, str]:
    owner, _, repo = name.partition("/")
    return {"toOwner": owner, "toRepo": repo}
