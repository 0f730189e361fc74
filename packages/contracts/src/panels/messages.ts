import { type Static, Type } from 'typebox'
import { handle } from '../core/handles.ts'
import { PRESENCE_LIMITS } from '../core/limits.ts'
import { CONSOLE_LEVELS, RESULT_TYPES } from './actions.ts'
import { uuid } from './catalog.ts'
import { layoutChangeDocument, layoutDocument } from './layouts.ts'
import { PERSON_COLORS } from './person-color.ts'
import { SCREENSHOT_METHODS, SCREENSHOT_SCOPES, takenPicture } from './screenshots.ts'
import { panelState, repoName } from './workspaces.ts'

/** Where a workspace page holds its one connection. */
export const WORKSPACE_SOCKET_PATH = '/api/workspaces/socket'

const STRICT = { additionalProperties: false } as const
const id = Type.String({ minLength: 1, maxLength: 64 })

const attention = {
  isVisible: Type.Boolean(),
  isFocused: Type.Boolean(),
  isSharing: Type.Boolean({ description: 'Whether pictures of the page can be taken without asking.' }),
}

export const openMessage = Type.Object(
  { type: Type.Literal('open'), owner: handle, repo: repoName, browserId: uuid, ...attention },
  { ...STRICT, title: 'open', description: 'First, and once: which workspace this connection is for.' },
)
export const attentionMessage = Type.Object(
  { type: Type.Literal('attention'), ...attention },
  { ...STRICT, title: 'attention', description: 'The page came to the front, went, or began to share.' },
)
export const lookMessage = Type.Object(
  {
    type: Type.Literal('look'),
    tabId: Type.Union([uuid, Type.Null()]),
    following: Type.Union([handle, Type.Null()]),
  },
  {
    ...STRICT,
    title: 'look',
    description:
      'The tab that the person uses, and the handle of the person whom the page follows. A tab that is not in the workspace counts as none.',
  },
)
export const changeMessage = Type.Object(
  { type: Type.Literal('change'), id, change: layoutChangeDocument, initialState: Type.Optional(panelState) },
  {
    ...STRICT,
    title: 'change',
    description:
      'A change that the page shows already. Answered by `changed` with its id, or by `refused`. `initialState` goes with `addTab`.',
  },
)
export const stateMessage = Type.Object(
  {
    type: Type.Literal('state'),
    id,
    tabId: uuid,
    patch: panelState,
    base: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'The revision that the page made this on. `refused` with `state_changed` if somebody else has changed the panel since.',
      }),
    ),
  },
  {
    ...STRICT,
    title: 'state',
    description: 'Sets keys of what a panel shows; null removes one. Answered by `states` or `refused`.',
  },
)
export const readyMessage = Type.Object(
  { type: Type.Literal('ready'), tabId: uuid, isReady: Type.Boolean() },
  { ...STRICT, title: 'ready', description: 'The frame of a sandbox can run code, or no longer.' },
)
export const takenMessage = Type.Object(
  { type: Type.Literal('taken'), id },
  { ...STRICT, title: 'taken', description: 'A command has arrived and is being carried out.' },
)

export const sandboxResult = Type.Object(
  {
    status: Type.Enum(['executed', 'error']),
    result: Type.Optional(Type.Unknown()),
    resultType: Type.Optional(Type.Enum([...RESULT_TYPES])),
    isTruncated: Type.Optional(Type.Boolean()),
    error: Type.Optional(Type.String({ maxLength: 70_000 })),
    console: Type.Optional(
      Type.Array(Type.Object({ level: Type.Enum([...CONSOLE_LEVELS]), text: Type.String() }, STRICT)),
    ),
    durationMs: Type.Integer({ minimum: 0 }),
  },
  STRICT,
)
export type SandboxResult = Static<typeof sandboxResult>

export const doneMessage = Type.Object(
  {
    type: Type.Literal('done'),
    id,
    evaluation: Type.Optional(sandboxResult),
    picture: Type.Optional(takenPicture),
  },
  { ...STRICT, title: 'done', description: 'A command was carried out.' },
)
export const COMMAND_FAILURES = [
  'sharing_not_enabled',
  'sharing_declined',
  'no_such_tab',
  'cannot_capture',
  'not_ready',
] as const
export type CommandFailure = (typeof COMMAND_FAILURES)[number]
export const failedMessage = Type.Object(
  {
    type: Type.Literal('failed'),
    id,
    code: Type.Enum([...COMMAND_FAILURES]),
    message: Type.String({ maxLength: 1000 }),
    retryAfterSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3_600,
        description: 'With `sharing_declined`: how long the person is not to be asked again.',
      }),
    ),
  },
  { ...STRICT, title: 'failed', description: 'A command could not be carried out.' },
)

export const channelMessage = Type.Object(
  {
    type: Type.Literal('channel'),
    channel: Type.String({ minLength: 1, maxLength: 64 }),
    message: Type.Unknown(),
  },
  {
    ...STRICT,
    title: 'channel',
    description: 'Something of another part of the workspace, such as the files that are edited.',
  },
)

export const browserMessage = Type.Union([
  openMessage,
  attentionMessage,
  lookMessage,
  changeMessage,
  stateMessage,
  readyMessage,
  takenMessage,
  doneMessage,
  failedMessage,
  channelMessage,
])
export type BrowserMessage = Static<typeof browserMessage>

const panelStateOf = Type.Object({ tabId: uuid, revision: Type.Integer(), state: panelState })
export type PanelStateOf = Static<typeof panelStateOf>

/** Who acts: a key or application by its name and person, or a person in another browser. */
export const actingParty = Type.Object({
  kind: Type.Enum(['api_key', 'application', 'browser']),
  name: Type.String(),
  handle,
})
export type ActingParty = Static<typeof actingParty>

export const panelAction = Type.Object({
  id: Type.Integer(),
  tabId: Type.Union([uuid, Type.Null()]),
  by: actingParty,
  action: Type.String({ description: 'Such as `webview navigate`.' }),
  reason: Type.Optional(Type.String()),
  at: Type.String({ format: 'date-time' }),
})
export type PanelAction = Static<typeof panelAction>

export const openedMessage = Type.Object(
  {
    type: Type.Literal('opened'),
    version: Type.Integer(),
    layout: layoutDocument,
    states: Type.Array(panelStateOf),
    actions: Type.Array(panelAction, { description: 'The latest 20, the latest last.' }),
    mayChange: Type.Boolean(),
  },
  { title: 'opened', description: 'All there is to show.' },
)
export const changedMessage = Type.Object(
  {
    type: Type.Literal('changed'),
    version: Type.Integer(),
    layout: layoutDocument,
    ids: Type.Array(id, { description: 'The changes of this page that it contains.' }),
  },
  { title: 'changed', description: 'The layout is another one now.' },
)
export const statesMessage = Type.Object(
  { type: Type.Literal('states'), states: Type.Array(panelStateOf), ids: Type.Array(id) },
  { title: 'states', description: 'Panels show something else now.' },
)
export const refusedMessage = Type.Object(
  {
    type: Type.Literal('refused'),
    id,
    code: Type.String(),
    message: Type.String(),
    shown: Type.Optional(panelStateOf),
  },
  {
    title: 'refused',
    description:
      'A change or state of this page was not made. With `state_changed` comes what the panel shows instead.',
  },
)
export const ownerMessage = Type.Object(
  { type: Type.Literal('owner'), isYou: Type.Boolean(), browsers: Type.Integer() },
  { title: 'owner', description: 'Whether this page is the one that carries out commands.' },
)
export const presentPage = Type.Object({
  pageId: uuid,
  handle,
  name: Type.String({ description: 'As they call themselves; the handle is theirs alone.' }),
  color: Type.Integer({ minimum: 0, maximum: PERSON_COLORS - 1 }),
  tabId: Type.Union([uuid, Type.Null()], { description: 'The tab that they use.' }),
  following: Type.Union([handle, Type.Null()]),
  isVisible: Type.Boolean({ description: 'Whether the page can be seen, and is not behind another one.' }),
  since: Type.String({ format: 'date-time', description: 'When the page was opened.' }),
})
export type PresentPage = Static<typeof presentPage>
export const peopleMessage = Type.Object(
  {
    type: Type.Literal('people'),
    you: Type.String({ description: 'The `pageId` of the page that is told.' }),
    pages: Type.Array(presentPage, {
      maxItems: PRESENCE_LIMITS.pages,
      description: 'Visible pages first, and of those the one that was focused last.',
    }),
  },
  { title: 'people', description: 'Who has the workspace open, and what they look at.' },
)
export const rightsMessage = Type.Object(
  { type: Type.Literal('rights'), mayChange: Type.Boolean() },
  { title: 'rights', description: 'The person may change the workspace from now on, or no longer.' },
)
export const actedMessage = Type.Object(
  { type: Type.Literal('acted'), actions: Type.Array(panelAction) },
  { title: 'acted', description: 'Somebody acted on a panel.' },
)

export const browserCommand = Type.Union([
  Type.Object({
    kind: Type.Literal('show'),
    tabId: uuid,
    revision: Type.Integer({ description: 'Done once the panel shows its state of this revision.' }),
    state: panelState,
  }),
  Type.Object({ kind: Type.Literal('eval'), tabId: uuid, code: Type.String(), timeoutMs: Type.Integer() }),
  Type.Object({
    kind: Type.Literal('screenshot'),
    captureId: Type.String({ format: 'uuid' }),
    scope: Type.Enum([...SCREENSHOT_SCOPES]),
    method: Type.Enum([...SCREENSHOT_METHODS]),
    tabId: Type.Union([uuid, Type.Null()]),
    by: actingParty,
    reason: Type.Optional(Type.String()),
  }),
])
export type BrowserCommand = Static<typeof browserCommand>

export const commandMessage = Type.Object(
  { type: Type.Literal('command'), id, deadlineMs: Type.Integer(), command: browserCommand },
  {
    title: 'command',
    description: 'To be carried out once: the same id again is answered with what was answered before.',
  },
)

export const workspaceMessage = Type.Union([
  openedMessage,
  changedMessage,
  statesMessage,
  refusedMessage,
  ownerMessage,
  peopleMessage,
  rightsMessage,
  actedMessage,
  commandMessage,
  channelMessage,
])
export type WorkspaceMessage = Static<typeof workspaceMessage>
