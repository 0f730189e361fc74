"""A server on loopback that answers what a test has written down, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Optional, Union


@dataclass
class Asked:
    method: str
    target: str
    headers: Dict[str, str]
    body: bytes


@dataclass
class Answer:
    status: int = 200
    body: Union[bytes, Dict[str, Any], List[Any], None] = None
    headers: Dict[str, str] = field(default_factory=dict)
    #: Closes the connection without an answer.
    is_lost: bool = False
    #: Announces more than it sends.
    is_cut: bool = False


def problem(status: int, code: str, **headers: str) -> Answer:
    body = {"type": "about:blank", "title": f"Title of {code}", "status": status, "code": code, "detail": "Why", "more": 7}
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, json.dumps(body).encode(), {"content-type": "application/problem+json", **sent})


class Stub:
    def __init__(self, *answers: Answer, always: Optional[Callable[[Asked], Answer]] = None) -> None:
        self.asked: List[Asked] = []
        self._answers = list(answers)
        self._always = always
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _handle(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                asked = Asked(self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, self.rfile.read(length))
                stub.asked.append(asked)
                answer = stub._always(asked) if stub._always else stub._answers.pop(0)
                self.close_connection = True
                if answer.is_lost:
                    return
                body = answer.body if isinstance(answer.body, bytes) else b"" if answer.body is None else json.dumps(answer.body).encode()
                self.send_response(answer.status)
                if not isinstance(answer.body, bytes) and answer.body is not None:
                    self.send_header("content-type", "application/json")
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(body) + (100 if answer.is_cut else 0)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = _handle

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def __enter__(self) -> "Stub":
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._server.server_close()


ABOUT = {
    "name": "patchbay",
    "version": "1.2.3",
    "node": "n",
    "installation": {"id": "i", "created_at": "2026-01-02T03:04:05.678Z"},
    "later": "a newer server may say more",
}
