"""Sessions on this computer: those of `patchbay login`, which are read, and those of `patchbay.login`, one file each."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional

from ._address import check_server, origin
from ._files import write_atomically
from ._secret import Secret
from .errors import CredentialsError

_VERSION = 1
_MOST_BYTES = 1024 * 1024
_MOST_FILES = 1_000


@dataclass(frozen=True)
class StoredSession:
    server: str
    token: Secret
    at: str
    #: The file of `patchbay login`, which that command alone writes.
    is_of_command: bool


def credentials_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """`$XDG_CONFIG_HOME/patchbay`, or `~/.config/patchbay`, as the command line has it."""
    configured = environment.get("XDG_CONFIG_HOME", "")
    if os.path.isabs(configured):
        return Path(configured, "patchbay")
    return Path(environment.get("HOME") or Path.home(), ".config", "patchbay")


class Credentials:
    def __init__(self, folder: Optional[Path] = None) -> None:
        self.folder = credentials_folder() if folder is None else folder

    def find(self, server: str) -> Optional[StoredSession]:
        """The latest session for a server."""
        wanted = origin(server)
        found = [each for each in self.all() if origin(each.server) == wanted]
        return max(found, key=lambda each: each.at) if found else None

    def find_last_server(self) -> Optional[str]:
        """Where somebody signed in last. Files that cannot be used name none; whoever needs a session is told."""
        try:
            logins = [each for each in self.all() if each.at]
        except CredentialsError:
            return None
        return max(logins, key=lambda each: each.at).server if logins else None

    def all(self) -> List[StoredSession]:
        sessions = self._of_command()
        own = self.folder / "python-sessions"
        try:
            paths = sorted(own.glob("*.json"))[:_MOST_FILES]
        except OSError:
            paths = []
        for path in paths:
            content = _read_private(path)
            session = None if content is None else _session(content.get("server"), content, content.get("at"), False)
            if session is not None:
                sessions.append(session)
        return sessions

    def store(self, server: str, token: Secret) -> None:
        path = self._path_of(server)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.parent.chmod(0o700)
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        content = {"version": _VERSION, "server": server, "sessionToken": token.reveal(), "at": now}
        write_atomically(path, [json.dumps(content).encode()], mode=0o600)

    def remove(self, server: str, token: Secret) -> None:
        """Unless somebody has signed in again meanwhile."""
        path = self._path_of(server)
        content = _read_private(path)
        if content is not None and content.get("sessionToken") == token.reveal():
            path.unlink(missing_ok=True)

    def _path_of(self, server: str) -> Path:
        # One file each: two programs that sign in at once do not undo each other's session.
        name = hashlib.sha256(origin(server).encode()).hexdigest()[:32]
        return self.folder / "python-sessions" / f"{name}.json"

    def _of_command(self) -> List[StoredSession]:
        content = _read_private(self.folder / "credentials.json")
        servers = None if content is None else content.get("servers")
        if not isinstance(servers, dict):
            return []
        sessions = []
        for name, entry in servers.items():
            if not isinstance(entry, dict):
                continue
            login = entry.get("login")
            at = login.get("at") if isinstance(login, dict) else None
            session = _session(login.get("server") if isinstance(login, dict) else name, entry, at, True)
            # Written by hand, it must not lead a session elsewhere.
            if session is not None and origin(session.server) == name:
                sessions.append(session)
        return sessions


def _session(server: Any, entry: Dict[str, Any], at: Any, is_of_command: bool) -> Optional[StoredSession]:
    token = entry.get("sessionToken")
    if not isinstance(server, str) or not isinstance(token, str):
        return None
    try:
        checked = check_server(server, allow_http=not is_of_command)
        return StoredSession(checked, Secret(token, "session"), at if isinstance(at, str) else "", is_of_command)
    except ValueError:
        return None


def _read_private(path: Path) -> Optional[Dict[str, Any]]:
    """A file that its user alone can read. Others are refused and left as they are: what others could read, they may have."""
    # A link is not followed: whoever can plant one chooses the session. A pipe must not make the reader wait.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CredentialsError(str(path), "is a symbolic link" if path.is_symlink() else f"cannot be read ({error.errno})") from None
    with os.fdopen(descriptor, "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode):
            raise CredentialsError(str(path), "is no plain file")
        if facts.st_size > _MOST_BYTES:
            raise CredentialsError(str(path), "is too large")
        if hasattr(os, "getuid"):
            if facts.st_uid != os.getuid():
                raise CredentialsError(str(path), "belongs to another user")
            if facts.st_mode & 0o077:
                raise CredentialsError(str(path), "can be read by other users of this machine")
        text = file.read()
    try:
        content = json.loads(text)
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise CredentialsError(str(path), "is damaged: it is not the JSON that was written")
    if content.get("version") != _VERSION:
        raise CredentialsError(str(path), "was written by another version")
    return content
