from __future__ import annotations

import unittest

import patchbay
from site_of_test import SITE, client, new_workspace


class PanelsTest(unittest.TestCase):
    def test_tabs(self) -> None:
        """[PY-50] panels are added, found, changed, closed and opened again"""
        panels = new_workspace().panels
        docs = panels.add("webview", title="Docs", initial_state={"url": "https://example.com"}, reason="to read")
        sandbox = panels.add("sandbox", split="right", panel_id=docs.panel_id)
        self.assertNotEqual(docs.panel_id, sandbox.panel_id)
        self.assertEqual(panels.find("docs").tab_id, docs.tab_id)
        self.assertEqual(panels.find("sandbox").tab_id, sandbox.tab_id)
        version = panels.rename(docs.tab_id, "Manual")
        self.assertGreater(panels.activate(docs.tab_id), version - 1)
        current = panels.current()
        self.assertEqual([tab.display_name for tab in current.tabs if tab.is_active], ["Manual", "Sandbox"])
        self.assertIn("<td>Manual</td>", current._repr_html_())
        panels.add("webview", title="Manual")
        for wanted in ("manual", "none"):
            with self.assertRaises(LookupError):
                panels.find(wanted)
        panels.close(docs.tab_id)
        self.assertEqual([tab.tab_id for tab in panels.closed()], [docs.tab_id])
        self.assertEqual(panels.reopen(docs.tab_id).tab_id, docs.tab_id)

    def test_state(self) -> None:
        """[PY-50] what a panel shows is set"""
        panels = new_workspace().panels
        page = panels.add("webview")
        panels.navigate(page.panel_id, "https://example.com/next", reason="the next chapter")
        self.assertEqual(panels.find("webview").state["url"], "https://example.com/next")

    def test_catalog(self) -> None:
        """[PY-50] the panels that a workspace can hold are listed"""
        panels = new_workspace().panels
        self.assertIn("webview", [panel.kind for panel in panels.catalog()])
        self.assertEqual({panel.category for panel in panels.catalog("Media")}, {"Media"})

    def test_sandbox(self) -> None:
        """[PY-51] code runs in a sandbox, and its outcome is waited for"""
        panels = client().workspace(SITE["openWorkspace"]).panels
        sandbox = panels.find("sandbox")
        outcome = panels.run(sandbox, "console.log('Hello'); 6 * 7", reason="to count")
        self.assertEqual((outcome.status, outcome.result), ("executed", 42))
        self.assertEqual([(line.level, line.text) for line in outcome.console], [("log", "Hello")])
        failed = panels.run(sandbox.panel_id, "none()")
        self.assertEqual(failed.status, "error")
        self.assertIn("none", failed.error or "")

    def test_queued(self) -> None:
        """[PY-51] code is queued while no browser is there, and the wait has an end"""
        panels = new_workspace().panels
        outcome = panels.run(panels.add("sandbox"), "1", wait=0.1)
        self.assertEqual(outcome.status, "queued")

    def test_picture(self) -> None:
        """[PY-52] a picture of a panel and of the workspace is a PNG that a notebook shows"""
        panels = client().workspace(SITE["openWorkspace"]).panels
        for picture in (panels.screenshot(panels.find("sandbox"), reason="to see"), panels.screenshot()):
            self.assertEqual((picture._repr_png_() or b"")[:4], b"\x89PNG")

    def test_nobody(self) -> None:
        """[PY-52] a picture of a workspace that nobody has open is a problem"""
        with self.assertRaises(patchbay.Problem) as caught:
            new_workspace().panels.screenshot(timeout=1)
        self.assertEqual(caught.exception.code, "workspace_not_open")

