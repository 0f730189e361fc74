from __future__ import annotations

import io
import os
import tempfile
import unittest
from contextlib import redirect_stdout
from typing import List
from unittest import mock

import patchbay
from patchbay import LoginPrompt, _login
from site_of_test import SITE, client, decide


class LoginTest(unittest.TestCase):
    def setUp(self) -> None:
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        for patched in (
            mock.patch.dict(os.environ, {"XDG_CONFIG_HOME": home.name}),
            mock.patch.object(_login, "_POLL_S", 0.05),
        ):
            patched.start()
            self.addCleanup(patched.stop)

    def test_approved(self) -> None:
        """[PY-20][PY-23] a person who approves is signed in, later programs are, and signing out ends it"""
        prompts: List[LoginPrompt] = []

        def approve(prompt: LoginPrompt) -> None:
            prompts.append(prompt)
            decide(prompt.auth_url, "approve")

        signed_in = patchbay.login(SITE["url"], label="A notebook", max_age=3600, on_prompt=approve)
        who = signed_in.whoami()
        self.assertEqual((who.person.handle, who.credential.kind, who.credential.label), (SITE["owner"], "application", "A notebook"))
        self.assertRegex(prompts[0].confirmation_code or "", r"^[a-z]+[ -][a-z]+$")
        self.assertNotIn("tok_", repr(vars(signed_in)))
        again = patchbay.connect()
        self.assertEqual(again.whoami().person.handle, SITE["owner"])
        self.assertTrue(again.logout())
        self.assertFalse(signed_in.logout())
        with self.assertRaises(patchbay.Problem) as caught:
            signed_in.whoami()
        self.assertEqual(caught.exception.status, 401)

    def test_prompt(self) -> None:
        """[PY-21] link and words are printed before the wait, and what the prompt raises ends the login"""
        said = io.StringIO()

        def show(prompt: LoginPrompt) -> None:
            with redirect_stdout(said):
                _login.print_prompt(prompt)
            raise KeyError("no screen")

        with self.assertRaises(KeyError):
            patchbay.login(SITE["url"], on_prompt=show)
        self.assertRegex(said.getvalue(), rf"(?s)^Open {SITE['url']}/\S*token=\S+\nThe page shows these words: [a-z]+")

    def test_declined(self) -> None:
        """[PY-22] a login that is declined ends so, and keeps nothing"""
        with self.assertRaises(patchbay.LoginError) as caught:
            patchbay.login(SITE["url"], on_prompt=lambda prompt: decide(prompt.auth_url, "decline"))
        self.assertEqual(caught.exception.code, "declined")
        self.assertEqual(os.listdir(os.environ["XDG_CONFIG_HOME"]), [])

    def test_key(self) -> None:
        """[PY-25] a key says whose it is and what it may"""
        who = client().whoami()
        self.assertEqual((who.person.handle, who.credential.kind), (SITE["owner"], "api_key"))
        self.assertIn(f"panels:{SITE['owner']}/*", who.credential.scopes or ())
        self.assertEqual(client().about().name, "patchbay")
