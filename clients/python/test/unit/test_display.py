from __future__ import annotations

import tempfile
import unittest
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Optional, Tuple

from patchbay import Picture, Table, types

ACTOR = types.Actor("api_key", "<b>agent</b>", "ada")


@dataclass(frozen=True)
class Row:
    name: str
    value_of_it: Any
    at: Optional[datetime] = None
    tags: Tuple[str, ...] = ()
    by: Optional[types.Actor] = None


class DisplayTest(unittest.TestCase):
    def test_table(self) -> None:
        """[PY-80] a list shows as a table with a heading for each field"""
        at = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
        html = Table([Row("a", True, at, ("x", "y"), types.Actor("browser", "", "ada")), Row("b", None)])._repr_html_()
        self.assertIn("<th>Name</th><th>Value of it</th><th>At</th><th>Tags</th><th>By</th>", html)
        self.assertIn("<td>a</td><td>yes</td><td>2026-01-02 03:04:05 UTC</td><td>x, y</td><td>ada</td>", html)
        self.assertIn("<td>b</td><td></td><td></td><td></td><td></td>", html)
        self.assertEqual(Table()._repr_html_(), "<p>Nothing to list.</p>")

    def test_escaped(self) -> None:
        """[PY-81] texts of strangers are escaped, without what is hidden, and of bounded length and number"""
        nasty = '<script>alert(1)</script>"&\u202egpj.exe\x1b[2J\u2028'
        html = Table([Row(nasty, {"<img>": nasty}, by=ACTOR), Row("x" * 5_000, 1)])._repr_html_()
        for forbidden in ("<script", "<img", "<b>", "\u202e", "\x1b", "\u2028", "x" * 201):
            self.assertNotIn(forbidden, html)
        self.assertIn("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;gpj.exe[2J", html)
        many = Table([Row(str(each), each) for each in range(1_000)])._repr_html_()
        self.assertEqual(many.count("<tr>"), 201)
        self.assertIn("<p>800 more.</p>", many)

    def test_rows(self) -> None:
        """[PY-82] a table is a list, and its rows are what a data frame is made of"""
        table = Table([Row("a", 1), Row("b", 2)])
        self.assertEqual([each.name for each in table], ["a", "b"])
        self.assertEqual([each["value_of_it"] for each in table.rows()], [1, 2])

    def test_pictures(self) -> None:
        """[PY-83] a PNG shows as it is, and an SVG as an image, which runs no script"""
        png = Picture(b"\x89PNG", "image/png")
        self.assertEqual((png._repr_png_(), png._repr_html_()), (b"\x89PNG", None))
        svg = Picture(b"<svg><script>alert(1)</script></svg>", "image/svg+xml", '"><script>')
        html = svg._repr_html_() or ""
        self.assertIsNone(svg._repr_png_())
        self.assertTrue(html.startswith('<img src="data:image/svg+xml;base64,'))
        self.assertNotIn("<script", html)
        self.assertFalse(hasattr(svg, "_repr_svg_"))

    def test_saved(self) -> None:
        """[PY-83] a picture is saved whole"""
        with tempfile.TemporaryDirectory() as folder:
            path = Picture(b"\x89PNG", "image/png").save(Path(folder, "a.png"))
            self.assertEqual(path.read_bytes(), b"\x89PNG")
