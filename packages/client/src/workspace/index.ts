export type {
  BoardBomReport,
  BoardCheckReport,
  BoardEngine,
  BoardJob,
  BoardJobProgress,
  BoardLibrary,
  BoardNetlistReport,
  BoardOperation,
  BoardQuestion,
  BoardReport,
  BoardResult,
  BoardViolation,
  SchematicChanged,
  SchematicChangeRequest,
} from '@patchbay/contracts/boards'
export type {
  ChangedPath,
  ContentChange,
  ContentChanged,
  ContentFile,
  ContentFolder,
  FileOperation,
  FoundFile,
  FoundLine,
  SearchResult,
} from '@patchbay/contracts/content'
export { Problem, type ProblemCode, UnexpectedResponse } from '@patchbay/contracts/core'
export type {
  CommandResult,
  Device,
  DeviceChannel,
  DeviceConnection,
  DeviceHistory,
  DeviceMarker,
  DeviceValue,
  EmergencyStop,
  HistoryPoint,
  HistorySeries,
  LatestValue,
  RecordedValue,
  Recorder,
  RecordingFile,
  RecordingFormat,
  RecordingGap,
} from '@patchbay/contracts/devices'
export type {
  AddedTab,
  Capture,
  CatalogPanel,
  ClosedTab,
  CurrentTab,
  CurrentWorkspace,
  EvalOutcome,
  Layout,
  LayoutNode,
  ScreenshotRequest,
  SharedWorkspace,
  SplitDirection,
  TrashedWorkspace,
  WorkspaceInvitation,
  WorkspaceMember,
  WorkspaceRef,
  WorkspaceRole,
  WorkspaceSummary,
} from '@patchbay/contracts/panels'
export type { RunOptions, WorkspaceBoards } from './boards.ts'
export type { CatalogFilter, NewPanel } from './catalog.ts'
export type { ConnectionOptions, Credential } from './connection.ts'
export type {
  AddedDevice,
  DeviceCommand,
  DeviceDetails,
  DeviceList,
  WatchOptions,
  WorkspaceDevices,
} from './devices.ts'
export type { FileList, FileSearch, FileWrite, OpenFile, TextEdit, WorkspaceFiles } from './files.ts'
export { findTab, findTabs, type WantedTab } from './find-tab.ts'
export type { WorkspaceLibraries } from './libraries.ts'
export type { NewInvitation, WorkspaceInvitations, WorkspaceMembers } from './members.ts'
export type { PanelTarget, Reason } from './panel-target.ts'
export type {
  ExportOptions,
  HistoryOptions,
  RecordedOptions,
  TimeRange,
  WorkspaceRecordings,
} from './recordings.ts'
export type { EvalAndWaitOptions, EvalOptions, Sandbox } from './sandbox.ts'
export type { Picture, ScreenshotOptions } from './screenshots.ts'
export { Unanswered } from './unanswered.ts'
export type { Webview } from './webview.ts'
export type { MakeOptions, NewTab, TabPlace, Workspace } from './workspace.ts'
export { connectWorkspace, connectWorkspaces, type Workspaces } from './workspaces.ts'
