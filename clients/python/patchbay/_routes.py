"""The endpoints of the contract that this package asks, as data: a test compares them with `docs/reference/openapi.json`."""

from __future__ import annotations

from . import types
from ._connection import Nothing, Route

_WORKSPACES = "/api/workspaces/editor"
_WORKSPACE = "/api/workspaces/editor/{owner}/{repo}"
_CURRENT = f"{_WORKSPACE}/current"
_FILES = f"{_WORKSPACE}/files"
_DEVICES = f"{_WORKSPACE}/devices"
_DEVICE = f"{_DEVICES}/{{device}}"
_BOARDS = f"{_WORKSPACE}/boards"
_PACKAGES = "/registry/owners/{owner}/packages"

# Who asks
ABOUT = Route("GET", "/api/about", types.About, True)
WHOAMI = Route("GET", "/auth/whoami", types.Whoami, True)
SIGN_OUT = Route("DELETE", "/auth/session", Nothing)
BEGIN_LOGIN = Route("POST", "/auth/intents", types.Intent)
LOGIN_STATUS = Route("GET", "/auth/intents/{token}/status", types.IntentStatus, True)

# Workspaces
LIST_WORKSPACES = Route("GET", f"{_WORKSPACES}/{{owner}}", types.Page[types.WorkspaceSummary], True)
SHARED_WORKSPACES = Route("GET", "/api/workspaces/shared", types.Page[types.SharedWorkspace], True)
MAKE_WORKSPACE = Route("PUT", _WORKSPACE, types.WorkspaceSummary, True)
REMOVE_WORKSPACE = Route("DELETE", _WORKSPACE, Nothing)
LIST_TRASH = Route("GET", "/api/workspaces/trash/{owner}", types.Page[types.TrashedWorkspace], True)
RESTORE_WORKSPACE = Route("POST", "/api/workspaces/trash/{owner}/{id}/restore", types.WorkspaceRef)

# Files
LIST_FILES = Route("GET", _FILES, types.FilePage, True)
READ_FILE = Route("GET", f"{_FILES}/content", bytes, True)
WRITE_FILE = Route("PUT", f"{_FILES}/content", types.FileInfo)
DELETE_FILE = Route("DELETE", f"{_FILES}/content", types.FileChanged)
CHANGE_FILES = Route("POST", f"{_FILES}/changes", types.FileChanged)
FILE_HISTORY = Route("GET", f"{_FILES}/changes", types.Page[types.FileChange], True)
SEARCH_FILES = Route("GET", f"{_FILES}/search", types.SearchResult, True)
OPEN_DOCUMENT = Route("GET", f"{_FILES}/document", types.EditedDocument, True)
EDIT_FILE = Route("POST", f"{_FILES}/edits", types.DocumentVersion)
UPLOAD_CONTENT = Route("PUT", f"{_FILES}/blobs/{{sha256}}", Nothing, True)
MISSING_CONTENTS = Route("POST", f"{_FILES}/blobs/missing", types.MissingContents, True)
CHANGED_PATHS = Route("GET", f"{_FILES}/changed-paths", types.ChangedPaths, True)
RESTORE_FILES = Route("POST", f"{_FILES}/restore", types.FileChanged)
DOWNLOAD_FILES = Route("GET", f"{_FILES}/archive", bytes, True)

# Packages
SEARCH_PACKAGES = Route("GET", "/registry/search", types.Page[types.FoundPackage], True)
SHOW_PACKAGE = Route("GET", "/registry/packages/{identifier}", types.PackagePage, True)
OWNED_PACKAGES = Route("GET", _PACKAGES, types.Page[types.OwnedPackage], True)
# The same archive again is answered the same.
PUBLISH_PACKAGE = Route("POST", _PACKAGES, types.Published, True)

# Panels
CURRENT_WORKSPACE = Route("GET", _CURRENT, types.CurrentWorkspace, True)
LIST_PANELS = Route("GET", "/api/panels/catalog", types.Page[types.CatalogPanel], True)
# A new tab is named by whoever adds it: again, it is the same one.
ADD_TAB = Route("POST", f"{_CURRENT}/tabs", types.AddedTab, True)
ADD_SPLIT = Route("POST", f"{_CURRENT}/splits", types.AddedTab, True)
CHANGE_TAB = Route("PATCH", f"{_CURRENT}/tabs/{{tabId}}", types.LayoutVersion, True)
CLOSE_TAB = Route("DELETE", f"{_CURRENT}/tabs/{{tabId}}", Nothing)
CLOSED_TABS = Route("GET", f"{_WORKSPACE}/closed-tabs", types.ClosedTabs, True)
REOPEN_TAB = Route("POST", f"{_WORKSPACE}/closed-tabs/{{tabId}}/reopen", types.AddedTab, True)
WEBVIEW = Route("PATCH", "/api/panels/webview/{owner}/{repo}", Nothing)
SANDBOX = Route("PATCH", "/api/panels/sandbox/{owner}/{repo}", Nothing)
EVALUATE = Route("PATCH", "/api/panels/sandbox/{owner}/{repo}", types.EvalOutcome)
EVALUATION = Route("GET", "/api/panels/sandbox/{owner}/{repo}/evals/{id}", types.EvalOutcome, True)
SCREENSHOT = Route("PATCH", f"{_CURRENT}/screenshot", types.Capture)
SCREENSHOT_FILE = Route("GET", f"{_WORKSPACE}/screenshots/{{id}}", bytes, True)

# Devices
LIST_DEVICES = Route("GET", _DEVICES, types.DevicePage, True)
ADD_DEVICE = Route("POST", _DEVICES, types.AddedDevice)
READ_DEVICE = Route("GET", _DEVICE, types.DeviceDetails, True)
REMOVE_DEVICE = Route("DELETE", _DEVICE, Nothing)
REPLACE_DEVICE_KEY = Route("POST", f"{_DEVICE}/key", types.DeviceKey)
GRANT_DEVICE = Route("PUT", f"{_DEVICE}/grants/{{toOwner}}/{{toRepo}}", Nothing, True)
REVOKE_DEVICE = Route("DELETE", f"{_DEVICE}/grants/{{toOwner}}/{{toRepo}}", Nothing, True)
WATCH_DEVICE = Route("GET", f"{_DEVICE}/values", bytes, True)
# The name of a command reaches a device once.
COMMAND_DEVICE = Route("POST", f"{_DEVICE}/commands", types.CommandResult, True)
STOP_DEVICES = Route("PUT", f"{_WORKSPACE}/emergency-stop", types.Stopped, True)
SEND_VALUES = Route("POST", "/api/devices/values", Nothing)

# What devices have sent
DEVICE_HISTORY = Route("GET", f"{_DEVICE}/history", types.History, True)
RECORDED_VALUES = Route("GET", f"{_DEVICE}/recorded-values", types.Page[types.RecordedValue], True)
READ_RECORDER = Route("GET", f"{_WORKSPACE}/device-recorder", types.Recorder, True)
START_RECORDING = Route("PUT", f"{_WORKSPACE}/device-recorder", types.Recorder, True)
STOP_RECORDING = Route("DELETE", f"{_WORKSPACE}/device-recorder", types.Recorder, True)
LIST_RECORDINGS = Route("GET", f"{_WORKSPACE}/device-recordings", types.Page[types.RecordingFile], True)
EXPORT_RECORDING = Route("GET", f"{_WORKSPACE}/device-export", bytes, True)
LIST_MARKERS = Route("GET", f"{_WORKSPACE}/device-markers", types.Page[types.Marker], True)
ADD_MARKER = Route("POST", f"{_WORKSPACE}/device-markers", types.Marker)
REMOVE_MARKER = Route("DELETE", f"{_WORKSPACE}/device-markers/{{marker}}", Nothing, True)

# Boards
BOARD_ENGINE = Route("GET", f"{_BOARDS}/engine", types.Engine, True)
START_BOARD_JOB = Route("POST", f"{_BOARDS}/jobs", types.Job, True)
READ_BOARD_JOB = Route("GET", f"{_BOARDS}/jobs/{{id}}", types.Job, True)
LIST_BOARD_JOBS = Route("GET", f"{_BOARDS}/jobs", types.Page[types.Job], True)
BOARD_RESULT = Route("GET", f"{_BOARDS}/jobs/{{id}}/results/{{name}}", bytes, True)
