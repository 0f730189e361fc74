from __future__ import annotations

import time
import uuid
from typing import Any, Dict, Mapping, Optional, Union

from ._connection import Connection, is_passing
from ._routes import (
    ADD_SPLIT,
    ADD_TAB,
    CHANGE_TAB,
    CLOSE_TAB,
    CLOSED_TABS,
    CURRENT_WORKSPACE,
    EVALUATE,
    EVALUATION,
    LIST_PANELS,
    REOPEN_TAB,
    SANDBOX,
    SCREENSHOT,
    SCREENSHOT_FILE,
    WEBVIEW,
)
from ._stream import MOST_BYTES
from .display import Picture, Table
from .errors import PatchbayError, Problem, UnexpectedResponse
from .types import AddedTab, CatalogPanel, ClosedTab, CurrentTab, CurrentWorkspace, EvalOutcome

#: A tab of `current()`, or the id of the panel that holds it.
Target = Union[str, CurrentTab, AddedTab]

_EVAL_S = 5.0
#: The server waits half a minute at the most; a little less leaves it time to say so.
_LONGEST_POLL_S = 25.0
_PAUSE_S = 0.2
_PICTURE_S = 10.0
#: A person needs that long to find where to share.
_ASK_AGAIN_S = 3.0
_PNG = b"\x89PNG\r\n\x1a\n"


class Panels:
    """The panels of one workspace. People who have it open see each change at once, with `reason`."""

    def __init__(self, connection: Connection, params: Mapping[str, str]) -> None:
        self._connection = connection
        self._params = params

    def current(self) -> CurrentWorkspace:
        """The layout, its tabs, what they show, and how many browsers have it open."""
        return self._connection.ask(CURRENT_WORKSPACE, self._params)

    def catalog(self, category: Optional[str] = None) -> Table[CatalogPanel]:
        """The panels that it can hold: ours, and those that its owner has added."""
        query = {"owner": self._params["owner"], "category": category}
        return self._connection.pages(LIST_PANELS, query=query)

    def find(self, title_or_kind: str) -> CurrentTab:
        """The one tab with this title, in any case, this kind or this id. Of several that fit none is guessed."""
        wanted = title_or_kind.strip().casefold()
        tabs = self.current().tabs
        for found in (
            [tab for tab in tabs if tab.tab_id == title_or_kind],
            [tab for tab in tabs if tab.display_name.strip().casefold() == wanted],
            [tab for tab in tabs if tab.kind == wanted],
        ):
            if len(found) == 1:
                return found[0]
            if found:
                raise LookupError("several tabs fit: give the id of one")
        raise LookupError("no tab fits")

    def add(
        self,
        panel: str,
        *,
        title: Optional[str] = None,
        panel_id: Optional[str] = None,
        split: Optional[str] = None,
        initial_state: Optional[Mapping[str, Any]] = None,
        activate: Optional[bool] = None,
        reason: Optional[str] = None,
    ) -> AddedTab:
        """`panel` is a kind, such as `webview`, or the id of a panel of the catalog.

        It is a new tab of the panel `panel_id`, or with `split` (`left`, `right`, `up`, `down`) a panel at that side of it.
        """
        body: Dict[str, Any] = {
            "panelType": panel,
            # Named here, so that adding it again after a lost answer gives the same tab.
            "tabId": str(uuid.uuid4()),
            "displayName": title,
            "panelId": panel_id,
            "initialState": None if initial_state is None else dict(initial_state),
            "activate": activate,
            "reason": reason,
            "direction": split,
        }
        return self._connection.ask(ADD_TAB if split is None else ADD_SPLIT, self._params, body=body)

    def activate(self, tab_id: str, *, reason: Optional[str] = None) -> int:
        return self._change(tab_id, {"isActive": True, "reason": reason})

    def rename(self, tab_id: str, title: str, *, reason: Optional[str] = None) -> int:
        return self._change(tab_id, {"displayName": title, "reason": reason})

    def set_state(self, tab_id: str, state: Mapping[str, Any], *, reason: Optional[str] = None) -> int:
        """What the panel shows, such as the channels that a panel of a device binds."""
        return self._change(tab_id, {"state": dict(state), "reason": reason})

    def _change(self, tab_id: str, body: Mapping[str, Any]) -> int:
        """Answers the version of the layout, as all changes do."""
        return self._connection.ask(CHANGE_TAB, {**self._params, "tabId": tab_id}, body=body).version

    def close(self, tab_id: str) -> None:
        """What it showed is kept for 30 days."""
        self._connection.ask(CLOSE_TAB, {**self._params, "tabId": tab_id})

    def closed(self) -> Table[ClosedTab]:
        """The last closed first."""
        return self._connection.ask(CLOSED_TABS, self._params).items

    def reopen(self, tab_id: str, *, reason: Optional[str] = None) -> AddedTab:
        return self._connection.ask(REOPEN_TAB, {**self._params, "tabId": tab_id}, body={"reason": reason})

    def navigate(self, target: Target, url: str, *, reason: Optional[str] = None) -> None:
        """Shows a page in a web view."""
        body = {**_target(target), "action": "navigate", "url": url, "reason": reason}
        self._connection.ask(WEBVIEW, self._params, body=body, is_repeatable=True)

    def refresh(self, target: Target, *, reason: Optional[str] = None) -> None:
        self._connection.ask(WEBVIEW, self._params, body={**_target(target), "action": "refresh", "reason": reason})

    def run(
        self,
        target: Target,
        code: str,
        *,
        timeout: float = _EVAL_S,
        wait: float = 60,
        reason: Optional[str] = None,
    ) -> EvalOutcome:
        """Runs JavaScript in a sandbox, once or not at all, and waits for what is queued until a browser is there.

        `timeout`: seconds that the code may run, 30 at the most. After `wait` seconds the outcome is still `queued`.
        """
        body: Dict[str, Any] = {**_target(target), "action": "eval", "code": code, "timeoutMs": round(timeout * 1000), "reason": reason}
        outcome = self._connection.ask(EVALUATE, self._params, body=body, wait=timeout)
        ends_at = time.monotonic() + wait
        while outcome.status == "queued" and time.monotonic() < ends_at:
            left = min(_LONGEST_POLL_S, max(0.0, ends_at - time.monotonic()))
            params = {**self._params, "id": outcome.id}
            try:
                outcome = self._connection.ask(EVALUATION, params, {"waitMs": round(left * 1000)}, wait=left)
            except PatchbayError as error:
                # A server that restarts has not forgotten what is queued.
                if not is_passing(error):
                    raise
            if outcome.status == "queued":
                time.sleep(_PAUSE_S)
        return outcome

    def reset(self, target: Target, *, reason: Optional[str] = None) -> None:
        """Makes a sandbox as new."""
        self._connection.ask(SANDBOX, self._params, body={**_target(target), "action": "reset", "reason": reason})

    def screenshot(
        self,
        target: Optional[Target] = None,
        *,
        method: Optional[str] = None,
        wait_for_sharing: float = 0,
        timeout: float = _PICTURE_S,
        reason: Optional[str] = None,
    ) -> Picture:
        """A picture of a panel, or of the workspace. The person is asked to share once, and may take `wait_for_sharing` seconds."""
        body: Dict[str, Any] = {"timeoutMs": round(timeout * 1000), "method": method, "reason": reason}
        body.update({"scope": "workspace"} if target is None else {"scope": "panel", **_target(target)})
        ends_at = time.monotonic() + wait_for_sharing
        while True:
            try:
                capture = self._connection.ask(SCREENSHOT, self._params, body=body, wait=timeout)
                break
            except Problem as problem:
                if problem.code != "sharing_not_enabled" or ends_at - time.monotonic() < _ASK_AGAIN_S:
                    raise
            time.sleep(_ASK_AGAIN_S)
        params = {**self._params, "id": f"{capture.id}.png"}
        with self._connection.open(SCREENSHOT_FILE, params, headers={"accept": "image/png"}) as stream:
            data = stream.read(MOST_BYTES)
        if not data.startswith(_PNG):
            raise UnexpectedResponse(200, "it is no PNG")
        return Picture(data, "image/png")


def _target(target: Target) -> Dict[str, str]:
    if isinstance(target, str):
        return {"panelId": target}
    return {"panelId": target.panel_id, "tabId": target.tab_id}
