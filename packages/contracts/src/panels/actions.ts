import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { shownText } from '../core/handles.ts'
import { SANDBOX_LIMITS } from '../core/limits.ts'
import { uuid } from './catalog.ts'
import { workspaceChangeRefusals, workspaceParams, workspaceRefusals } from './workspaces.ts'

/** Loaded in a frame: only what a person could type into the address bar of a browser. */
export const WEB_ADDRESS = '^https?://[^\\s\\u0000-\\u001f]{1,2040}$'
/** What the address of a file of the workspace begins with, for a web view; the path follows, percent-encoded. */
export const FILE_ADDRESS_START = 'workspace:/'
/** What a web view shows: a page of the web, or a file of its workspace. */
export const WEBVIEW_ADDRESS = `${WEB_ADDRESS}|^${FILE_ADDRESS_START}(?!/)[^\\s\\u0000-\\u001f]{0,2035}$`

const target = {
  panelId: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The leaf of the layout whose active tab is the panel.',
  }),
  tabId: Type.Optional(uuid),
  reason: Type.Optional(shownText(200, 'Why, for the person who watches.')),
}
const STRICT = { additionalProperties: false } as const

const setHeaderHidden = Type.Object(
  { ...target, action: Type.Literal('setHeaderHidden'), hidden: Type.Boolean() },
  STRICT,
)

export const webviewAction = Type.Union([
  Type.Object(
    {
      ...target,
      action: Type.Literal('navigate'),
      url: Type.String({
        pattern: WEBVIEW_ADDRESS,
        description: 'An http or https address, or a file of the workspace as `workspace:/site/index.html`.',
      }),
    },
    STRICT,
  ),
  Type.Object({ ...target, action: Type.Literal('refresh') }, STRICT),
  setHeaderHidden,
  Type.Object({ ...target, action: Type.Literal('setProxyEnabled'), enabled: Type.Boolean() }, STRICT),
])
export type WebviewAction = Static<typeof webviewAction>

const targetRefusals = [...workspaceChangeRefusals, 'panel_not_found', 'panel_mismatch'] as const

/** Beside 204: whether a browser shows what was stored. */
export const PANEL_SHOWN_HEADER = 'x-panel-shown'
/** `later`: a browser is there and has not said so in time; it shows what is stored by then. `nobody`: none is there. */
export type PanelShown = 'yes' | 'later' | 'nobody'

const SHOWN_WORDS =
  '204 says that it is stored. The header `X-Panel-Shown` says whether it is shown: `yes`; `later`, a browser is there and has not said so within 2 s, and will show the state that is stored by then, which may be a later one; `nobody`, no browser is there.'

export const patchWebview = endpoint({
  method: 'PATCH',
  path: '/api/panels/webview/{owner}/{repo}',
  name: 'controlWebview',
  summary: 'Acts on a web view',
  description: `What is set is stored: a browser that opens the workspace later shows it as well. The optional \`tabId\` must be the active tab of the leaf. ${SHOWN_WORDS}`,
  tag: 'Panels',
  params: workspaceParams,
  body: webviewAction,
  responses: { 204: null },
  problems: [...targetRefusals, 'proxy_not_available'],
})

export const sandboxAction = Type.Union([
  Type.Object(
    {
      ...target,
      action: Type.Literal('eval'),
      code: Type.String({ maxLength: SANDBOX_LIMITS.codeLength }),
      timeoutMs: Type.Optional(
        Type.Integer({
          minimum: 100,
          maximum: SANDBOX_LIMITS.maxTimeoutMs,
          description: `How long it may run; ${SANDBOX_LIMITS.defaultTimeoutMs} unless given.`,
        }),
      ),
    },
    STRICT,
  ),
  Type.Object({ ...target, action: Type.Literal('reset') }, STRICT),
  setHeaderHidden,
])
export type SandboxAction = Static<typeof sandboxAction>

export const CONSOLE_LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const
/** How a result was turned into JSON: as it is, or as the text that a console would show. */
export const RESULT_TYPES = [
  'undefined',
  'null',
  'boolean',
  'number',
  'string',
  'bigint',
  'symbol',
  'function',
  'object',
  'array',
  'error',
] as const

export const evalOutcome = Type.Object({
  status: Type.Enum(['executed', 'error', 'queued']),
  result: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.String()),
  id: Type.String({ format: 'uuid', description: 'To ask for the outcome again.' }),
  resultType: Type.Optional(Type.Enum([...RESULT_TYPES])),
  isTruncated: Type.Optional(Type.Boolean()),
  console: Type.Optional(
    Type.Array(Type.Object({ level: Type.Enum([...CONSOLE_LEVELS]), text: Type.String() })),
  ),
  durationMs: Type.Optional(Type.Integer()),
  expiresAt: Type.String({ format: 'date-time', description: 'Until when the outcome can be fetched.' }),
})
export type EvalOutcome = Static<typeof evalOutcome>

export const patchSandbox = endpoint({
  method: 'PATCH',
  path: '/api/panels/sandbox/{owner}/{repo}',
  name: 'controlSandbox',
  summary: 'Runs code in a sandbox, or acts on it',
  description: `Code runs once or not at all, in the order in which it came. \`queued\`: no frame is ready, or earlier code still runs; the outcome can be fetched by its \`id\` for ten minutes. ${SHOWN_WORDS}`,
  tag: 'Panels',
  params: workspaceParams,
  body: sandboxAction,
  responses: { 200: evalOutcome, 204: null },
  problems: [...targetRefusals, 'limit_reached'],
})

export const getSandboxEval = endpoint({
  method: 'GET',
  path: '/api/panels/sandbox/{owner}/{repo}/evals/{id}',
  name: 'getEvaluation',
  summary: 'What became of code that was queued. Waits for it if asked to',
  tag: 'Panels',
  params: Type.Object({ ...workspaceParams.properties, id: uuid }),
  query: Type.Object(
    { waitMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 30_000, default: 0 })) },
    STRICT,
  ),
  responses: { 200: evalOutcome },
  problems: [...workspaceRefusals, 'not_found'],
})
