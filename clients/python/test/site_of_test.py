"""The server that the tests ask. Whoever starts them says where it is and what its people have."""

from __future__ import annotations

import json
import os
import uuid
from typing import Any, Dict
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

import patchbay

SITE: Dict[str, Any] = json.loads(os.environ.get("PATCHBAY_TEST_SITE", "{}"))


def client() -> patchbay.Client:
    """With a key that may do everything."""
    return patchbay.connect(SITE["url"], api_key=SITE["key"])


def new_workspace() -> patchbay.Workspace:
    workspace = client().workspace(f"{SITE['owner']}/w-{uuid.uuid4().hex[:8]}")
    workspace.make()
    return workspace


def sign_in() -> patchbay.Client:
    """As a person, for what no key may."""
    return patchbay.login(SITE["url"], store=False, on_prompt=lambda prompt: decide(prompt.auth_url, "approve"))


def as_person(method: str, path: str, body: Dict[str, Any]) -> None:
    """What a page does for the person who is signed in."""
    request = Request(SITE["url"] + path, json.dumps(body).encode(), SITE["pageHeaders"], method=method)
    with urlopen(request) as answer:
        answer.read()


def decide(auth_url: str, decision: str) -> None:
    token = parse_qs(urlsplit(auth_url).query)["token"][0]
    as_person("PATCH", f"/auth/intents/{token}", {"decision": decision})
