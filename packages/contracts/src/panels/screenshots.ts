import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { shownText } from '../core/handles.ts'
import { SCREENSHOT_LIMITS } from '../core/limits.ts'
import { uuid } from './catalog.ts'
import { workspaceChangeRefusals, workspaceParams, workspaceRefusals } from './workspaces.ts'

export const SCREENSHOT_SCOPES = ['panel', 'workspace', 'screen'] as const
export type ScreenshotScope = (typeof SCREENSHOT_SCOPES)[number]

/** The names of the contract; what takes the picture is `engine` in the answer. */
export const SCREENSHOT_METHODS = ['element-capture', 'html2canvas'] as const
export type ScreenshotMethod = (typeof SCREENSHOT_METHODS)[number]

export const screenshotRequest = Type.Object(
  {
    scope: Type.Enum([...SCREENSHOT_SCOPES]),
    panelId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The leaf; its active tab unless `tabId` says.',
      }),
    ),
    tabId: Type.Optional(uuid),
    method: Type.Optional(Type.Enum([...SCREENSHOT_METHODS], { default: 'element-capture' })),
    reason: Type.Optional(shownText(200, 'Why, for the person who is asked to share.')),
    timeoutMs: Type.Optional(
      Type.Integer({
        minimum: 1_000,
        maximum: SCREENSHOT_LIMITS.maxTimeoutMs,
        default: SCREENSHOT_LIMITS.defaultTimeoutMs,
      }),
    ),
  },
  { additionalProperties: false },
)
export type ScreenshotRequest = Static<typeof screenshotRequest>

/** How a picture came about. */
export const capture = Type.Object({
  id: Type.String({ format: 'uuid' }),
  url: Type.String({ description: 'Where the PNG is, for a day, for those who may see the workspace.' }),
  scope: Type.Enum([...SCREENSHOT_SCOPES]),
  method: Type.Enum([...SCREENSHOT_METHODS]),
  engine: Type.String({ description: 'What took it: `restriction-target`, `display` or `snapdom`.' }),
  width: Type.Integer({ description: 'In pixels of the picture.' }),
  height: Type.Integer(),
  scale: Type.Number({ description: 'Pixels of the picture for each CSS pixel.' }),
  panelId: Type.Union([uuid, Type.Null()]),
  tabId: Type.Union([uuid, Type.Null()]),
  wasActivated: Type.Boolean({
    description: 'Whether the tab was brought to the front for it, and put back.',
  }),
  capturedAt: Type.String({ format: 'date-time' }),
  expiresAt: Type.String({ format: 'date-time' }),
  bytes: Type.Integer(),
  sha256: Type.String(),
})
export type Capture = Static<typeof capture>

export const patchScreenshot = endpoint({
  method: 'PATCH',
  path: '/api/workspaces/editor/{owner}/{repo}/current/screenshot',
  name: 'takeScreenshot',
  summary: 'Captures a panel, the workspace or the screen',
  description:
    'Answers with how it was taken and where it is, or with `Accept: image/png` with the picture itself and the same facts in `Patchbay-Capture`. 504 `sharing_not_enabled`: the person has been shown the reason; call again in a few seconds. 504 `sharing_declined`: they answered "Not now"; `Retry-After` says for how long they are not asked again.',
  tag: 'Panels',
  params: workspaceParams,
  body: screenshotRequest,
  responses: { 200: capture },
  problems: [
    ...workspaceChangeRefusals,
    'panel_not_found',
    'panel_mismatch',
    'workspace_not_open',
    'limit_reached',
    'sharing_not_enabled',
    'sharing_declined',
    'capture_failed',
    'deadline_exceeded',
    'objects_unavailable',
  ],
})

/** What the browser knows of a picture that it took. */
export const takenPicture = Type.Object(
  {
    engine: Type.Enum(['restriction-target', 'display', 'snapdom']),
    width: Type.Integer({ minimum: 1, maximum: 32_767 }),
    height: Type.Integer({ minimum: 1, maximum: 32_767 }),
    scale: Type.Number({ exclusiveMinimum: 0, maximum: 16 }),
    wasActivated: Type.Boolean(),
  },
  { additionalProperties: false },
)
export type TakenPicture = Static<typeof takenPicture>

export const putCapture = endpoint({
  method: 'PUT',
  path: '/api/workspaces/editor/{owner}/{repo}/captures/{id}',
  name: 'uploadCapture',
  summary: 'For the workspace page: hands in the picture that it was asked to take',
  tag: 'Panels',
  params: Type.Object({ ...workspaceParams.properties, id: uuid }),
  upload: { mediaType: 'image/png', description: 'The picture.' },
  responses: { 204: null },
  problems: [
    ...workspaceChangeRefusals,
    'browser_session_required',
    'not_found',
    'body_too_large',
    'capture_failed',
  ],
})

export const getScreenshot = endpoint({
  method: 'GET',
  path: '/api/workspaces/editor/{owner}/{repo}/screenshots/{id}',
  name: 'getScreenshot',
  summary: 'A picture that was taken within the last day',
  tag: 'Panels',
  params: Type.Object({
    ...workspaceParams.properties,
    id: Type.String({ pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.png$' }),
  }),
  responses: { 200: { mediaType: 'image/png', description: 'The picture.' } },
  problems: [...workspaceRefusals, 'not_found', 'objects_unavailable'],
})
