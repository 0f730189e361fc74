import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { handle } from '../core/handles.ts'
import { uuid } from './catalog.ts'
import { repoName, workspaceParams } from './workspaces.ts'

const time = (description: string) => Type.String({ format: 'date-time', description })
const params = Type.Object({ owner: handle, id: uuid })
const refusals = ['sign_in_required', 'credential_invalid', 'not_permitted', 'database_unavailable'] as const
const changeRefusals = [...refusals, 'csrf_token_required', 'workspace_not_found'] as const

export const trashedWorkspace = Type.Object({
  id: uuid,
  owner: handle,
  repo: repoName,
  tabs: Type.Integer({ description: 'How many it holds.' }),
  deletedAt: time('When it was deleted.'),
  goneAt: time('When it goes for good.'),
})
export type TrashedWorkspace = Static<typeof trashedWorkspace>

export const getTrash = endpoint({
  method: 'GET',
  path: '/api/workspaces/trash/{owner}',
  name: 'listTrash',
  summary: 'The workspaces of an owner that were deleted in the last 30 days, the last one first',
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
      items: Type.Array(trashedWorkspace),
      nextCursor: Type.Union([Type.String(), Type.Null()]),
    }),
  },
  problems: [...refusals],
})

export const postRestoreWorkspace = endpoint({
  method: 'POST',
  path: '/api/workspaces/trash/{owner}/{id}/restore',
  name: 'restoreWorkspace',
  summary: 'Brings a deleted workspace back with all that it held, under its name or another one',
  tag: 'Workspaces',
  params,
  body: Type.Object({ repo: Type.Optional(repoName) }, { additionalProperties: false }),
  bodyIsOptional: true,
  responses: { 200: workspaceParams },
  problems: [...changeRefusals, 'workspace_exists'],
})

export const deleteTrashedWorkspace = endpoint({
  method: 'DELETE',
  path: '/api/workspaces/trash/{owner}/{id}',
  name: 'purgeWorkspace',
  summary: 'Deletes a workspace in the trash for good, with its files',
  tag: 'Workspaces',
  params,
  responses: { 204: null },
  problems: [...changeRefusals],
})
