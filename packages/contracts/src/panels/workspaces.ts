import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { handle, shownText } from '../core/handles.ts'
import { catalogId, iconName, panelKind, uuid } from './catalog.ts'
import { layoutDocument } from './layouts.ts'
import { WORKSPACE_TEMPLATES } from './templates.ts'

export const REPO_PATTERN = '^(?![.]{1,2}$)[A-Za-z0-9._-]{1,100}$'

export const repoName = Type.String({
  pattern: REPO_PATTERN,
  description: 'A repository of the owner; upper and lower case count.',
})

/** Where a workspace is. */
export const workspaceParams = Type.Object({ owner: handle, repo: repoName })
export type WorkspaceRef = Static<typeof workspaceParams>

/** What a panel shows, as an object of its own kind. */
export const panelState = Type.Record(Type.String(), Type.Unknown(), {
  description: 'What the panel shall show. Its keys depend on the kind of the panel.',
})

const time = Type.String({ format: 'date-time' })
export const workspaceRefusals = [
  'sign_in_required',
  'credential_invalid',
  'not_permitted',
  'access_ended',
  'workspace_not_found',
  'rate_limited',
  'database_unavailable',
] as const
export const workspaceChangeRefusals = [...workspaceRefusals, 'csrf_token_required'] as const

export const workspaceSummary = Type.Object({
  owner: handle,
  repo: repoName,
  version: Type.Integer(),
  tabs: Type.Integer({ description: 'How many it holds.' }),
  createdAt: time,
  changedAt: time,
})
export type WorkspaceSummary = Static<typeof workspaceSummary>

export const getWorkspaces = endpoint({
  method: 'GET',
  path: '/api/workspaces/editor/{owner}',
  name: 'listWorkspaces',
  summary: 'The workspaces of an owner, the last changed first',
  tag: 'Workspaces',
  params: Type.Object({ owner: handle }),
  query: Type.Object(
    {
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    },
    { additionalProperties: false },
  ),
  responses: {
    200: Type.Object({
      items: Type.Array(workspaceSummary),
      nextCursor: Type.Union([Type.String(), Type.Null()]),
    }),
  },
  problems: ['sign_in_required', 'credential_invalid', 'not_permitted', 'database_unavailable'],
})

export const putWorkspace = endpoint({
  method: 'PUT',
  path: '/api/workspaces/editor/{owner}/{repo}',
  name: 'makeWorkspace',
  summary: 'Makes a workspace, empty or from a template; one that is there stays as it is',
  tag: 'Workspaces',
  params: workspaceParams,
  body: Type.Object(
    {
      template: Type.Optional(
        Type.Enum(
          WORKSPACE_TEMPLATES.map(({ id }) => id),
          { description: 'The panels and files that it begins with; none unless given.' },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  bodyIsOptional: true,
  responses: { 200: workspaceSummary, 201: workspaceSummary },
  problems: [
    'sign_in_required',
    'credential_invalid',
    'not_permitted',
    'access_ended',
    'csrf_token_required',
    'limit_reached',
    'objects_unavailable',
    'rate_limited',
    'database_unavailable',
  ],
})

export const deleteWorkspace = endpoint({
  method: 'DELETE',
  path: '/api/workspaces/editor/{owner}/{repo}',
  name: 'removeWorkspace',
  summary:
    'Moves a workspace to the trash, from where it can be restored for 30 days. Open browsers are told',
  tag: 'Workspaces',
  params: workspaceParams,
  responses: { 204: null },
  problems: [...workspaceChangeRefusals],
})

/** One tab with all that a caller needs to act on it, so that nobody has to walk the tree. */
export const currentTab = Type.Object({
  tabId: uuid,
  panelId: uuid,
  panelType: catalogId,
  kind: panelKind,
  displayName: Type.String(),
  displayIcon: iconName,
  isActive: Type.Boolean({ description: 'Whether it is the one of its leaf that shows.' }),
  state: panelState,
})
export type CurrentTab = Static<typeof currentTab>

export const currentWorkspace = Type.Object({
  owner: handle,
  repo: repoName,
  version: Type.Integer({ description: 'Moves with every change of the layout.' }),
  layout: layoutDocument,
  tabs: Type.Array(currentTab),
  browsers: Type.Integer({ description: 'How many have it open right now.' }),
  isSharing: Type.Boolean({ description: 'Whether the browser that acts can be captured.' }),
})
export type CurrentWorkspace = Static<typeof currentWorkspace>

export const getCurrentWorkspace = endpoint({
  method: 'GET',
  path: '/api/workspaces/editor/{owner}/{repo}/current',
  name: 'getWorkspace',
  summary: 'The layout, its tabs and what they show',
  tag: 'Workspaces',
  params: workspaceParams,
  responses: { 200: currentWorkspace },
  problems: [...workspaceRefusals],
})

const version = Type.Object({ version: Type.Integer() })

export const putCurrentWorkspace = endpoint({
  method: 'PUT',
  path: '/api/workspaces/editor/{owner}/{repo}/current',
  name: 'replaceLayout',
  summary: 'Replaces the whole layout, if it still has the version that was read',
  description: 'For imports. Ids that stay keep what their panels show; what is new begins empty.',
  tag: 'Workspaces',
  params: workspaceParams,
  body: Type.Object({ version: Type.Integer(), layout: layoutDocument }, { additionalProperties: false }),
  responses: { 200: version },
  problems: [
    ...workspaceChangeRefusals,
    'layout_changed',
    'singleton_exists',
    'panel_type_not_found',
    'panel_type_planned',
    'limit_reached',
  ],
})

const reason = Type.Optional(shownText(200, 'Why, for the person who watches.'))

const newTab = {
  panelId: Type.Optional(uuid),
  panelType: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The id of a panel of the catalog, or the kind of one of ours, such as `webview`.',
  }),
  displayName: Type.Optional(shownText(100, 'The title of the tab; the name of the panel unless given.')),
  displayIcon: Type.Optional(iconName),
  initialState: Type.Optional(panelState),
  activate: Type.Optional(Type.Boolean({ default: true })),
  tabId: Type.Optional(uuid),
  reason,
}

const added = Type.Object({
  tabId: uuid,
  panelId: Type.String({ description: 'The leaf that holds it.' }),
  version: Type.Integer(),
})
export type AddedTab = Static<typeof added>

const addingRefusals = [
  ...workspaceChangeRefusals,
  'panel_not_found',
  'panel_type_not_found',
  'panel_type_planned',
  'singleton_exists',
  'limit_reached',
] as const

export const postTab = endpoint({
  method: 'POST',
  path: '/api/workspaces/editor/{owner}/{repo}/current/tabs',
  name: 'addTab',
  summary: 'Adds a tab to a leaf: to the first one unless `panelId` names another',
  description: 'The same `tabId` again, with the same content, changes nothing: a call can be repeated.',
  tag: 'Workspaces',
  params: workspaceParams,
  body: Type.Object(newTab, { additionalProperties: false }),
  responses: { 201: added },
  problems: [...addingRefusals],
})

export const SPLIT_DIRECTIONS = ['left', 'right', 'up', 'down'] as const
export type SplitDirection = (typeof SPLIT_DIRECTIONS)[number]

export const postSplit = endpoint({
  method: 'POST',
  path: '/api/workspaces/editor/{owner}/{repo}/current/splits',
  name: 'splitPanel',
  summary: 'Adds a tab in a new leaf beside one, or at the border of the workspace',
  tag: 'Workspaces',
  params: workspaceParams,
  body: Type.Object(
    { ...newTab, direction: Type.Enum([...SPLIT_DIRECTIONS]) },
    { additionalProperties: false },
  ),
  responses: { 201: added },
  problems: [...addingRefusals],
})

const tabParams = Type.Object({ ...workspaceParams.properties, tabId: uuid })

export const patchTab = endpoint({
  method: 'PATCH',
  path: '/api/workspaces/editor/{owner}/{repo}/current/tabs/{tabId}',
  name: 'changeTab',
  summary: 'Activates, renames or moves a tab, or changes what its panel shows',
  tag: 'Workspaces',
  params: tabParams,
  body: Type.Object(
    {
      isActive: Type.Optional(Type.Literal(true)),
      displayName: Type.Optional(shownText(100, 'The title of the tab.')),
      displayIcon: Type.Optional(iconName),
      moveTo: Type.Optional(
        Type.Object(
          {
            panelId: Type.Optional(uuid),
            index: Type.Optional(Type.Integer({ minimum: 0 })),
            direction: Type.Optional(Type.Enum([...SPLIT_DIRECTIONS])),
          },
          {
            additionalProperties: false,
            description:
              'Into the leaf `panelId`, or with `direction` into a new leaf beside it, or at the border.',
          },
        ),
      ),
      state: Type.Optional({
        ...panelState,
        description:
          'Keys of the state that are set; null removes one. Web views and sandboxes have actions of their own.',
      }),
      reason,
    },
    { additionalProperties: false, minProperties: 1 },
  ),
  responses: { 200: version },
  problems: [...workspaceChangeRefusals, 'panel_not_found', 'limit_reached'],
})

export const deleteTab = endpoint({
  method: 'DELETE',
  path: '/api/workspaces/editor/{owner}/{repo}/current/tabs/{tabId}',
  name: 'removeTab',
  summary: 'Closes a tab',
  description: 'What it showed is kept for 30 days: `closed-tabs` lists it, and `reopen` brings it back.',
  tag: 'Workspaces',
  params: tabParams,
  responses: { 204: null },
  problems: [...workspaceChangeRefusals, 'panel_not_found'],
})

export const closedTab = Type.Object({
  tabId: uuid,
  panelType: catalogId,
  kind: panelKind,
  displayName: Type.String(),
  displayIcon: iconName,
  closedAt: time,
})
export type ClosedTab = Static<typeof closedTab>

export const getClosedTabs = endpoint({
  method: 'GET',
  path: '/api/workspaces/editor/{owner}/{repo}/closed-tabs',
  name: 'listClosedTabs',
  summary: 'The tabs that were closed in the last 30 days, the last one first',
  description: 'At most 50, and 8 MiB of what they showed; older ones go first.',
  tag: 'Workspaces',
  params: workspaceParams,
  responses: { 200: Type.Object({ items: Type.Array(closedTab) }) },
  problems: [...workspaceRefusals],
})

export const postReopenTab = endpoint({
  method: 'POST',
  path: '/api/workspaces/editor/{owner}/{repo}/closed-tabs/{tabId}/reopen',
  name: 'reopenTab',
  summary: 'Opens a closed tab again, with what it showed and as near as possible to where it was',
  description: 'A tab that is open already is answered as it is: a call can be repeated.',
  tag: 'Workspaces',
  params: tabParams,
  body: Type.Object({ reason }, { additionalProperties: false }),
  bodyIsOptional: true,
  responses: { 201: added },
  problems: [...addingRefusals],
})

export const patchSplit = endpoint({
  method: 'PATCH',
  path: '/api/workspaces/editor/{owner}/{repo}/current/splits/{splitId}',
  name: 'resizeSplit',
  summary: 'Shares the place of a split among its children, in any unit',
  tag: 'Workspaces',
  params: Type.Object({ ...workspaceParams.properties, splitId: uuid }),
  body: Type.Object(
    {
      sizes: Type.Array(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }), {
        minItems: 2,
        maxItems: 64,
      }),
      reason,
    },
    { additionalProperties: false },
  ),
  responses: { 200: version },
  problems: [...workspaceChangeRefusals, 'panel_not_found'],
})
