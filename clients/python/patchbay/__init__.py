"""Patchbay from Python: files, panels, devices, boards and packages of an installation.

    import patchbay

    client = patchbay.connect("https://patchbay.example.com", api_key="pbk_…")
    workspace = client.workspace("ada/bench")
    workspace.files.list()
"""

from . import types
from ._stream import Stream
from ._version import VERSION as __version__
from .client import Client, connect, login
from .boards import Boards
from .devices import Devices
from .display import Picture, Table
from .errors import CredentialsError, JobFailed, LoginError, PatchbayError, Problem, Unanswered, UnexpectedResponse
from .files import Files
from ._login import LoginPrompt
from .packages import Packages
from .panels import Panels
from .recordings import Recordings
from .workspace import Workspace, Workspaces

__all__ = [
    "Boards",
    "Client",
    "CredentialsError",
    "Devices",
    "Files",
    "JobFailed",
    "LoginError",
    "LoginPrompt",
    "Packages",
    "Panels",
    "PatchbayError",
    "Picture",
    "Problem",
    "Recordings",
    "Stream",
    "Table",
    "Unanswered",
    "UnexpectedResponse",
    "Workspace",
    "Workspaces",
    "__version__",
    "connect",
    "login",
    "types",
]
