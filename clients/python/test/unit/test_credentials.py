from __future__ import annotations

import json
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict
from unittest import mock

import patchbay
from patchbay._secret import Secret
from patchbay._credentials import Credentials, credentials_folder
from stub import ABOUT, Answer, Stub


class CredentialsTest(unittest.TestCase):
    def setUp(self) -> None:
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        patched = mock.patch.dict(os.environ, {"XDG_CONFIG_HOME": home.name})
        patched.start()
        self.addCleanup(patched.stop)
        for name in ("PATCHBAY_API_KEY", "PATCHBAY_SERVER_URL"):
            os.environ.pop(name, None)
        self.folder = credentials_folder()
        self.credentials = Credentials()

    def write(self, entries: Dict[str, Any], mode: int = 0o600) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / "credentials.json"
        path.write_text(json.dumps({"version": 1, "servers": entries}))
        path.chmod(mode)
        return path

    def entry(self, server: str, token: str, at: str) -> Dict[str, Any]:
        login = {"server": server, "at": at}
        return {"sessionToken": token, "handle": "ada", "expiresAt": None, "login": login}

    def sent(self, **options: Any) -> Dict[str, str]:
        with Stub(Answer(200, ABOUT)) as stub:
            for name, value in options.pop("environment", {}).items():
                os.environ[name] = value.replace("STUB", stub.url)
            if "command" in options:
                self.write({stub.url: self.entry(stub.url, options.pop("command"), "2026-01-01T00:00:00.000Z")})
            server = options.pop("server", stub.url)
            patchbay.connect(server and server.replace("STUB", stub.url), **options).about()
        return stub.asked[0].headers

    def test_stored(self) -> None:
        """[PY-23] a session is kept for its user alone, one file for each server"""
        for server in ("https://one.example", "https://two.example/base"):
            self.credentials.store(server, Secret("tok_1", "session"))
        paths = sorted((self.folder / "python-sessions").iterdir())
        self.assertEqual([path.stat().st_mode & 0o777 for path in (*paths, paths[0].parent)], [0o600, 0o600, 0o700])
        found = self.credentials.find("https://two.example")
        self.assertEqual(found and (found.server, found.token.reveal()), ("https://two.example/base", "tok_1"))
        self.assertNotIn("tok_1", repr(found))
        self.credentials.remove("https://one.example", Secret("tok_2", "session"))
        self.assertIsNotNone(self.credentials.find("https://one.example"))
        self.credentials.remove("https://one.example", Secret("tok_1", "session"))
        self.assertIsNone(self.credentials.find("https://one.example"))

    def test_of_command(self) -> None:
        """[PY-24] the session of the command line is used, and the server of the last login is the one that is meant"""
        self.assertEqual(self.sent(command="tok_c")["authorization"], "Bearer tok_c")
        one = self.entry("https://one.example", "tok_1", "2026-01-01T00:00:00.000Z")
        two = self.entry("https://two.example", "tok_2", "2026-02-01T00:00:00.000Z")
        self.write({"https://one.example": one, "https://two.example": two})
        self.assertEqual(patchbay.connect().server, "https://two.example")
        self.credentials.store("https://three.example", Secret("tok_3", "session"))
        self.assertEqual(patchbay.connect().server, "https://three.example")
        with self.assertRaises(patchbay.PatchbayError):
            patchbay.connect("https://one.example").logout()

    def test_moved(self) -> None:
        """[PY-24] an entry that names another server than its own is not used"""
        self.write({"https://one.example": self.entry("https://evil.example", "tok_1", "2026-01-01T00:00:00.000Z")})
        self.assertEqual(self.credentials.all(), [])

    @unittest.skipIf(os.name == "nt", "files have no such modes here")
    def test_refused(self) -> None:
        """[PY-24] a file that others may read, a link, a pipe and what is damaged are refused with their name"""
        for mode in (0o640, 0o604):
            path = self.write({}, mode)
            self.refused("other users")
        path.unlink()
        path.symlink_to("elsewhere")
        self.refused("symbolic link")
        path.unlink()
        os.mkfifo(path, 0o600)
        self.refused("no plain file")
        path.unlink()
        self.write({})
        path.write_text("[]")
        self.refused("damaged")
        path.write_text('{"version": 2}')
        self.refused("another version")

    def refused(self, words: str) -> None:
        with self.assertRaises(patchbay.CredentialsError) as caught:
            patchbay.connect("https://one.example")
        self.assertIn(words, str(caught.exception))
        self.assertIn("credentials.json", str(caught.exception))

    def test_environment(self) -> None:
        """[PY-25] PATCHBAY_API_KEY is sent to the server of PATCHBAY_SERVER_URL, or to the one that is named"""
        both = {"PATCHBAY_SERVER_URL": "STUB", "PATCHBAY_API_KEY": "pbk_1"}
        self.assertEqual(self.sent(server=None, environment=both)["x-api-key"], "pbk_1")
        self.assertEqual(self.sent(environment={"PATCHBAY_API_KEY": "pbk_2", "PATCHBAY_SERVER_URL": ""})["x-api-key"], "pbk_2")
        elsewhere = {"PATCHBAY_SERVER_URL": "https://one.example", "PATCHBAY_API_KEY": "pbk_1"}
        self.assertNotIn("x-api-key", self.sent(environment=elsewhere))
        with_login = self.sent(environment=elsewhere, command="tok_c")
        self.assertEqual(with_login["authorization"], "Bearer tok_c")
        self.assertNotIn("x-api-key", with_login)

    def test_environment_of_a_last_login(self) -> None:
        """[PY-25] a key without a server is not sent to the server of the last login"""
        headers = self.sent(server=None, environment={"PATCHBAY_API_KEY": "pbk_1"}, command="tok_c")
        self.assertNotIn("x-api-key", headers)
        self.assertEqual(headers["authorization"], "Bearer tok_c")

    def test_given(self) -> None:
        """[PY-25] what is given comes before what is stored, and both at once are refused"""
        self.assertEqual(self.sent(api_key="pbk_3", command="tok_c")["x-api-key"], "pbk_3")
        self.assertEqual(self.sent(session_token="tok_4", command="tok_c")["authorization"], "Bearer tok_4")
        with self.assertRaises(ValueError):
            patchbay.connect("https://one.example", api_key="a", session_token="b")
