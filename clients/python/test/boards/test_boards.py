from __future__ import annotations

import tempfile
import unittest
import zipfile
from pathlib import Path
from typing import List

import patchbay
from site_of_test import SITE, client

SHEET, BOARD = "hw/lamp.kicad_sch", "hw/lamp.kicad_pcb"
WAIT = 200


class BoardsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.boards = client().workspace(SITE["boardWorkspace"]).boards

    def test_checked(self) -> None:
        """[PY-70][PY-80] the rules of a schematic and of a board are checked, and show as a table"""
        self.assertTrue(self.boards.engine().is_running)
        erc = self.boards.check(SHEET, wait=WAIT)
        self.assertEqual((erc.kind, erc.errors > 0), ("erc", True))
        found = [each for each in erc.violations if each.type == "pin_not_connected"]
        self.assertIn("Symbol U1 Pin 1", " ".join(str(item) for each in found for item in each.items))
        html = erc._repr_html_()
        self.assertIn("Electrical rules:", html)
        self.assertIn("<td>pin_not_connected</td>", html)
        self.assertEqual(self.boards.check(BOARD, wait=WAIT).kind, "drc")

    def test_rendered(self) -> None:
        """[PY-71][PY-83] a sheet is an SVG and a board a PNG, and a notebook shows both"""
        sheet = self.boards.render(SHEET, wait=WAIT)
        self.assertIn("data:image/svg+xml;base64,", sheet._repr_html_() or "")
        board = self.boards.render(BOARD, side="bottom", width=200, height=100, wait=WAIT)
        self.assertEqual((board._repr_png_() or b"")[:4], b"\x89PNG")
        with self.assertRaises(LookupError) as caught:
            self.boards.render(SHEET, sheet="/power/", wait=WAIT)
        self.assertIn("there are: /", str(caught.exception))
        for wrong in (lambda: self.boards.render(SHEET, side="top"), lambda: self.boards.render(BOARD, sheet="/"), lambda: self.boards.check("a.txt")):
            with self.assertRaises(ValueError):
                wrong()

    def test_listed(self) -> None:
        """[PY-72] the bill of materials and the netlist come as tables"""
        bom = self.boards.bom(SHEET, wait=WAIT)
        self.assertIn("R1", [name for line in bom.lines for name in line.references])
        self.assertIn("<th>References</th><th>Quantity</th><th>Value</th>", bom._repr_html_())
        netlist = self.boards.netlist(SHEET, wait=WAIT)
        self.assertIn("U1", [each.reference for each in netlist.components])
        self.assertIn("<th>Net</th><th>Pins</th>", netlist._repr_html_())

    def test_exported(self) -> None:
        """[PY-72] what is exported goes into a file"""
        with tempfile.TemporaryDirectory() as folder:
            path = self.boards.export(BOARD, "gerbers", wait=WAIT).save(Path(folder, "lamp.zip"))
            self.assertTrue(zipfile.is_zipfile(path))
        self.assertIn(b"(export", self.boards.export(SHEET, "netlist", wait=WAIT).read())
        with self.assertRaises(ValueError):
            self.boards.export(SHEET, "png")

    def test_waited(self) -> None:
        """[PY-73] the same question is one job, a wait has an end, and progress is told"""
        job = self.boards.run("sheets", SHEET, wait=WAIT)
        self.assertEqual(self.boards.start("sheets", SHEET).id, job.id)
        self.assertIn(job.id, [each.id for each in self.boards.list(SHEET)])
        self.assertIn("<td>sheets</td>", self.boards.list(SHEET)._repr_html_())
        seen: List[patchbay.types.Job] = []
        pending = self.boards.start("pdf", SHEET)
        if not pending.has_ended:
            with self.assertRaises(TimeoutError):
                self.boards.wait(pending, wait=0)
        self.assertEqual(self.boards.wait(pending, wait=WAIT, on_progress=seen.append).state, "done")

    def test_failed(self) -> None:
        """[PY-73] what KiCad cannot read is an error with its words"""
        with self.assertRaises((patchbay.JobFailed, patchbay.Problem)):
            self.boards.check("bad.kicad_sch", wait=WAIT)
