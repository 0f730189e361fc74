import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { handle } from '../core/handles.ts'
import { workspaceChangeRefusals, workspaceParams, workspaceRefusals } from './workspaces.ts'

/** The format would take `urn:uuid:` as well, which the database does not. */
const anyCaseUuid = Type.String({
  pattern: '^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
})

const time = Type.String({ format: 'date-time' })

/** Somebody who acts on a workspace from outside: a script or an agent, by the credential that it shows. */
export const workspaceActor = Type.Object({
  credentialId: Type.String({ format: 'uuid' }),
  kind: Type.Enum(['api_key', 'application']),
  name: Type.String({ description: 'Of the key or the application, as the person named it.' }),
  handle,
  lastAction: Type.String({ description: 'Such as `webview navigate`.' }),
  lastActionAt: time,
  actions: Type.Integer({ description: 'How many so far.' }),
  isEnded: Type.Boolean({ description: 'Whether a person has ended its access to this workspace.' }),
})
export type WorkspaceActor = Static<typeof workspaceActor>

export const getWorkspaceAccess = endpoint({
  method: 'GET',
  path: '/api/workspaces/editor/{owner}/{repo}/access',
  name: 'listWorkspaceAccess',
  summary: 'Who has acted on the workspace from outside, the latest first; the last 100 of them',
  tag: 'Workspaces',
  params: workspaceParams,
  responses: { 200: Type.Object({ items: Type.Array(workspaceActor) }) },
  problems: [...workspaceRefusals, 'browser_session_required'],
})

export const putWorkspaceAccess = endpoint({
  method: 'PUT',
  path: '/api/workspaces/editor/{owner}/{repo}/access/{credentialId}',
  name: 'endWorkspaceAccess',
  summary:
    'Ends the access of a script or agent to this workspace, at once and on every node, or gives it back',
  description: 'What it has queued is dropped. Its key goes on to work elsewhere.',
  tag: 'Workspaces',
  params: Type.Object({ ...workspaceParams.properties, credentialId: anyCaseUuid }),
  body: Type.Object({ isEnded: Type.Boolean() }, { additionalProperties: false }),
  responses: { 204: null },
  problems: [...workspaceChangeRefusals, 'browser_session_required', 'not_found'],
})
