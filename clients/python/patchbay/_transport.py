"""One request over a connection of its own. It follows no redirect and knows no cookies."""

from __future__ import annotations

import errno
import ssl
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import BinaryIO, Dict, Mapping, Optional, Union
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from ._secret import Secret
from ._version import VERSION


@dataclass(frozen=True)
class Failure:
    """Why nothing came back, in words that hold neither address nor header."""

    why: str
    is_late: bool


def send(
    method: str,
    url: str,
    headers: Mapping[str, Union[str, Secret]],
    content: Optional[Union[bytes, BinaryIO]],
    timeout: float,
) -> Union[HTTPResponse, Failure]:
    """Answers a failure instead of raising it: this frame knows the key."""
    parts = urlsplit(url)
    plain = {name: value.reveal() if isinstance(value, Secret) else value for name, value in headers.items()}
    plain.update({"accept-encoding": "identity", "connection": "close", "user-agent": f"patchbay-python/{VERSION}"})
    plain.setdefault("accept", "application/json")
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    connection = _connection(parts.scheme, parts.hostname or "", parts.port, timeout)
    try:
        try:
            connection.request(method, target or "/", body=content, headers=plain, encode_chunked=_is_chunked(content, plain))
        except (BrokenPipeError, ConnectionResetError):
            # A server that has refused does not read the rest; what it said may be here already.
            pass
        response = connection.getresponse()
    except (OSError, HTTPException) as error:
        connection.close()
        return _failure(error)
    return response


def _is_chunked(content: Optional[Union[bytes, BinaryIO]], headers: Dict[str, str]) -> bool:
    if content is None or isinstance(content, bytes):
        return False
    if content.seekable():
        begin = content.tell()
        headers["content-length"] = str(content.seek(0, 2) - begin)
        content.seek(begin)
        return False
    headers["transfer-encoding"] = "chunked"
    return True


def _connection(scheme: str, host: str, port: Optional[int], timeout: float) -> HTTPConnection:
    if scheme != "https":
        # Never through a proxy, which would read the key.
        return HTTPConnection(host, port, timeout=timeout)
    context = ssl.create_default_context()
    proxy = None if proxy_bypass(host) else getproxies().get("https")
    if proxy is None:
        return HTTPSConnection(host, port, timeout=timeout, context=context)
    parts = urlsplit(proxy if "//" in proxy else f"//{proxy}")
    connection = HTTPSConnection(parts.hostname or "", parts.port or 80, timeout=timeout, context=context)
    connection.set_tunnel(host, port or 443, _proxy_headers(parts.username, parts.password))
    return connection


def _proxy_headers(username: Optional[str], password: Optional[str]) -> Dict[str, str]:
    if username is None:
        return {}
    from base64 import b64encode

    pair = f"{unquote(username)}:{unquote(password or '')}".encode()
    return {"proxy-authorization": f"Basic {b64encode(pair).decode('ascii')}"}


def _failure(error: Exception) -> Failure:
    # Its own text may repeat what was sent.
    if isinstance(error, TimeoutError) or type(error).__name__ == "timeout":
        return Failure("no answer in time", True)
    if isinstance(error, ssl.SSLCertVerificationError):
        return Failure(f"the certificate of the server was rejected: {error.verify_message}", False)
    code = errno.errorcode.get(error.errno) if isinstance(error, OSError) and error.errno is not None else None
    name = code or type(error).__name__
    return Failure(f"the connection failed ({name})", False)
