"""One server, asked as one key or session: deadlines, repeated questions, and answers of bounded size."""

from __future__ import annotations

import json
import random
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPResponse
from typing import Any, BinaryIO, Collection, Dict, Generic, Mapping, Optional, Type, TypeVar, Union
from urllib.parse import urljoin, urlsplit

from ._address import Query, check_server, fill, is_loopback
from ._secret import Secret
from ._stream import Stream, read_bounded
from ._text import strip_hidden
from ._transport import Failure, send
from ._wire import Unfit, parse
from .display import Table
from .errors import PatchbayError, Problem, UnexpectedResponse, Unanswered
from .types import Page

T = TypeVar("T")
Upload = Union[bytes, BinaryIO]

DEADLINE_S = 30.0
#: Of a stream of bytes that stands still, sent or received.
STALL_S = 60.0
ATTEMPTS = 3
MOST_PAGES = 1_000
MOST_REDIRECTS = 3
LONGEST_PAUSE_S = 60.0
#: Refused before anything was done, so that asking again is always right.
NOT_BEGUN = ("rate_limited", "shutting_down")


@dataclass(frozen=True)
class Nothing:
    """An answer without a body."""


@dataclass(frozen=True)
class Route(Generic[T]):
    """An endpoint of the contract. `is_repeatable`: asking twice is asking once, so a lost answer does no harm."""

    method: str
    path: str
    answer: Type[T]
    is_repeatable: bool = False


class Connection:
    def __init__(
        self,
        server: str,
        credential: Optional[Dict[str, Secret]] = None,
        timeout: float = DEADLINE_S,
        allow_http: bool = False,
    ) -> None:
        self.server = check_server(server, allow_http)
        self.timeout = timeout
        self._credential = {} if credential is None else credential

    def ask(
        self,
        route: Route[T],
        params: Optional[Mapping[str, str]] = None,
        query: Optional[Query] = None,
        body: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, Union[str, Secret]]] = None,
        upload: Optional[Upload] = None,
        wait: float = 0,
        is_repeatable: Optional[bool] = None,
        keep_null: Collection[str] = (),
    ) -> T:
        """`wait`: seconds that the server was asked to wait, beside what a call may take.

        What is `None` in `body` is left out, but for what `keep_null` names.
        """
        content = None if body is None else {name: each for name, each in body.items() if each is not None or name in keep_null}
        response = self._ask(route, params, query, content, headers, upload, wait, is_repeatable)
        with response:
            if route.answer is Nothing:
                return route.answer()
            value = _json(response, self.timeout)
        try:
            return parse(route.answer, value)
        except Unfit as error:
            raise UnexpectedResponse(response.status, str(error).lstrip(".")) from None

    def pages(self, route: Route[Page[T]], params: Optional[Mapping[str, str]] = None, query: Optional[Query] = None) -> Table[T]:
        """A list to its end."""
        items: Table[T] = Table()
        cursor: Optional[str] = None
        for _ in range(MOST_PAGES):
            page = self.ask(route, params, {**(query or {}), "cursor": cursor})
            items.extend(page.items)
            cursor = page.next_cursor
            if cursor is None:
                break
        return items

    def open(
        self,
        route: Route[bytes],
        params: Optional[Mapping[str, str]] = None,
        query: Optional[Query] = None,
        body: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, Union[str, Secret]]] = None,
        wait: float = 0,
    ) -> Stream:
        """Bytes as they come. To be read to their end, or closed."""
        return Stream(self._ask(route, params, query, body, headers, None, wait, None))

    def open_url(self, url: str) -> Stream:
        """An address out of an answer, such as that of an archive. The key goes to this server alone."""
        secured = self._credential if url.startswith(f"{self.server}/") else {}
        for _ in range(MOST_REDIRECTS + 1):
            response = self._once("GET", self._checked(url), secured, None, self.timeout)
            if not 300 <= response.status < 400:
                return Stream(_accepted(response, self.timeout))
            location = response.getheader("location") or ""
            response.close()
            url, secured = urljoin(url, location), {}
        raise UnexpectedResponse(310, "it redirects too often")

    def _checked(self, url: str) -> str:
        """What a server names elsewhere is encrypted: it must not lead a caller to what listens on their own machine."""
        if url.startswith(f"{self.server}/"):
            return url
        try:
            checked = check_server(url.partition("?")[0].partition("#")[0])
        except ValueError:
            checked = ""
        if checked.startswith("https:") or (checked != "" and is_loopback(urlsplit(self.server).hostname)):
            return url
        raise UnexpectedResponse(200, "it names an address that is not encrypted")

    def _ask(
        self,
        route: Route[Any],
        params: Optional[Mapping[str, str]],
        query: Optional[Query],
        body: Optional[Mapping[str, Any]],
        headers: Optional[Mapping[str, Union[str, Secret]]],
        upload: Optional[Upload],
        wait: float,
        is_repeatable: Optional[bool],
    ) -> HTTPResponse:
        url = self.server + fill(route.path, params or {}, query or {})
        sent: Dict[str, Union[str, Secret]] = {**self._credential, **(headers or {})}
        content: Optional[Upload] = upload
        if body is not None:
            content = json.dumps(body, allow_nan=False).encode()
            sent["content-type"] = "application/json"
        may_repeat = route.is_repeatable if is_repeatable is None else is_repeatable
        begin = None if content is None or isinstance(content, bytes) or not content.seekable() else content.tell()
        ends_at = time.monotonic() + self.timeout + wait
        attempt = 0
        while True:
            try:
                left = max(1.0, ends_at - time.monotonic())
                limit = max(left, STALL_S) if upload is not None else left
                response = self._once(route.method, url, sent, content, limit)
                return _accepted(response, limit)
            except PatchbayError as error:
                pause = _pause_after(error, may_repeat and attempt + 1 < ATTEMPTS)
                if pause is None or not _can_repeat(content, begin):
                    raise
                pause = max(pause, _backoff(attempt))
                if time.monotonic() + pause >= ends_at:
                    raise
            time.sleep(pause)
            attempt += 1
            if begin is not None and content is not None and not isinstance(content, bytes):
                content.seek(begin)

    def _once(
        self,
        method: str,
        url: str,
        headers: Mapping[str, Union[str, Secret]],
        content: Optional[Upload],
        timeout: float,
    ) -> HTTPResponse:
        answer = send(method, url, headers, content, timeout)
        if isinstance(answer, Failure):
            # Raised here, where no variable holds a key: some tools show them beside a traceback.
            raise Unanswered(answer.why, answer.is_late)
        return answer


def is_passing(error: PatchbayError) -> bool:
    """Whether the server, or what stands before it, may be there again in a moment."""
    return isinstance(error, Unanswered) or (isinstance(error, (Problem, UnexpectedResponse)) and error.status in (502, 503))


def _pause_after(error: PatchbayError, may_repeat: bool) -> Optional[float]:
    if isinstance(error, Problem) and error.code in NOT_BEGUN:
        return error.retry_after or 0
    return 0 if may_repeat and is_passing(error) else None


def _can_repeat(content: Optional[Upload], begin: Optional[int]) -> bool:
    return content is None or isinstance(content, bytes) or begin is not None


def _backoff(attempt: int) -> float:
    ceiling = min(10.0, 0.5 * 2.0 ** min(attempt, 10))
    return ceiling / 2 + random.random() * ceiling / 2


def _accepted(response: HTTPResponse, timeout: float) -> HTTPResponse:
    """The answer if it is one; otherwise its refusal."""
    if 200 <= response.status < 300:
        return response
    with response:
        if 300 <= response.status < 400:
            raise UnexpectedResponse(response.status, "it redirects elsewhere; use the address it redirects to")
        kind = response.headers.get_content_type()
        if kind != "application/problem+json":
            raise UnexpectedResponse(response.status, f"content type {strip_hidden(kind)}")
        problem = _decoded(read_bounded(response, timeout))
    if not isinstance(problem, dict) or not isinstance(problem.get("code"), str):
        raise UnexpectedResponse(response.status, "unreadable problem")
    code, title, detail = problem["code"], problem.get("title"), problem.get("detail")
    raise Problem(
        strip_hidden(code),
        response.status,
        strip_hidden(title) if isinstance(title, str) else "Refused",
        strip_hidden(detail) if isinstance(detail, str) else None,
        {name: value for name, value in problem.items() if name not in ("type", "title", "status", "code", "detail")},
        _retry_after(response.getheader("retry-after")),
    )


def _json(response: HTTPResponse, timeout: float) -> Any:
    kind = response.headers.get_content_type()
    if kind != "application/json":
        raise UnexpectedResponse(response.status, f"content type {strip_hidden(kind)}")
    value = _decoded(read_bounded(response, timeout))
    if value is None:
        raise UnexpectedResponse(response.status, "it is not JSON")
    return value


def _decoded(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _retry_after(header: Optional[str]) -> Optional[float]:
    if header is None:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit():
        return min(LONGEST_PAUSE_S, float(text[:6]))
    try:
        return min(LONGEST_PAUSE_S, max(0.0, parsedate_to_datetime(text).timestamp() - time.time()))
    except (TypeError, ValueError, OverflowError):
        return None
