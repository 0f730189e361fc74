/** Numbers that the contract fixes. Named here once; clients and servers import the same constant. */
export const LIMITS = {
  /** An authentication intent can be linked for this long. */
  intentLifetimeMs: 15 * 60_000,
  /** A session lives this long unless `max_age` asks for less. */
  sessionLifetimeSeconds: 7_776_000,
  /** A gateway registration can receive its code for this long. */
  gatewayRegistrationLifetimeMs: 10 * 60_000,
  /** A state that was delivered cannot be registered again for this long. */
  gatewayTombstoneMs: 10 * 60_000,
  gatewayMessageBytes: 4_096,
  /** A gateway connection without a registration is closed after this long. */
  gatewayRegisterWithinMs: 10_000,
  watchdogPollIntervalMs: 10_000,
  watchdogFailuresBeforeRestart: 3,
  /** A client renews its access token this long before it expires. */
  tokenRefreshMarginMs: 60_000,
  /** A user interface asks a service's status route this often. */
  statusPollIntervalMs: 2_000,
  /** A client asks for an intent's status this often. */
  intentPollIntervalMs: 2_000,
  /** No side of an optimized screenshot is longer. */
  screenshotMaxSidePx: 1_568,
  pngCompressionLevel: 9,
  packageNameLength: 200,
  packageDescriptionLength: 500,
  packageFullDescriptionLength: 5_000,
  contactNameLength: 500,
  repositoryNameLength: 500,
  resourceValueLength: 500,
} as const

export const DEFAULT_PORTS = {
  server: 8790,
  proxy: 8792,
  gateway: 8795,
  watchdog: 8796,
  viewer: 8797,
  mqtt: 8799,
} as const

export const HANDLE_LENGTH = 39

/** Of one owner; each is a way in that somebody has to remember to close. */
export const MOST_FEED_ADDRESSES = 20

/** A code editor's text is the largest thing that travels. */
export const WORKSPACE_MESSAGE_BYTES = 512 * 1024

export const EDITOR_TEXT_LENGTH = 262_144

/** How much a sandbox takes and gives. */
export const SANDBOX_LIMITS = {
  codeLength: 262_144,
  /** Of a result, and of all console lines together, as JSON. More is cut off and said so. */
  resultLength: 65_536,
  consoleLines: 100,
  defaultTimeoutMs: 5_000,
  maxTimeoutMs: 30_000,
  /** Waiting for one panel. */
  queued: 100,
  /** How long a queued evaluation waits for a frame, and how long a result can be fetched. */
  keptMs: 600_000,
} as const

/** Of code that a sandbox can offer to run again. What is longer is not kept. */
export const LONGEST_KEPT_CODE = 12_000

/** How much a workspace holds. */
export const FILE_LIMITS = {
  files: 10_000,
  /** Of the files that are there; what history keeps counts for the owner alone. */
  workspaceBytes: 5 * 1024 ** 3,
  fileBytes: 100 * 1024 ** 2,
  /** In UTF-8, of a whole path and of one name in it. */
  pathBytes: 1_024,
  nameBytes: 255,
  folderDepth: 32,
  /** Of one step: as many as a workspace has files. */
  operations: 10_000,
  /** Of a workspace; older ones go, with the contents that no other one names. */
  changesKept: 100_000,
  /** How long bytes are kept that no change names. */
  unnamedMs: 24 * 60 * 60_000,
} as const

/** Of a text file that people edit together. */
export const DOCUMENT_LIMITS = {
  characters: 1_000_000,
  /** Of one line of one edit: a message has to hold it. */
  editCharacters: 100_000,
  editsPerMessage: 200,
  replacements: 100,
  /** Of one page. */
  open: 32,
  /** That have not become a version of the file yet. */
  unsavedEdits: 20_000,
  /** How long an editor that was away finds the edits it has missed. */
  editsKeptMs: 60 * 60_000,
  /** How long a document is kept that nobody edits. */
  keptMs: 24 * 60 * 60_000,
} as const

/** Of one search in the files of a workspace. */
export const SEARCH_LIMITS = {
  textLength: 200,
  lines: 1_000,
  rangesPerLine: 20,
  /** Of a line that is longer, the part around what was found. */
  shownCharacters: 300,
  /** Larger files are data that programs wrote. */
  fileBytes: 1_000_000,
  bytes: 64 * 1024 ** 2,
  ms: 5_000,
} as const

/** Of devices. */
export const DEVICE_LIMITS = {
  /** Of one workspace, those included that others have granted it. */
  devices: 200,
  channels: 64,
  /** Workspaces that have one device besides the one it was added to. */
  grants: 20,
  /** Of one value as it comes over the wire, and of what a device says of itself. */
  valueBytes: 4_096,
  infoBytes: 32_768,
  /** Of an object or a list. */
  members: 256,
  /** Messages of one device a second, and how many may come at once. */
  messagesPerSecond: 200,
  messageBurst: 400,
  /** Values of one channel that a page gets in a second, at most. */
  rate: 30,
  /** Of one page. */
  watchedChannels: 500,
  /** Of one request that listens. */
  watchSeconds: 3_600,
  /** A value without a stated lifetime is believed for so long. */
  staleAfterMs: 10_000,
  /** A device that nothing is heard of for so long is offline. */
  silentMs: 120_000,
} as const

/** Of what devices are told to do. */
export const COMMAND_LIMITS = {
  timeoutMs: 3_000,
  maxTimeoutMs: 30_000,
  /** Of one device. */
  waiting: 16,
  /** How long a device stays armed at most. */
  armedSeconds: 3_600,
  /** How long what became of a command is kept. */
  keptMs: 30 * 24 * 60 * 60_000,
} as const

/** Of what is kept of values. */
export const RECORDING_LIMITS = {
  /** Of one answer. */
  points: 2_000,
  seriesAtOnce: 32,
  page: 5_000,
  /** Numbers of one device that are kept, members of objects included, and members of one object. */
  series: 256,
  seriesMembers: 16,
  /** Of one workspace. */
  markers: 1_000,
  /** Exports and reads of recorded values on one node. */
  readsAtOnce: 8,
  /** A file ends after so long, or when it has so many bytes. */
  fileMs: 15 * 60_000,
  fileBytes: 4 * 1024 ** 2,
  /** What has waited so long for a file, because the object store is away, lets nothing more be recorded. */
  backlogMs: 60 * 60_000,
} as const

/** Of jobs on boards and schematics. */
export const BOARD_LIMITS = {
  /** Files of a project that one job reads, and their bytes together. */
  inputs: 2_000,
  inputBytes: 512 * 1024 ** 2,
  /** Files that one job gives, and their bytes together. */
  results: 200,
  resultBytes: 512 * 1024 ** 2,
  /** Of one report. */
  violations: 5_000,
  components: 20_000,
  nets: 50_000,
  /** Of what KiCad says while it works. */
  notes: 20,
  /** Of what it says it is doing, in characters. */
  saidText: 120,
  layers: 64,
  renderPx: 4_096,
  waitSeconds: 30,
  /** Jobs of all workspaces of one owner that wait or run. */
  queuedPerOwner: 50,
  /** People of one workspace who are known to wait for one job; with more, it cannot be withdrawn. */
  askers: 100,
  /** Jobs that a workspace remembers; older ones go. */
  jobsPerWorkspace: 1_000,
  /** A job that no worker takes for so long is refused. */
  queuedMs: 15 * 60_000,
  /** How often a job is tried that ends with its worker, or with KiCad. */
  attempts: 3,
  /** A worker that was heard of so long ago is running. */
  workerSeenMs: 15_000,
  /** New jobs are taken for so long after the last one was heard of: workers are replaced. */
  workerAwaitedMs: 60_000,
  /** How long results are kept that nobody asks for. */
  keptMs: 30 * 24 * 60 * 60_000,
  /** Of one request that changes a schematic, and what one change is about. */
  schematicChanges: 50,
  schematicItems: 500,
  /** Of one schematic whose symbols are numbered together. */
  annotatedFiles: 100,
  annotatedCharacters: 4_000_000,
  /** Of one text of a change, and of the definition of a symbol, in characters. */
  schematicText: 10_000,
  symbolText: 500_000,
  /** Library packages of a workspace, and their files together. */
  libraries: 50,
  librariesBytes: 1024 ** 3,
  /** Of one: its archive, its files, and how many libraries of symbols, and of footprints, are in it. */
  libraryArchiveBytes: 256 * 1024 ** 2,
  libraryBytes: 512 * 1024 ** 2,
  libraryFiles: 20_000,
  libraryParts: 500,
  /** Of libraries that the server reads for one request, which names symbols without their definitions. */
  librariesReadBytes: 32 * 1024 ** 2,
  suggestions: 5,
} as const

/** How a workspace is shared with people. */
export const SHARING_LIMITS = {
  /** Of one workspace, besides its owner. */
  members: 100,
  /** Links of one workspace that still let somebody in. */
  invitations: 20,
  invitationHours: 30 * 24,
  defaultInvitationHours: 7 * 24,
} as const

/** Of who has a workspace open. */
export const PRESENCE_LIMITS = {
  /** Pages that are listed. */
  pages: 128,
  /** Between two looks at which tab a page says that it uses. */
  lookPauseMs: 200,
  /** Between two lists that a page is sent. */
  listPauseMs: 200,
} as const

/** Of what a person has done of the courses of a workspace. */
export const COURSE_LIMITS = {
  courses: 50,
  /** Lessons and steps of one course. */
  marks: 500,
  markLength: 300,
} as const

export const SCREENSHOT_LIMITS = {
  defaultTimeoutMs: 10_000,
  maxTimeoutMs: 60_000,
  bytes: 32 * 1024 * 1024,
  keptMs: 86_400_000,
} as const

export const PASTE_LIMITS = {
  /** An upload is cut when it exceeds this. */
  uploadBytes: 32 * 1024 * 1024,
  /** About what 8K has, and a third of what a picture bomb needs. */
  pixels: 50_000_000,
  nameLength: 60,
  fileNameHintLength: 200,
  waitSeconds: 60,
} as const

export const VIEWER_MESSAGE_BYTES = 4 * 1024

/** A program on this machine, in the one spelling that is used for all: providers compare redirect URIs letter by letter. */
export function localAddress(port: number): string {
  return `http://localhost:${port}`
}
