import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { HANDLE_PATTERN, handle, shownText } from '../core/handles.ts'
import { HANDLE_LENGTH } from '../core/limits.ts'

/** In the order in which people are offered them. */
export const PANEL_CATEGORIES = ['Development', 'Control', 'Visualization', 'Media', 'Utility'] as const
export type PanelCategory = (typeof PANEL_CATEGORIES)[number]

/** `ready`: does what it says. `planned`: is coming, and cannot be added yet; a tab that holds one says so. */
export const PANEL_AVAILABILITIES = ['ready', 'planned'] as const
export type PanelAvailability = (typeof PANEL_AVAILABILITIES)[number]

export const uuid = Type.String({ pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })

/** `patchbay/5b3c…`: whose panel it is, and which. */
export const catalogId = Type.String({
  pattern: `^(?=[^/]{1,${HANDLE_LENGTH}}/)${HANDLE_PATTERN.slice(1, -1)}/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`,
  description: 'A panel of the catalog: `<owner>/<panel_uuid>`.',
})

/** The short name of a panel of our own, such as `webview`; `web` for those that others add. */
export const panelKind = Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' })

export const iconName = Type.String({
  pattern: '^[a-z0-9-]{1,40}$',
  description: 'The name of an icon, such as `globe`.',
})

export const catalogPanel = Type.Object({
  id: catalogId,
  kind: panelKind,
  name: Type.String(),
  description: Type.String(),
  category: Type.Enum([...PANEL_CATEGORIES]),
  icon: iconName,
  singleton: Type.Boolean({ description: 'At most once in a workspace.' }),
  availability: Type.Enum([...PANEL_AVAILABILITIES], {
    description: '`ready`, or `planned`: it is coming, and cannot be added to a workspace yet.',
  }),
  url: Type.Optional(Type.String({ description: 'The page that a panel of kind `web` shows.' })),
})
export type CatalogPanel = Static<typeof catalogPanel>

const refusals = ['sign_in_required', 'credential_invalid', 'not_permitted', 'database_unavailable'] as const

export const getPanelCatalog = endpoint({
  method: 'GET',
  path: '/api/panels/catalog',
  name: 'listPanels',
  summary:
    'The panels that a workspace can hold: ours, and with `owner`, for whoever may see workspaces of that owner, those that it has added',
  tag: 'Panels',
  query: Type.Object(
    {
      owner: Type.Optional(handle),
      category: Type.Optional(Type.Enum([...PANEL_CATEGORIES])),
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 400 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 100 })),
    },
    { additionalProperties: false },
  ),
  responses: {
    200: Type.Object({
      items: Type.Array(catalogPanel),
      nextCursor: Type.Union([Type.String(), Type.Null()]),
    }),
  },
  problems: refusals,
})

export const postCatalogPanel = endpoint({
  method: 'POST',
  path: '/api/panels/catalog/{owner}',
  name: 'addPanel',
  summary: 'Adds a panel to the catalog of an owner: a page of the web that workspaces can hold',
  tag: 'Panels',
  params: Type.Object({ owner: handle }),
  body: Type.Object(
    {
      name: shownText(60, 'What people call it.'),
      description: shownText(200, 'One sentence.'),
      category: Type.Enum([...PANEL_CATEGORIES]),
      icon: Type.Optional(iconName),
      url: Type.String({ maxLength: 2000, pattern: '^https://', description: 'The page that it shows.' }),
      singleton: Type.Optional(Type.Boolean({ default: false })),
    },
    { additionalProperties: false },
  ),
  responses: { 201: catalogPanel },
  problems: [...refusals, 'csrf_token_required', 'limit_reached'],
})

export const deleteCatalogPanel = endpoint({
  method: 'DELETE',
  path: '/api/panels/catalog/{owner}/{panelUuid}',
  name: 'removePanel',
  summary: 'Takes a panel out of the catalog. Tabs that show it stay, and say so',
  tag: 'Panels',
  params: Type.Object({ owner: handle, panelUuid: uuid }),
  responses: { 204: null },
  problems: [...refusals, 'csrf_token_required', 'panel_type_not_found'],
})
