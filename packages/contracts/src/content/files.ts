import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { shownText } from '../core/handles.ts'
import { FILE_LIMITS } from '../core/limits.ts'
import { actingParty } from '../panels/messages.ts'
import { workspaceChangeRefusals, workspaceParams, workspaceRefusals } from '../panels/workspaces.ts'

export const FILES_PATH = '/api/workspaces/editor/{owner}/{repo}/files'
export const tag = 'Files'

const time = Type.String({ format: 'date-time' })
const revision = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
export const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** Its exact rules are code, `normalizePath`; a text that breaks them is 422 `path_refused`. */
export const filePath = Type.String({
  minLength: 1,
  maxLength: FILE_LIMITS.pathBytes,
  description: 'Such as `firmware/src/main.c`: names with single slashes between them.',
})

const mediaType = Type.String({
  maxLength: 100,
  pattern: '^[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*$',
  description: 'Follows from the extension unless it is given.',
})
export const reason = Type.Optional(shownText(200, 'Why, for the people who read the history.'))

export const contentFile = Type.Object({
  path: Type.String(),
  revision: Type.Integer({
    description: 'The change that made it what it is. Its ETag is this number in quotes.',
  }),
  size: Type.Integer(),
  sha256,
  mediaType: Type.String(),
  changedAt: time,
  changedBy: actingParty,
})
export type ContentFile = Static<typeof contentFile>

export const contentFolder = Type.Object({
  path: Type.String(),
  files: Type.Integer({ description: 'In it and in its folders.' }),
  bytes: Type.Integer(),
})
export type ContentFolder = Static<typeof contentFolder>

const nextCursor = Type.Union([Type.String(), Type.Null()])
const pageQuery = {
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 200 })),
}

export const getFiles = endpoint({
  method: 'GET',
  path: FILES_PATH,
  name: 'listFiles',
  summary: 'The files and folders in a folder, or every file below it',
  tag,
  params: workspaceParams,
  query: Type.Object(
    {
      folder: Type.Optional(filePath),
      recursive: Type.Optional(Type.Boolean({ default: false })),
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  responses: {
    200: Type.Object({
      revision: Type.Integer({
        description: 'Of the whole; moves with every change. 0: nothing was ever there.',
      }),
      folders: Type.Array(contentFolder),
      files: Type.Array(contentFile),
      nextCursor,
    }),
  },
  problems: [...workspaceRefusals, 'path_refused'],
})

const ifMatch = Type.Optional(
  Type.String({
    maxLength: 200,
    description:
      'The ETag that was read, or `*` for whatever is there. Without it the file must not exist yet: nobody overwrites what they have not read.',
  }),
)

export const getFile = endpoint({
  method: 'GET',
  path: `${FILES_PATH}/content`,
  name: 'readFile',
  summary: 'The bytes of a file, whole or a range, as they are or as a change had left them',
  tag,
  params: workspaceParams,
  query: Type.Object({ path: filePath, revision: Type.Optional(revision) }, { additionalProperties: false }),
  responses: {
    200: {
      mediaType: 'application/octet-stream',
      description: 'With ETag, Repr-Digest and the type that the file has.',
    },
    206: { mediaType: 'application/octet-stream', description: 'The range that was asked for.' },
    304: null,
  },
  problems: [
    ...workspaceRefusals,
    'path_refused',
    'file_not_found',
    'range_not_satisfiable',
    'objects_unavailable',
  ],
})

export const changeRefusals = [
  ...workspaceChangeRefusals,
  'path_refused',
  'path_taken',
  'file_changed',
  'file_not_found',
  'limit_reached',
] as const

export const changed = Type.Object({
  revision: Type.Integer({ description: 'Of the change.' }),
  paths: Type.Integer({ description: 'How many it touched; 0 when everything was so already.' }),
})
export type ContentChanged = Static<typeof changed>

export const putFile = endpoint({
  method: 'PUT',
  path: `${FILES_PATH}/content`,
  name: 'writeFile',
  summary: 'Writes a file, if it still is what it was when it was read',
  description:
    '412 `file_changed` says in `current` what is there now, or `null`. The bytes are hashed while they arrive.',
  tag,
  params: workspaceParams,
  query: Type.Object(
    { path: filePath, mediaType: Type.Optional(mediaType), reason },
    { additionalProperties: false },
  ),
  headers: Type.Object({ 'if-match': ifMatch }),
  upload: { mediaType: 'application/octet-stream', description: 'At most 100 MiB.' },
  responses: { 200: contentFile, 201: contentFile },
  problems: [...changeRefusals, 'body_too_large', 'objects_unavailable'],
})

export const deleteFile = endpoint({
  method: 'DELETE',
  path: `${FILES_PATH}/content`,
  name: 'deleteFile',
  summary: 'Deletes a file; history keeps it',
  tag,
  params: workspaceParams,
  query: Type.Object({ path: filePath, reason }, { additionalProperties: false }),
  headers: Type.Object({ 'if-match': Type.String({ maxLength: 200 }) }),
  responses: { 200: changed },
  problems: [...changeRefusals],
})

const ifRevision = Type.Optional(
  Type.Union([revision, Type.Null()], {
    description: 'The revision of the file that is expected there; `null`: none. Absent: whatever is there.',
  }),
)

const operation = Type.Union([
  Type.Object(
    {
      op: Type.Literal('put'),
      path: filePath,
      sha256,
      mediaType: Type.Optional(mediaType),
      ifRevision,
    },
    {
      additionalProperties: false,
      description: 'Bytes that were uploaded before, or that the workspace has had.',
    },
  ),
  Type.Object(
    { op: Type.Literal('delete'), path: filePath, ifRevision },
    { additionalProperties: false, description: 'A file, or a folder with all that is in it.' },
  ),
  Type.Object(
    { op: Type.Literal('move'), path: filePath, to: filePath, ifRevision },
    { additionalProperties: false, description: 'A file, or a folder with all that is in it.' },
  ),
  Type.Object(
    { op: Type.Literal('restore'), path: filePath, revision, ifRevision },
    { additionalProperties: false, description: 'As the change with this revision had left it.' },
  ),
])
export type FileOperation = Static<typeof operation>

export const postFileChanges = endpoint({
  method: 'POST',
  path: `${FILES_PATH}/changes`,
  name: 'changeFiles',
  summary: 'Changes several files in one step: all of it happens, or nothing',
  tag,
  params: workspaceParams,
  body: Type.Object(
    {
      operations: Type.Array(operation, { minItems: 1, maxItems: FILE_LIMITS.operations }),
      reason,
      author: Type.Optional(
        Type.Object(
          { name: shownText(200, 'Who made the change elsewhere.'), at: time },
          {
            additionalProperties: false,
            description: 'For what is brought in with its history. Nobody vouches for it.',
          },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  responses: { 200: changed },
  problems: [...changeRefusals, 'bytes_missing', 'history_gone'],
})

export const contentChange = Type.Object({
  revision: Type.Integer(),
  at: time,
  by: actingParty,
  editors: Type.Optional(
    Type.Array(actingParty, { description: 'Everybody whose edits it saved, where they were several.' }),
  ),
  reason: Type.Union([Type.String(), Type.Null()]),
  author: Type.Union([Type.Object({ name: Type.String(), at: time }), Type.Null()]),
  paths: Type.Integer(),
})
export type ContentChange = Static<typeof contentChange>

export const changedPath = Type.Object({
  path: Type.String(),
  revision: Type.Integer(),
  movedFrom: Type.Union([Type.String(), Type.Null()]),
  content: Type.Union([
    Type.Object({ sha256, size: Type.Integer(), mediaType: Type.String() }),
    Type.Null({ description: 'Deleted.' }),
  ]),
})
export type ChangedPath = Static<typeof changedPath>

export const getFileChanges = endpoint({
  method: 'GET',
  path: `${FILES_PATH}/changes`,
  name: 'listFileChanges',
  summary: 'What was changed, the last first: of the whole, or of one path',
  tag,
  params: workspaceParams,
  query: Type.Object({ path: Type.Optional(filePath), ...pageQuery }, { additionalProperties: false }),
  responses: { 200: Type.Object({ items: Type.Array(contentChange), nextCursor }) },
  problems: [...workspaceRefusals, 'path_refused'],
})

export const getChangedPaths = endpoint({
  method: 'GET',
  path: `${FILES_PATH}/changed-paths`,
  name: 'listChangedPaths',
  summary: 'What every path that was touched after one revision is now, each once, in the order of paths',
  description:
    'With `wait`, an answer without anything is held back until there is something, or so many seconds are over: this is how a working copy follows. History that is no longer kept is 410 `history_gone`: read the whole.',
  tag,
  params: workspaceParams,
  query: Type.Object(
    {
      after: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      until: Type.Optional(revision),
      wait: Type.Optional(Type.Integer({ minimum: 0, maximum: 30, default: 0 })),
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  responses: {
    200: Type.Object({ revision: Type.Integer(), items: Type.Array(changedPath), nextCursor }),
  },
  problems: [...workspaceRefusals, 'history_gone', 'too_many_waiting'],
})

export const postRestore = endpoint({
  method: 'POST',
  path: `${FILES_PATH}/restore`,
  name: 'restoreFiles',
  summary: 'Makes everything what it was after a change; a change itself, so that it can be undone',
  tag,
  params: workspaceParams,
  body: Type.Object({ revision: Type.Integer({ minimum: 0 }), reason }, { additionalProperties: false }),
  responses: { 200: changed },
  problems: [...changeRefusals, 'history_gone'],
})

export const getFileArchive = endpoint({
  method: 'GET',
  path: `${FILES_PATH}/archive`,
  name: 'downloadFiles',
  summary: 'A ZIP archive of all files, or of one folder; as they are, or as they were after a change',
  tag,
  params: workspaceParams,
  query: Type.Object(
    { folder: Type.Optional(filePath), revision: Type.Optional(revision) },
    { additionalProperties: false },
  ),
  responses: { 200: { mediaType: 'application/zip', description: 'Not compressed; streamed.' } },
  problems: [...workspaceRefusals, 'path_refused', 'history_gone', 'objects_unavailable'],
})

const blobParams = Type.Object({ ...workspaceParams.properties, sha256 })

export const putBlob = endpoint({
  method: 'PUT',
  path: `${FILES_PATH}/blobs/{sha256}`,
  name: 'uploadFileContent',
  summary: 'Uploads bytes for a change that will name them; unnamed ones go after a day',
  tag,
  params: blobParams,
  upload: { mediaType: 'application/octet-stream', description: 'At most 100 MiB.' },
  responses: { 204: null },
  problems: [
    ...workspaceChangeRefusals,
    'body_too_large',
    'content_mismatch',
    'limit_reached',
    'objects_unavailable',
  ],
})

export const postMissingBlobs = endpoint({
  method: 'POST',
  path: `${FILES_PATH}/blobs/missing`,
  name: 'findMissingContent',
  summary: 'Which of these contents the workspace does not have, and would have to be uploaded',
  tag,
  params: workspaceParams,
  body: Type.Object(
    { sha256: Type.Array(sha256, { maxItems: FILE_LIMITS.operations }) },
    { additionalProperties: false },
  ),
  responses: { 200: Type.Object({ missing: Type.Array(sha256) }) },
  problems: [...workspaceChangeRefusals],
})

export const postReadBlobs = endpoint({
  method: 'POST',
  path: `${FILES_PATH}/blobs/read`,
  name: 'readContents',
  summary: 'Several contents in one answer, one after the other in the order in which they were asked for',
  description: 'Nothing stands between them: whoever asks knows their sizes, and checks their hashes.',
  tag,
  params: workspaceParams,
  body: Type.Object(
    { sha256: Type.Array(sha256, { minItems: 1, maxItems: 1_000, uniqueItems: true }) },
    { additionalProperties: false },
  ),
  responses: {
    200: { mediaType: 'application/octet-stream', description: 'As long as all of them together.' },
  },
  problems: [...workspaceRefusals, 'bytes_missing', 'objects_unavailable'],
})
