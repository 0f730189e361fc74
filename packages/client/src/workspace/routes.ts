import type {
  deleteBoardJob,
  deleteBoardLibrary,
  getBoardEngine,
  getBoardJob,
  getBoardJobs,
  getBoardLibraries,
  getBoardLibrarySymbols,
  getBoardResult,
  getBoardSymbols,
  postBoardJob,
  postSchematicAnnotation,
  postSchematicChanges,
  putBoardLibrary,
} from '@patchbay/contracts/boards'
import type {
  deleteFile,
  getChangedPaths,
  getDocument,
  getFile,
  getFileArchive,
  getFileChanges,
  getFileSearch,
  getFiles,
  postFileChanges,
  postFileEdits,
  postMissingBlobs,
  postReadBlobs,
  postRestore,
  putBlob,
  putFile,
} from '@patchbay/contracts/content'
import type { EndpointSpec } from '@patchbay/contracts/core'
import type {
  deleteDevice,
  deleteDeviceGrant,
  deleteMarker,
  deleteRecorder,
  getDevice,
  getDeviceExport,
  getDeviceHistory,
  getDevices,
  getDeviceValues,
  getMarkers,
  getRecordedValues,
  getRecorder,
  getRecordings,
  postDevice,
  postDeviceCommand,
  postDeviceKey,
  postMarker,
  putDeviceGrant,
  putEmergencyStop,
  putRecorder,
} from '@patchbay/contracts/devices'
import type {
  deleteCatalogPanel,
  deleteTab,
  deleteTrashedWorkspace,
  deleteWorkspace,
  deleteWorkspaceInvitation,
  deleteWorkspaceMember,
  getClosedTabs,
  getCurrentWorkspace,
  getPanelCatalog,
  getSandboxEval,
  getScreenshot,
  getSharedWorkspaces,
  getTrash,
  getWorkspaceInvitations,
  getWorkspaceMembers,
  getWorkspaces,
  patchSandbox,
  patchScreenshot,
  patchSplit,
  patchTab,
  patchWebview,
  postCatalogPanel,
  postInvitationJoin,
  postReopenTab,
  postRestoreWorkspace,
  postSplit,
  postTab,
  postWorkspaceInvitation,
  putCurrentWorkspace,
  putWorkspace,
  putWorkspaceMember,
} from '@patchbay/contracts/panels'

/** What `call` needs of a description: by status, whether there is an answer to read. */
type Answers<Spec extends EndpointSpec> = {
  readonly [Status in keyof Spec['responses']]: Spec['responses'][Status] extends null ? null : object
}

// Types only: the descriptions bring a schema library along, which somebody who drives a workspace does not need.
function route<Spec extends EndpointSpec>(
  method: Spec['method'],
  path: Spec['path'],
  responses: Answers<Spec>,
): Spec {
  return { method, path, responses } as unknown as Spec
}

const JSON_ANSWER = {}
const NOTHING = null
const ALL = '/api/workspaces/editor/{owner}'
const ONE = `${ALL}/{repo}` as const
const CURRENT = `${ONE}/current` as const
const CATALOG = '/api/panels/catalog'

export const LIST = route<typeof getWorkspaces>('GET', ALL, { 200: JSON_ANSWER })
export const MAKE = route<typeof putWorkspace>('PUT', ONE, { 200: JSON_ANSWER, 201: JSON_ANSWER })
export const REMOVE = route<typeof deleteWorkspace>('DELETE', ONE, { 204: NOTHING })
const TRASH = '/api/workspaces/trash/{owner}'
export const LIST_TRASH = route<typeof getTrash>('GET', TRASH, { 200: JSON_ANSWER })
export const RESTORE = route<typeof postRestoreWorkspace>('POST', `${TRASH}/{id}/restore`, {
  200: JSON_ANSWER,
})
export const PURGE = route<typeof deleteTrashedWorkspace>('DELETE', `${TRASH}/{id}`, { 204: NOTHING })
export const SHOW = route<typeof getCurrentWorkspace>('GET', CURRENT, { 200: JSON_ANSWER })
export const REPLACE = route<typeof putCurrentWorkspace>('PUT', CURRENT, { 200: JSON_ANSWER })
export const ADD_TAB = route<typeof postTab>('POST', `${CURRENT}/tabs`, { 201: JSON_ANSWER })
export const ADD_SPLIT = route<typeof postSplit>('POST', `${CURRENT}/splits`, { 201: JSON_ANSWER })
export const CHANGE_TAB = route<typeof patchTab>('PATCH', `${CURRENT}/tabs/{tabId}`, { 200: JSON_ANSWER })
export const CLOSE_TAB = route<typeof deleteTab>('DELETE', `${CURRENT}/tabs/{tabId}`, { 204: NOTHING })
export const CLOSED_TABS = route<typeof getClosedTabs>('GET', `${ONE}/closed-tabs`, { 200: JSON_ANSWER })
export const REOPEN_TAB = route<typeof postReopenTab>('POST', `${ONE}/closed-tabs/{tabId}/reopen`, {
  201: JSON_ANSWER,
})
export const RESIZE = route<typeof patchSplit>('PATCH', `${CURRENT}/splits/{splitId}`, { 200: JSON_ANSWER })

export const SHARED = route<typeof getSharedWorkspaces>('GET', '/api/workspaces/shared', { 200: JSON_ANSWER })
export const JOIN = route<typeof postInvitationJoin>('POST', '/api/workspaces/invitations/accept', {
  200: JSON_ANSWER,
})
export const LIST_MEMBERS = route<typeof getWorkspaceMembers>('GET', `${ONE}/members`, { 200: JSON_ANSWER })
export const SET_MEMBER = route<typeof putWorkspaceMember>('PUT', `${ONE}/members/{handle}`, { 204: NOTHING })
export const REMOVE_MEMBER = route<typeof deleteWorkspaceMember>('DELETE', `${ONE}/members/{handle}`, {
  204: NOTHING,
})
export const LIST_INVITATIONS = route<typeof getWorkspaceInvitations>('GET', `${ONE}/invitations`, {
  200: JSON_ANSWER,
})
export const CREATE_INVITATION = route<typeof postWorkspaceInvitation>('POST', `${ONE}/invitations`, {
  201: JSON_ANSWER,
})
export const REVOKE_INVITATION = route<typeof deleteWorkspaceInvitation>(
  'DELETE',
  `${ONE}/invitations/{id}`,
  {
    204: NOTHING,
  },
)

export const LIST_PANELS = route<typeof getPanelCatalog>('GET', CATALOG, { 200: JSON_ANSWER })
export const ADD_PANEL = route<typeof postCatalogPanel>('POST', `${CATALOG}/{owner}`, { 201: JSON_ANSWER })
export const REMOVE_PANEL = route<typeof deleteCatalogPanel>('DELETE', `${CATALOG}/{owner}/{panelUuid}`, {
  204: NOTHING,
})

export const WEBVIEW = route<typeof patchWebview>('PATCH', '/api/panels/webview/{owner}/{repo}', {
  204: NOTHING,
})
export const SANDBOX = route<typeof patchSandbox>('PATCH', '/api/panels/sandbox/{owner}/{repo}', {
  200: JSON_ANSWER,
  204: NOTHING,
})
export const EVALUATION = route<typeof getSandboxEval>(
  'GET',
  '/api/panels/sandbox/{owner}/{repo}/evals/{id}',
  { 200: JSON_ANSWER },
)

export const CAPTURE = route<typeof patchScreenshot>('PATCH', `${CURRENT}/screenshot`, { 200: JSON_ANSWER })
export const PICTURE = route<typeof getScreenshot>('GET', `${ONE}/screenshots/{id}`, { 200: JSON_ANSWER })

const FILES = `${ONE}/files` as const
/** `call` takes an upload only where one is described. */
const upload = { mediaType: 'application/octet-stream', description: '' }

export const LIST_FILES = route<typeof getFiles>('GET', FILES, { 200: JSON_ANSWER })
export const READ_FILE = route<typeof getFile>('GET', `${FILES}/content`, {
  200: JSON_ANSWER,
  206: JSON_ANSWER,
  304: NOTHING,
})
export const WRITE_FILE = {
  ...route<typeof putFile>('PUT', `${FILES}/content`, { 200: JSON_ANSWER, 201: JSON_ANSWER }),
  upload,
}
export const DELETE_FILE = route<typeof deleteFile>('DELETE', `${FILES}/content`, { 200: JSON_ANSWER })
export const CHANGE_FILES = route<typeof postFileChanges>('POST', `${FILES}/changes`, { 200: JSON_ANSWER })
export const SEARCH_FILES = route<typeof getFileSearch>('GET', `${FILES}/search`, { 200: JSON_ANSWER })
export const OPEN_DOCUMENT = route<typeof getDocument>('GET', `${FILES}/document`, { 200: JSON_ANSWER })
export const EDIT_FILE = route<typeof postFileEdits>('POST', `${FILES}/edits`, { 200: JSON_ANSWER })
export const FILE_CHANGES = route<typeof getFileChanges>('GET', `${FILES}/changes`, { 200: JSON_ANSWER })
export const CHANGED_PATHS = route<typeof getChangedPaths>('GET', `${FILES}/changed-paths`, {
  200: JSON_ANSWER,
})
export const RESTORE_FILES = route<typeof postRestore>('POST', `${FILES}/restore`, { 200: JSON_ANSWER })
export const FILE_ARCHIVE = route<typeof getFileArchive>('GET', `${FILES}/archive`, { 200: JSON_ANSWER })
export const PUT_BLOB = {
  ...route<typeof putBlob>('PUT', `${FILES}/blobs/{sha256}`, { 204: NOTHING }),
  upload,
}
export const MISSING_BLOBS = route<typeof postMissingBlobs>('POST', `${FILES}/blobs/missing`, {
  200: JSON_ANSWER,
})
export const READ_BLOBS = route<typeof postReadBlobs>('POST', `${FILES}/blobs/read`, { 200: JSON_ANSWER })

const DEVICES = `${ONE}/devices` as const
const DEVICE = `${DEVICES}/{device}` as const
const GRANT = `${DEVICE}/grants/{toOwner}/{toRepo}` as const

export const LIST_DEVICES = route<typeof getDevices>('GET', DEVICES, { 200: JSON_ANSWER })
export const ADD_DEVICE = route<typeof postDevice>('POST', DEVICES, { 201: JSON_ANSWER })
export const GET_DEVICE = route<typeof getDevice>('GET', DEVICE, { 200: JSON_ANSWER })
export const REMOVE_DEVICE = route<typeof deleteDevice>('DELETE', DEVICE, { 204: NOTHING })
export const REPLACE_DEVICE_KEY = route<typeof postDeviceKey>('POST', `${DEVICE}/key`, { 200: JSON_ANSWER })
export const GRANT_DEVICE = route<typeof putDeviceGrant>('PUT', GRANT, { 204: NOTHING })
export const REVOKE_DEVICE = route<typeof deleteDeviceGrant>('DELETE', GRANT, { 204: NOTHING })
export const WATCH_DEVICE = route<typeof getDeviceValues>('GET', `${DEVICE}/values`, { 200: JSON_ANSWER })
export const COMMAND_DEVICE = route<typeof postDeviceCommand>('POST', `${DEVICE}/commands`, {
  200: JSON_ANSWER,
})
export const STOP_DEVICES = route<typeof putEmergencyStop>('PUT', `${ONE}/emergency-stop`, {
  200: JSON_ANSWER,
})
const RECORDER = `${ONE}/device-recorder` as const
const MARKERS = `${ONE}/device-markers` as const
export const READ_HISTORY = route<typeof getDeviceHistory>('GET', `${DEVICE}/history`, { 200: JSON_ANSWER })
export const READ_RECORDED = route<typeof getRecordedValues>('GET', `${DEVICE}/recorded-values`, {
  200: JSON_ANSWER,
})
export const EXPORT_RECORDING = route<typeof getDeviceExport>('GET', `${ONE}/device-export`, {
  200: JSON_ANSWER,
})
export const LIST_RECORDINGS = route<typeof getRecordings>('GET', `${ONE}/device-recordings`, {
  200: JSON_ANSWER,
})
export const GET_RECORDER = route<typeof getRecorder>('GET', RECORDER, { 200: JSON_ANSWER })
export const START_RECORDING = route<typeof putRecorder>('PUT', RECORDER, { 200: JSON_ANSWER })
export const STOP_RECORDING = route<typeof deleteRecorder>('DELETE', RECORDER, { 200: JSON_ANSWER })
export const LIST_MARKERS = route<typeof getMarkers>('GET', MARKERS, { 200: JSON_ANSWER })
export const ADD_MARKER = route<typeof postMarker>('POST', MARKERS, { 201: JSON_ANSWER })
export const REMOVE_MARKER = route<typeof deleteMarker>('DELETE', `${MARKERS}/{marker}`, { 204: NOTHING })

const BOARDS = `${ONE}/boards` as const
const BOARD_JOBS = `${BOARDS}/jobs` as const
export const BOARD_ENGINE = route<typeof getBoardEngine>('GET', `${BOARDS}/engine`, { 200: JSON_ANSWER })
export const LIST_BOARD_JOBS = route<typeof getBoardJobs>('GET', BOARD_JOBS, { 200: JSON_ANSWER })
export const START_BOARD_JOB = route<typeof postBoardJob>('POST', BOARD_JOBS, {
  200: JSON_ANSWER,
  201: JSON_ANSWER,
})
export const BOARD_JOB = route<typeof getBoardJob>('GET', `${BOARD_JOBS}/{id}`, { 200: JSON_ANSWER })
export const WITHDRAW_BOARD_JOB = route<typeof deleteBoardJob>('DELETE', `${BOARD_JOBS}/{id}`, {
  200: JSON_ANSWER,
})
export const BOARD_RESULT = route<typeof getBoardResult>('GET', `${BOARD_JOBS}/{id}/results/{name}`, {
  200: JSON_ANSWER,
  206: JSON_ANSWER,
  304: NOTHING,
})
export const CHANGE_SCHEMATIC = route<typeof postSchematicChanges>('POST', `${BOARDS}/schematic/changes`, {
  200: JSON_ANSWER,
})
export const ANNOTATE_SCHEMATIC = route<typeof postSchematicAnnotation>(
  'POST',
  `${BOARDS}/schematic/annotation`,
  { 200: JSON_ANSWER },
)
export const SEARCH_SYMBOLS = route<typeof getBoardSymbols>('GET', `${BOARDS}/symbols`, {
  200: JSON_ANSWER,
})
const LIBRARIES = `${BOARDS}/libraries` as const
const LIBRARY = `${LIBRARIES}/{identifier}` as const
export const LIST_LIBRARIES = route<typeof getBoardLibraries>('GET', LIBRARIES, { 200: JSON_ANSWER })
export const ADD_LIBRARY = route<typeof putBoardLibrary>('PUT', LIBRARY, {
  200: JSON_ANSWER,
  201: JSON_ANSWER,
})
export const REMOVE_LIBRARY = route<typeof deleteBoardLibrary>('DELETE', LIBRARY, { 204: NOTHING })
export const LIBRARY_SYMBOLS = route<typeof getBoardLibrarySymbols>('GET', `${LIBRARY}/symbols/{sha256}`, {
  200: JSON_ANSWER,
  206: JSON_ANSWER,
  304: NOTHING,
})
