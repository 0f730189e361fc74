"""Addresses: which ones a key is sent to, and how names become part of them."""

from __future__ import annotations

import re
from typing import Mapping, Optional, Sequence, Union
from urllib.parse import quote, urlencode, urlsplit

Value = Union[str, int, float, bool]
Query = Mapping[str, Optional[Union[Value, Sequence[str]]]]

_LOOPBACK = re.compile(r"localhost|.+\.localhost|127(?:\.\d{1,3}){3}|::1")
_PARAMETER = re.compile(r"\{([^}]+)\}")
_CONTROL = re.compile(r"[\x00-\x20\x7f]")


def is_loopback(host: Optional[str]) -> bool:
    return host is not None and _LOOPBACK.fullmatch(host) is not None


def check_server(server: str, allow_http: bool = False) -> str:
    """The address without a slash at its end. It is not repeated in errors: people paste addresses with secrets in them."""
    try:
        if _CONTROL.search(server) is not None or "\\" in server:
            raise ValueError
        url = urlsplit(server)
        port = url.port
    except ValueError:
        raise ValueError("server is no address") from None
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ValueError("server must be an address that begins with https:// or http://")
    if url.username is not None or url.password is not None:
        raise ValueError("server must hold no credentials")
    if "?" in server or "#" in server:
        raise ValueError("server must have no query and no fragment")
    if url.scheme == "http" and not allow_http and not is_loopback(url.hostname):
        raise ValueError("server must be encrypted (https://) unless it is on this machine; allow_http=True sends the key in the clear")
    return origin_of(url.scheme, url.hostname, port) + url.path.rstrip("/")


def origin_of(scheme: str, host: str, port: Optional[int]) -> str:
    name = f"[{host}]" if ":" in host else host
    usual = 443 if scheme == "https" else 80
    return f"{scheme}://{name}" if port is None or port == usual else f"{scheme}://{name}:{port}"


def origin(server: str) -> str:
    url = urlsplit(server)
    return origin_of(url.scheme, url.hostname or "", url.port)


def fill(path: str, params: Mapping[str, str], query: Query) -> str:
    """Every name is one segment, whatever it holds. An empty one would address something else."""

    def segment(match: "re.Match[str]") -> str:
        name = match.group(1)
        value = params.get(name, "")
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise ValueError(f"{name} is missing")
        return quote(value, safe="")

    filled = _PARAMETER.sub(segment, path)
    pairs = [(name, _text(value)) for name, value in query.items() if value is not None]
    return f"{filled}?{urlencode(pairs, quote_via=quote)}" if pairs else filled


def _text(value: Union[Value, Sequence[str]]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return str(value)
    return ",".join(value)
