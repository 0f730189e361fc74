from __future__ import annotations

import io
import pickle
import socket
import tempfile
import time
import traceback
import unittest
from hashlib import sha256
from pathlib import Path
from typing import Any, Dict, List
from unittest import mock

import patchbay
from patchbay import _connection, _stream
from patchbay._events import EventTooLarge, events_in
from stub import ABOUT, Answer, Asked, Stub, problem

KEY = "pbk_S3CRET"


def client_of(stub: Stub, **options: Any) -> patchbay.Client:
    return patchbay.connect(stub.url, api_key=KEY, **options)


class ConnectionTest(unittest.TestCase):
    def setUp(self) -> None:
        self.pauses: List[float] = []
        for target, value in ((_connection, "time.sleep"),):
            patched = mock.patch.object(target.time, "sleep", self.pauses.append)
            patched.start()
            self.addCleanup(patched.stop)

    def test_secret(self) -> None:
        """[PY-3] the key is in no text, no traceback with variables and no saved variable"""
        with Stub(always=lambda _: problem(403, "not_permitted")) as stub:
            client = client_of(stub)
            refused = self.failure(client)
        broken = self.failure(client)
        for error in (refused, broken):
            lines = traceback.TracebackException.from_exception(error, capture_locals=True).format()
            self.assertNotIn("S3CRET", "".join(lines))
            self.assertNotIn("S3CRET", repr(error) + str(error))
        self.assertNotIn("S3CRET", repr(client) + repr(vars(client)) + repr(vars(client._connection)))
        with self.assertRaises(TypeError):
            pickle.dumps(client)
        for key in ("", "a b", "a\r\nb", "ü"):
            with self.assertRaises(ValueError) as caught:
                patchbay.connect(stub.url, api_key=key)
            self.assertNotIn(f"'{key}'", str(caught.exception))

    def failure(self, client: patchbay.Client) -> Exception:
        try:
            client.about()
        except patchbay.PatchbayError as error:
            return error
        raise AssertionError("it did not fail")

    def test_redirect(self) -> None:
        """[PY-4] a redirect is not followed: it would carry the key to an address nobody checked"""
        with Stub(Answer(200, ABOUT)) as other, Stub(Answer(302, headers={"location": other.url})) as stub:
            with self.assertRaises(patchbay.UnexpectedResponse) as caught:
                client_of(stub).about()
        self.assertEqual((caught.exception.status, other.asked), (302, []))

    def archive(self, location: str, stub: Stub, path: Path, content: bytes = b"PK") -> Path:
        version = mock.Mock(
            spec=patchbay.types.PackageVersion,
            download_url=f"{stub.url}/registry/archives/x.zip",
            download_size=2,
            download_sha256=sha256(b"PK").hexdigest(),
        )
        return client_of(stub).packages.download(version, path)

    def test_archive(self) -> None:
        """[PY-4][PY-8] an archive may lie elsewhere: the key does not follow, and what arrives is checked"""
        with tempfile.TemporaryDirectory() as folder, Stub(Answer(200, b"PK"), Answer(200, b"KP"), Answer(200, b"PKX")) as other:
            path = Path(folder, "x.zip")
            stub = Stub(always=lambda _: Answer(302, headers={"location": f"{other.url}/signed?by=them"}))
            with stub:
                self.assertEqual(self.archive("", stub, path).read_bytes(), b"PK")
                for _ in ("other bytes", "more bytes"):
                    with self.assertRaises(patchbay.UnexpectedResponse):
                        self.archive("", stub, path)
            self.assertEqual([each.name for each in Path(folder).iterdir()], ["x.zip"])
            self.assertEqual(path.read_bytes(), b"PK")
        self.assertEqual(stub.asked[0].headers["x-api-key"], KEY)
        self.assertNotIn("x-api-key", other.asked[0].headers)
        self.assertEqual(other.asked[0].target, "/signed?by=them")

    def test_archive_in_the_clear(self) -> None:
        """[PY-4] an archive is not fetched unencrypted from another machine, nor around in circles"""
        with tempfile.TemporaryDirectory() as folder:
            for location in ("http://example.com/x.zip", "/again", "file:///etc/passwd"):
                with Stub(always=lambda _: Answer(302, headers={"location": location})) as stub:
                    with self.assertRaises(patchbay.UnexpectedResponse):
                        self.archive(location, stub, Path(folder, "x.zip"))
                    self.assertLessEqual(len(stub.asked), 4)
            self.assertEqual(list(Path(folder).iterdir()), [])

    def test_archive_on_this_machine(self) -> None:
        """[PY-4] a server elsewhere does not lead to what listens on this machine"""
        with Stub(Answer(200, b"PK")) as local:
            connection = _connection.Connection("https://patchbay.example.com")
            with self.assertRaises(patchbay.UnexpectedResponse):
                connection.open_url(f"{local.url}/x.zip")
        self.assertEqual(local.asked, [])

    def test_problem(self) -> None:
        """[PY-5] a refusal is a problem with its code, status, detail and what it says besides"""
        with Stub(problem(409, "file_changed", retry_after="7")) as stub, self.assertRaises(patchbay.Problem) as caught:
            client_of(stub).about()
        error = caught.exception
        self.assertEqual(
            (error.code, error.status, error.title, error.detail, error.extensions, error.retry_after),
            ("file_changed", 409, "Title of file_changed", "Why", {"more": 7}, 7),
        )
        self.assertEqual(str(error), "Title of file_changed: Why (file_changed, 409)")

    def test_unexpected(self) -> None:
        """[PY-5] what is not of the contract is an unexpected response, and nothing is unanswered"""
        html = {"content-type": "text/html"}
        for answer in (
            Answer(200, b"<html>", html),
            Answer(500, b"<html>", html),
            Answer(200, b"{", {"content-type": "application/json"}),
            Answer(400, b"{}", {"content-type": "application/problem+json"}),
            Answer(200, {**ABOUT, "version": 7}),
            Answer(200, {"name": "patchbay"}),
            Answer(200, [1]),
        ):
            with Stub(answer) as stub, self.assertRaises(patchbay.UnexpectedResponse):
                client_of(stub).about()
        with self.assertRaises(patchbay.Unanswered) as caught:
            client_of(stub).about()
        self.assertEqual(str(caught.exception), "the connection failed (ECONNREFUSED)")

    def test_newer(self) -> None:
        """[PY-12] what a newer server says besides is left out, and a time has its zone"""
        with Stub(Answer(200, ABOUT)) as stub:
            about = client_of(stub).about()
        self.assertEqual(about.installation.created_at.isoformat(), "2026-01-02T03:04:05.678000+00:00")

    def test_pause(self) -> None:
        """[PY-6] what was not begun is asked again after the pause that was named"""
        for code in ("rate_limited", "shutting_down"):
            self.pauses.clear()
            answers = (problem(503, code, retry_after="4"), Answer(204))
            with Stub(*answers) as stub:
                client_of(stub).workspace("ada/x").remove()
            self.assertEqual((self.pauses, len(stub.asked)), ([4.0], 2))

    def test_long_pause(self) -> None:
        """[PY-6] a pause beyond the deadline of the call is told at once"""
        with Stub(problem(429, "rate_limited", retry_after="31")) as stub, self.assertRaises(patchbay.Problem):
            client_of(stub).about()
        self.assertEqual(self.pauses, [])

    def test_lost(self) -> None:
        """[PY-7] after a lost answer only what can be done twice is asked again, three times in all"""
        lost = Answer(is_lost=True)
        with Stub(lost, problem(503, "bus_unavailable"), Answer(200, ABOUT)) as stub:
            self.assertEqual(client_of(stub).about().version, "1.2.3")
        with Stub(lost, lost, lost) as stub, self.assertRaises(patchbay.Unanswered):
            client_of(stub).about()
        self.assertEqual(len(stub.asked), 3)
        for attempt in (
            lambda files: files.write("a", "x"),
            lambda files: files.write("a", "x", if_revision=3),
            lambda files: files.remove("a"),
            lambda files: files.edit("a", [("x", "y")]),
        ):
            with Stub(lost) as stub, self.assertRaises(patchbay.Unanswered):
                attempt(client_of(stub).workspace("ada/x").files)
            self.assertEqual(len(stub.asked), 1)

    def test_upload_again(self) -> None:
        """[PY-6] an upload that was not begun is sent again from where it began; what cannot be read twice is not"""
        made = {
            "path": "a",
            "revision": 1,
            "size": 3,
            "sha256": "0",
            "mediaType": "text/plain",
            "changedAt": "2026-01-02T03:04:05Z",
            "changedBy": {"kind": "api_key", "name": "k", "handle": "ada"},
        }
        content = io.BytesIO(b"..abc")
        content.seek(2)
        with Stub(problem(429, "rate_limited", retry_after="1"), Answer(201, made)) as stub:
            client_of(stub).workspace("ada/x").files.write("a", content)
        self.assertEqual([each.body for each in stub.asked], [b"abc", b"abc"])

    def test_large(self) -> None:
        """[PY-8] an answer that is held in memory is bounded"""
        with mock.patch.object(_stream, "MOST_BYTES", 10), Stub(Answer(200, ABOUT)) as stub:
            with mock.patch.object(_stream.read_bounded, "__defaults__", (10,)):
                with self.assertRaises(patchbay.UnexpectedResponse) as caught:
                    client_of(stub).about()
        self.assertIn("too large", str(caught.exception))

    def test_cut(self) -> None:
        """[PY-8] what breaks off, or has other bytes than announced, is an error and leaves no file"""
        import base64

        digest = base64.b64encode(sha256(b"abc").digest()).decode()
        cases: Dict[type, Answer] = {
            patchbay.Unanswered: Answer(200, b"abc", is_cut=True),
            patchbay.UnexpectedResponse: Answer(200, b"abd", {"repr-digest": f"sha-256=:{digest}:"}),
        }
        for kind, answer in cases.items():
            with tempfile.TemporaryDirectory() as folder, Stub(answer) as stub:
                path = Path(folder, "a.txt")
                path.write_text("before")
                with self.assertRaises(kind):
                    client_of(stub).workspace("ada/x").files.download("a", path)
                self.assertEqual([each.name for each in Path(folder).iterdir()], ["a.txt"])
                self.assertEqual(path.read_text(), "before")

    def test_kept(self) -> None:
        """[PY-8] a file that is there is kept unless it may be replaced"""
        with tempfile.TemporaryDirectory() as folder, Stub(always=lambda _: Answer(200, b"new")) as stub:
            path = Path(folder, "a.txt")
            path.write_text("mine")
            files = client_of(stub).workspace("ada/x").files
            with self.assertRaises(FileExistsError):
                files.download("a", path, overwrite=False)
            self.assertEqual(path.read_text(), "mine")
            files.download("a", path)
            self.assertEqual(path.read_text(), "new")

    def test_silent(self) -> None:
        """[PY-5] a server that says nothing is given up at the deadline"""
        with socket.create_server(("127.0.0.1", 0)) as silent:
            began = time.monotonic()
            with self.assertRaises(patchbay.Unanswered) as caught:
                patchbay.connect(f"http://127.0.0.1:{silent.getsockname()[1]}", api_key=KEY, timeout=1).about()
        self.assertTrue(caught.exception.is_late)
        self.assertLess(time.monotonic() - began, 30)

    def test_proxy(self) -> None:
        """[PY-3] nothing that is not encrypted goes through a proxy"""
        with Stub(Answer(200, ABOUT)) as proxy, Stub(Answer(200, ABOUT)) as stub:
            with mock.patch.dict("os.environ", {"http_proxy": proxy.url, "all_proxy": proxy.url, "no_proxy": ""}):
                client_of(stub).about()
        self.assertEqual((len(stub.asked), proxy.asked), (1, []))

    def test_headers(self) -> None:
        """[PY-3] the key is a header, and nothing else of a request holds it"""
        asked = self.one_request()
        self.assertEqual(asked.headers["x-api-key"], KEY)
        self.assertNotIn(KEY, asked.target)

    def one_request(self) -> Asked:
        with Stub(Answer(200, ABOUT)) as stub:
            client_of(stub).about()
        return stub.asked[0]

    def test_job(self) -> None:
        """[PY-73] a job that failed is an error with the code and words of its fault"""
        job = {
            "id": "a" * 64,
            "operation": "erc",
            "path": "a.kicad_sch",
            "state": "failed",
            "fault": {"code": "kicad_failed", "detail": "no schematic"},
            "counts": {},
            "results": [],
            "notes": [],
            "options": {},
            "revision": 1,
            "inputs": 1,
            "engine": "9",
            "attempts": 1,
            "createdAt": "2026-01-02T03:04:05Z",
            "startedAt": None,
            "finishedAt": None,
        }
        with Stub(Answer(201, job)) as stub, self.assertRaises(patchbay.JobFailed) as caught:
            client_of(stub).workspace("ada/x").boards.check("a.kicad_sch")
        self.assertEqual((caught.exception.code, str(caught.exception)), ("kicad_failed", "no schematic"))

    def test_events(self) -> None:
        """[PY-61] events are the same however their bytes are cut, and what is no value is an unexpected response"""
        value = '{"channel": "speed", "value": 1, "at": "2026-01-02T03:04:05Z"}'
        text = f": hello\r\n\r\nevent: value\r\ndata: {value[:20]}\r\ndata: {value[20:]}\r\n\r\nevent: other\ndata: x\n\nevent: gone\rdata: 1\r\rdata: x\n\n"
        for size in (1, 2, 3, 7, 1_000):
            chunks = [text.encode()[at : at + size] for at in range(0, len(text), size)]
            events = [(each.name, each.data.replace("\n", "")) for each in events_in(chunks)]
            self.assertEqual(events, [("value", value), ("other", "x"), ("gone", "1"), ("message", "x")])
        with self.assertRaises(EventTooLarge):
            list(events_in([b"data: " + b"x" * 70_000]))
        for data in ("{", "[]", '{"channel": 1}'):
            body = f"event: value\ndata: {data}\n\n".encode()
            with Stub(Answer(200, body, {"content-type": "text/event-stream"})) as stub:
                with self.assertRaises(patchbay.UnexpectedResponse):
                    list(client_of(stub).workspace("ada/x").devices.watch("motor"))
