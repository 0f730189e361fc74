from __future__ import annotations

import os
from typing import Callable, Dict, Mapping, Optional

from ._address import check_server
from ._connection import DEADLINE_S, Connection
from ._routes import ABOUT, SIGN_OUT, WHOAMI
from ._secret import Secret
from ._credentials import Credentials
from .errors import PatchbayError, Problem
from ._login import LoginPrompt, login_on, print_prompt
from .packages import Packages
from .types import About, Whoami
from .workspace import Workspace, Workspaces

DEFAULT_SERVER = "http://localhost:8790"


class Client:
    """One installation, asked as one key or session. Safe to use from several threads."""

    def __init__(self, connection: Connection, session: Optional[Secret] = None) -> None:
        self._connection = connection
        #: One that `login` has obtained, which is ours to end.
        self._session = session
        self.server = connection.server
        self.workspaces = Workspaces(connection)
        self.packages = Packages(connection)

    def workspace(self, name: str) -> Workspace:
        """A workspace by its name, such as `ada/bench`. Nothing is asked yet."""
        return self.workspaces.get(name)

    def about(self) -> About:
        return self._connection.ask(ABOUT)

    def whoami(self) -> Whoami:
        """Whom the key or session speaks for, and until when."""
        return self._connection.ask(WHOAMI)

    def logout(self) -> bool:
        """Ends the session of `login` on the server. False: it had ended already."""
        if self._session is None:
            raise PatchbayError("this session was not made by patchbay.login: end it with `patchbay logout` or on your account page")
        had_ended = False
        try:
            self._connection.ask(SIGN_OUT)
        except Problem as problem:
            had_ended = problem.code in ("credential_invalid", "sign_in_required")
            if not had_ended:
                raise
        Credentials().remove(self.server, self._session)
        return not had_ended

    def __repr__(self) -> str:
        return f"<Patchbay at {self.server}>"


def connect(
    server: Optional[str] = None,
    *,
    api_key: Optional[str] = None,
    session_token: Optional[str] = None,
    timeout: float = DEADLINE_S,
    allow_http: bool = False,
    environment: Mapping[str, str] = os.environ,
) -> Client:
    """Connects with a key, a session, or what this computer knows.

    Without `server`: that of `PATCHBAY_SERVER_URL`, of the last login, or the one on this machine. Without a key: that of
    `PATCHBAY_API_KEY`, which is for the server of `PATCHBAY_SERVER_URL` alone, or the session of `patchbay login` or
    `patchbay.login`. Nothing is asked yet.
    """
    if api_key is not None and session_token is not None:
        raise ValueError("give either api_key or session_token")
    credentials = Credentials()
    configured = environment.get("PATCHBAY_SERVER_URL") or None
    named = server or configured or credentials.find_last_server() or DEFAULT_SERVER
    checked = check_server(named, allow_http)
    if api_key is not None:
        return Client(Connection(checked, {"x-api-key": Secret(api_key, "api_key")}, timeout, allow_http))
    if session_token is not None:
        return Client(Connection(checked, _session_header(session_token), timeout, allow_http))
    key = environment.get("PATCHBAY_API_KEY", "")
    # A key is sent to its own server: what another one was named for stays here.
    if key and (configured or server) and check_server(configured or named, allow_http) == checked:
        return Client(Connection(checked, {"x-api-key": Secret(key, "PATCHBAY_API_KEY")}, timeout, allow_http))
    stored = credentials.find(checked)
    if stored is None:
        return Client(Connection(checked, None, timeout, allow_http))
    header = {"authorization": stored.token.as_bearer()}
    return Client(Connection(checked, header, timeout, allow_http), None if stored.is_of_command else stored.token)


def login(
    server: str = DEFAULT_SERVER,
    *,
    label: str = "Python",
    max_age: Optional[int] = None,
    store: bool = True,
    on_prompt: Callable[[LoginPrompt], None] = print_prompt,
    timeout: float = DEADLINE_S,
    allow_http: bool = False,
) -> Client:
    """Signs a person in, who approves in their own browser. `store` keeps the session for `connect`, for this user alone."""
    connection = Connection(server, None, timeout, allow_http)
    token = login_on(connection, label, max_age, on_prompt)
    if store:
        Credentials().store(connection.server, token)
    return Client(Connection(connection.server, {"authorization": token.as_bearer()}, timeout, allow_http), token)


def _session_header(token: str) -> Dict[str, Secret]:
    return {"authorization": Secret(token, "session_token").as_bearer()}
