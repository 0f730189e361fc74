from __future__ import annotations

from typing import Optional

from ._connection import Connection
from ._routes import (
    LIST_TRASH,
    LIST_WORKSPACES,
    MAKE_WORKSPACE,
    REMOVE_WORKSPACE,
    RESTORE_WORKSPACE,
    SHARED_WORKSPACES,
)
from .boards import Boards
from .devices import Devices
from .display import Table
from .files import Files
from .panels import Panels
from .recordings import Recordings
from .types import SharedWorkspace, TrashedWorkspace, WorkspaceRef, WorkspaceSummary


class Workspace:
    """One workspace. Nothing is asked until one of its methods is called."""

    def __init__(self, connection: Connection, owner: str, repo: str) -> None:
        self._connection = connection
        self._params = {"owner": owner, "repo": repo}
        self.owner = owner
        self.repo = repo
        self.files = Files(connection, self._params)
        self.panels = Panels(connection, self._params)
        self.devices = Devices(connection, self._params)
        self.recordings = Recordings(connection, self._params)
        self.boards = Boards(connection, self._params)

    @property
    def name(self) -> str:
        return f"{self.owner}/{self.repo}"

    def make(self, template: Optional[str] = None) -> WorkspaceSummary:
        """Makes it unless it is there. `template`: `sample`, `board-bring-up`, `robot` or `course`."""
        return self._connection.ask(MAKE_WORKSPACE, self._params, body={"template": template})

    def remove(self) -> None:
        """Moves it to the trash, from where it can be restored for 30 days."""
        self._connection.ask(REMOVE_WORKSPACE, self._params)

    def __repr__(self) -> str:
        return f"<Workspace {self.name}>"


class Workspaces:
    """The workspaces of an installation."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, name: str) -> Workspace:
        owner, _, repo = name.partition("/")
        if not owner or not repo or "/" in repo:
            raise ValueError("a workspace is named like ada/bench")
        return Workspace(self._connection, owner, repo)

    def list(self, owner: str) -> Table[WorkspaceSummary]:
        """Those of an owner, the last changed first."""
        return self._connection.pages(LIST_WORKSPACES, {"owner": owner})

    def shared(self) -> Table[SharedWorkspace]:
        """Those of others that the person was let into; not with a key."""
        return self._connection.pages(SHARED_WORKSPACES)

    def trash(self, owner: str) -> Table[TrashedWorkspace]:
        """What was deleted in the last 30 days, the last one first."""
        return self._connection.pages(LIST_TRASH, {"owner": owner})

    def restore(self, owner: str, id: str, repo: Optional[str] = None) -> WorkspaceRef:
        """Under the name that it had unless another one is given."""
        return self._connection.ask(RESTORE_WORKSPACE, {"owner": owner, "id": id}, body={"repo": repo})
