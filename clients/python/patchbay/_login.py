"""Signing a person in: they approve in their own browser, and this program never sees a password."""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from dataclasses import dataclass
from datetime import datetime
from typing import Callable, Optional
from urllib.parse import urlsplit

from ._connection import Connection
from ._routes import BEGIN_LOGIN, LOGIN_STATUS
from ._secret import Secret
from ._text import strip_hidden
from .errors import LoginError, PatchbayError, Problem, UnexpectedResponse, Unanswered

_POLL_S = 2.0
_LONGEST_POLL_S = 10.0
_LONGEST_WAIT_S = 24 * 60 * 60.0
_ENDINGS = {"intent_expired": "expired", "intent_declined": "declined", "intent_consumed": "consumed"}


@dataclass(frozen=True)
class LoginPrompt:
    """What the person needs to see: a link to open, and two words to compare with those on its page."""

    auth_url: str
    confirmation_code: Optional[str]
    expires_at: datetime


@dataclass(frozen=True)
class PendingLogin:
    prompt: LoginPrompt
    #: By this machine's clock that no one sets.
    wait_until: float
    token: Secret
    verifier: Secret


def print_prompt(prompt: LoginPrompt) -> None:
    print(f"Open {prompt.auth_url}")
    if prompt.confirmation_code is not None:
        print(f"The page shows these words: {prompt.confirmation_code}")
    print("Waiting until you have approved…")


def begin_login(connection: Connection, label: Optional[str], max_age: Optional[int]) -> PendingLogin:
    verifier = secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    began = time.monotonic()
    intent = connection.ask(BEGIN_LOGIN, body={"code_challenge": challenge, "label": label, "max_age": max_age})
    lifetime = (intent.expires_at - intent.created_at).total_seconds()
    # The link will be opened in somebody's browser.
    if urlsplit(intent.auth_url).scheme not in ("http", "https") or not 0 < lifetime <= _LONGEST_WAIT_S:
        raise UnexpectedResponse(201, "it is no login request")
    words = None if intent.confirmation_code is None else strip_hidden(intent.confirmation_code)
    prompt = LoginPrompt(strip_hidden(intent.auth_url).replace(" ", "%20"), words, intent.expires_at)
    return PendingLogin(prompt, began + lifetime, Secret(intent.token, "token"), Secret(verifier, "verifier"))


def wait_for_login(connection: Connection, pending: PendingLogin) -> Secret:
    """Polls until the person has decided. A server that restarts, or a network that is away, does not end it."""
    failures = 0
    while True:
        is_over = time.monotonic() >= pending.wait_until
        try:
            status = connection.ask(
                LOGIN_STATUS,
                {"token": pending.token.reveal()},
                headers={"intent-verifier": pending.verifier},
            )
            failures = 0
        except PatchbayError as error:
            if not _may_pass(error):
                raise _refusal(error) from None
            failures += 1
            if is_over:
                raise
        else:
            if status.state == "authenticated" and status.session_token is not None:
                return Secret(status.session_token, "session")
            if status.state != "pending":
                raise UnexpectedResponse(200, "the state of the login is unknown")
            if is_over:
                raise LoginError("expired", "nobody approved the login in time")
        time.sleep(min(_LONGEST_POLL_S, _POLL_S * 2.0 ** min(failures, 5)))


def login_on(
    connection: Connection,
    label: Optional[str],
    max_age: Optional[int],
    on_prompt: Callable[[LoginPrompt], None],
) -> Secret:
    pending = begin_login(connection, label, max_age)
    on_prompt(pending.prompt)
    return wait_for_login(connection, pending)


def _may_pass(error: PatchbayError) -> bool:
    if isinstance(error, Unanswered):
        return True
    return isinstance(error, (Problem, UnexpectedResponse)) and (error.status in (408, 429) or error.status >= 500)


def _refusal(error: PatchbayError) -> PatchbayError:
    if not isinstance(error, Problem):
        return error
    return LoginError(_ENDINGS.get(error.code, "refused"), str(error))
