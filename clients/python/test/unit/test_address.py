from __future__ import annotations

import unittest

import patchbay
from patchbay._address import check_server, fill
from stub import ABOUT, Answer, Stub


class AddressTest(unittest.TestCase):
    def test_encrypted(self) -> None:
        """[PY-1] a server is encrypted or on this machine, and what is refused is not repeated"""
        for server in (
            "https://patchbay.example.com/base/",
            "http://localhost:8790",
            "http://demo.localhost",
            "http://127.0.0.1:1",
            "http://[::1]:8790",
        ):
            self.assertEqual(check_server(server), server.rstrip("/"))
        self.assertEqual(check_server("HTTPS://Example.com:443"), "https://example.com")
        for server in (
            "http://example.com",
            "http://127.0.0.1.example.com",
            "http://localhost.example.com",
            "http://127.0.0.1@example.com",
            "ftp://example.com",
            "https://ada:s3cret@example.com",
            "https://example.com?key=s3cret",
            "https://example.com#s3cret",
            "https://exam ple.com",
            "https://example.com\\@s3cret",
            "https://example.com\n.s3cret",
            "https://",
            "s3cret",
            "https://example.com:99999",
        ):
            with self.subTest(server), self.assertRaises(ValueError) as caught:
                patchbay.connect(server, api_key="pbk_x")
            self.assertNotIn("s3cret", str(caught.exception))

    def test_told(self) -> None:
        """[PY-1] http to another machine is possible when it is told"""
        self.assertEqual(check_server("http://192.168.1.5:8790", allow_http=True), "http://192.168.1.5:8790")
        client = patchbay.connect("http://192.168.1.5:8790", api_key="pbk_x", allow_http=True)
        self.assertEqual(client.server, "http://192.168.1.5:8790")

    def test_names(self) -> None:
        """[PY-2] a name is one segment of the path, whatever it holds"""
        path = fill("/a/{name}/c", {"name": "../x?y#z/ü%2f"}, {"q": "a&b=c #ü", "flag": True, "none": None})
        self.assertEqual(path, "/a/..%2Fx%3Fy%23z%2F%C3%BC%252f/c?q=a%26b%3Dc%20%23%C3%BC&flag=true")
        with Stub(Answer(404)) as stub, self.assertRaises(patchbay.UnexpectedResponse):
            patchbay.connect(stub.url, api_key="pbk_x").workspace("ada/a?b#c").files.list()
        self.assertEqual(stub.asked[0].target.split("?")[0], "/api/workspaces/editor/ada/a%3Fb%23c/files")

    def test_nothing(self) -> None:
        """[PY-2] an empty name and dots are refused before anything is sent"""
        with Stub(Answer(200, ABOUT)) as stub:
            client = patchbay.connect(stub.url, api_key="pbk_x")
            for name in ("", ".", ".."):
                with self.subTest(name), self.assertRaises(ValueError):
                    client.packages.show(name)
            for name in ("ada", "ada/", "/x", "a/b/c"):
                with self.subTest(name), self.assertRaises(ValueError):
                    client.workspace(name)
        self.assertEqual(stub.asked, [])
