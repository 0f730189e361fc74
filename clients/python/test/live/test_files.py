from __future__ import annotations

import hashlib
import io
import tempfile
import unittest
import zipfile
from pathlib import Path

import patchbay
from site_of_test import new_workspace

NAME = "folder/ü #1&x=%2f.txt"


class FilesTest(unittest.TestCase):
    def setUp(self) -> None:
        self.files = new_workspace().files

    def test_text(self) -> None:
        """[PY-31] a text is written, read, listed and removed, whatever its name"""
        written = self.files.write(NAME, "Grüße\n", reason="to say hello")
        self.assertEqual(self.files.read_text(NAME), "Grüße\n")
        self.assertEqual(self.files.list("folder").files, [written])
        self.assertEqual([each.path for each in self.files.list().folders], ["folder"])
        self.assertEqual([each.path for each in self.files.list(recursive=True).files], [NAME])
        self.assertIn("ü #1&amp;x=%2f.txt", self.files.list("folder")._repr_html_())
        self.files.remove(NAME, if_revision=written.revision)
        with self.assertRaises(patchbay.Problem) as caught:
            self.files.read(NAME)
        self.assertEqual(caught.exception.code, "file_not_found")

    def test_expected(self) -> None:
        """[PY-32] a write names what it replaces, and is refused when that is something else"""
        first = self.files.write("a.txt", "one")
        for expected in (None, first.revision + 7):
            with self.assertRaises(patchbay.Problem) as caught:
                self.files.write("a.txt", "two", if_revision=expected)
            self.assertEqual(caught.exception.code, "file_changed")
        self.files.write("a.txt", "two", if_revision=first.revision)
        self.files.write("a.txt", b"three", if_revision="any")
        self.assertEqual(self.files.read("a.txt"), b"three")
        self.assertEqual(self.files.read("a.txt", revision=first.revision), b"one")
        with self.assertRaises(ValueError):
            self.files.write("a.txt", "x", if_revision="*")

    def test_large(self) -> None:
        """[PY-33] a large file goes up from a path, an open file or a stream, and comes down in parts or into a file"""
        content = bytes(range(256)) * 8_192
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder, "in.bin"), Path(folder, "out.bin")
            source.write_bytes(content)
            written = self.files.write("path.bin", source)
            self.assertEqual((written.size, written.sha256), (len(content), hashlib.sha256(content).hexdigest()))
            with source.open("rb") as open_file:
                self.files.write("open.bin", open_file)
            self.files.write("stream.bin", io.BufferedReader(Unseekable(content)))
            self.assertEqual(self.files.download("path.bin", target).read_bytes(), content)
            self.assertEqual(sorted(each.name for each in Path(folder).iterdir()), ["in.bin", "out.bin"])
        self.assertEqual({each.sha256 for each in self.files.list().files}, {written.sha256})
        self.assertEqual(self.files.read("path.bin", start=256, length=4), b"\x00\x01\x02\x03")
        self.assertEqual(self.files.read("path.bin", start=len(content) - 2), b"\xfe\xff")
        with self.files.open("path.bin") as stream:
            self.assertEqual((stream.size, stream.revision, stream.sha256), (len(content), written.revision, written.sha256))
            self.assertEqual(next(iter(stream))[:3], b"\x00\x01\x02")
        with self.assertRaises(patchbay.Problem) as caught:
            self.files.read("path.bin", start=len(content) + 1)
        self.assertEqual(caught.exception.status, 416)

    def test_edits(self) -> None:
        """[PY-34] parts of a text are replaced, all of them or none"""
        self.files.write("a.txt", "one two three")
        self.files.edit("a.txt", [("one", "1"), ("three", "3")], reason="to count")
        self.assertEqual(self.files.document("a.txt").text, "1 two 3")
        with self.assertRaises(patchbay.Problem) as caught:
            self.files.edit("a.txt", [("two", "2"), ("none", "x")])
        self.assertEqual(caught.exception.code, "text_not_unique")
        self.assertEqual(self.files.document("a.txt").text, "1 two 3")

    def test_changes(self) -> None:
        """[PY-34] several files change in one step, their contents uploaded before"""
        self.files.write("a.txt", "one")
        new = hashlib.sha256(b"new").hexdigest()
        self.assertEqual(self.files.missing([new]), [new])
        self.assertEqual(self.files.upload(b"new"), new)
        self.assertEqual(self.files.missing([new]), [])
        operations = [{"op": "move", "path": "a.txt", "to": "b.txt"}, {"op": "put", "path": "c.txt", "sha256": new}]
        changed = self.files.change(operations, reason="to tidy up")
        self.assertEqual(changed.paths, 3)
        self.assertEqual(sorted(each.path for each in self.files.list().files), ["b.txt", "c.txt"])

    def test_history(self) -> None:
        """[PY-35] what has changed is listed, waited for, and undone"""
        first = self.files.write("a.txt", "one")
        self.files.write("a.txt", "two", if_revision="any", reason="to go on")
        history = self.files.history()
        self.assertEqual([each.reason for each in history][:2], ["to go on", None])
        self.assertEqual(len(self.files.history("a.txt", limit=1)), 1)
        since = self.files.changed_since(first.revision, wait=5)
        self.assertEqual([(each.path, each.content and each.content.size) for each in since.items], [("a.txt", 3)])
        self.files.restore(first.revision, reason="back")
        self.assertEqual(self.files.read("a.txt"), b"one")

    def test_search(self) -> None:
        """[PY-36] lines are found in the files"""
        self.files.write("a.c", "int main;\nint Mainly;\n")
        self.files.write("b.txt", "main")
        found = self.files.search("main", path="*.c")
        self.assertEqual([(each.line, each.text) for each in found.files[0].lines], [(1, "int main;"), (2, "int Mainly;")])
        self.assertIn("<td>int Mainly;</td>", found._repr_html_())
        only = self.files.search("main", case_sensitive=True, whole_word=True, limit=10)
        self.assertEqual(sorted(each.path for each in only.files), ["a.c", "b.txt"])

    def test_archive(self) -> None:
        """[PY-36] everything comes as a ZIP archive"""
        self.files.write("folder/a.txt", "one")
        with zipfile.ZipFile(io.BytesIO(self.files.archive(folder="folder").read())) as archive:
            self.assertEqual([name.rsplit("/", 1)[-1] for name in archive.namelist()], ["a.txt"])


class Unseekable(io.RawIOBase):
    def __init__(self, content: bytes) -> None:
        self._rest = io.BytesIO(content)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        return self._rest.readinto(buffer)  # type: ignore[arg-type]
