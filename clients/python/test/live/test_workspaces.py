from __future__ import annotations

import unittest

import patchbay
from site_of_test import SITE, client, new_workspace, sign_in


class WorkspacesTest(unittest.TestCase):
    def test_life(self) -> None:
        """[PY-30] a workspace is made from a template, listed, removed and restored"""
        workspace = client().workspace(f"{SITE['owner']}/from-template")
        made = workspace.make(template="robot")
        self.assertGreater(made.tabs, 0)
        self.assertEqual(workspace.make(), made)
        listed = client().workspaces.list(SITE["owner"])
        self.assertIn("from-template", [each.repo for each in listed])
        self.assertIn("from-template", listed._repr_html_())
        workspace.remove()
        trashed = [each for each in client().workspaces.trash(SITE["owner"]) if each.repo == "from-template"]
        restored = client().workspaces.restore(SITE["owner"], trashed[0].id, "restored")
        self.assertEqual(str(restored), f"{SITE['owner']}/restored")

    def test_refused(self) -> None:
        """[PY-5] a refusal of the server has its code, status and detail"""
        with self.assertRaises(patchbay.Problem) as caught:
            client().workspace(f"{SITE['owner']}/nowhere").files.list()
        self.assertEqual((caught.exception.code, caught.exception.status), ("workspace_not_found", 404))
        with self.assertRaises(patchbay.Problem) as caught:
            patchbay.connect(SITE["url"], api_key="pbk_wrong").workspaces.list("ada")
        self.assertEqual((caught.exception.code, caught.exception.status), ("credential_invalid", 401))

    def test_shared(self) -> None:
        """[PY-30] what others have shared is listed for a person, and not for a key"""
        self.assertEqual(sign_in().workspaces.shared(), [])
        with self.assertRaises(patchbay.Problem):
            client().workspaces.shared()

    def test_names(self) -> None:
        """[PY-2] a name that no workspace can have is a refusal, and nothing else is addressed"""
        with self.assertRaises(patchbay.Problem):
            client().workspace(f"{SITE['owner']}/..%2f..").files.list()
        self.assertEqual(repr(new_workspace())[:11], "<Workspace ")
