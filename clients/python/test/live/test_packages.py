from __future__ import annotations

import hashlib
import tempfile
import unittest
from pathlib import Path

import patchbay
from site_of_test import SITE, client


class PackagesTest(unittest.TestCase):
    def test_journey(self) -> None:
        """[PY-40] a package is published, found, shown and downloaded"""
        packages = client().packages
        published = packages.publish(SITE["archive"], SITE["owner"])
        self.assertEqual((published.identifier, published.version), ("com.example.blinky", "1.0.0"))
        again = packages.publish(SITE["archive"], SITE["owner"])
        self.assertEqual(again.download_sha256, published.download_sha256)
        self.assertIn("com.example.blinky", [each.identifier for each in packages.search("blinky", limit=5)])
        self.assertEqual(packages.search("blinky", type="library"), [])
        page = packages.show("com.example.blinky")
        self.assertEqual([each.version for each in page.versions], ["1.0.0"])
        self.assertIn("<td>1.0.0</td>", page._repr_html_())
        self.assertIn("com.example.blinky", [each.identifier for each in packages.owned(SITE["owner"])])
        with tempfile.TemporaryDirectory() as folder:
            path = packages.download("com.example.blinky", Path(folder, "blinky.zip"))
            self.assertEqual(hashlib.sha256(path.read_bytes()).hexdigest(), published.download_sha256)
            with self.assertRaises(LookupError):
                packages.download("com.example.blinky", path, version="9.9.9")

    def test_private(self) -> None:
        """[PY-41] a private archive is downloaded with the key, and nobody else sees the package"""
        packages = client().packages
        packages.publish(SITE["privateArchive"], SITE["owner"], visibility="private")
        with tempfile.TemporaryDirectory() as folder:
            self.assertTrue(packages.download("com.example.hidden", Path(folder, "x.zip")).is_file())
        with self.assertRaises(patchbay.Problem) as caught:
            patchbay.connect(SITE["url"], session_token="tok_nobody").packages.show("com.example.hidden")
        self.assertIn(caught.exception.code, ("package_not_found", "credential_invalid"))

    def test_refused(self) -> None:
        """[PY-41] what is no archive is a problem that says so"""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "x.zip")
            path.write_bytes(b"no archive")
            with self.assertRaises(patchbay.Problem) as caught:
                client().packages.publish(path, SITE["owner"])
        self.assertEqual(caught.exception.code, "archive_refused")
