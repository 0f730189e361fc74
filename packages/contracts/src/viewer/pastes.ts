import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { PASTE_LIMITS } from '../core/limits.ts'
import { pageOf, pageQuery } from '../core/paging.ts'

/** Where pastes are kept, below the project's content. */
export const PASTE_FOLDER = 'screenshots/sp'

/** What a picture may be, by its bytes. */
export const PICTURE_TYPES = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/bmp',
  'image/gif',
  'image/avif',
] as const
export type PictureType = (typeof PICTURE_TYPES)[number]

/** The descriptive part of a file's name, without the size. */
export const PASTE_NAME_PATTERN = '^[a-z0-9]+(-[a-z0-9]+)*$'
const pasteName = Type.String({ maxLength: PASTE_LIMITS.nameLength, pattern: PASTE_NAME_PATTERN })
const pasteId = Type.String({ format: 'uuid' })

/** Where waiting goes on. */
export const pasteCursor = (description?: string) =>
  Type.String({ pattern: '^\\d{1,15}$', ...(description === undefined ? {} : { description }) })

const FILE = '[a-z0-9]+(-[a-z0-9]+)*\\.png'

const pictureFile = Type.Object({
  file: Type.String({ pattern: `^${FILE}$`, description: 'The name of the file.' }),
  path: Type.String({
    pattern: `^${PASTE_FOLDER}/${FILE}$`,
    description: 'Where it is, from the root of the project, with forward slashes.',
  }),
  absolute_path: Type.String({ description: 'Where it is on this machine.' }),
  url: Type.String({
    pattern: `^/pastes/${FILE}$`,
    description: 'Where the viewer serves it; changes with its name.',
  }),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  bytes: Type.Integer({ minimum: 1 }),
})
export type PictureFile = Static<typeof pictureFile>

export const NAMING_STATES = ['naming', 'named', 'unnamed'] as const
export const NAMERS = ['model', 'title', 'text', 'picture', 'person'] as const
export type NamedBy = (typeof NAMERS)[number]

export const paste = Type.Object(
  {
    id: pasteId,
    created_at: Type.String({ format: 'date-time' }),
    title: Type.Union([Type.String(), Type.Null()], {
      description: 'What the widget was opened for, if somebody said.',
    }),
    state: Type.Enum([...NAMING_STATES], {
      description:
        'Both files are there in every state. `naming`: a better name is being looked for. `unnamed`: none was found.',
    }),
    name: Type.String({
      pattern: PASTE_NAME_PATTERN,
      description: 'The descriptive part of the files’ names.',
    }),
    named_by: Type.Union([Type.Enum([...NAMERS]), Type.Null()], {
      description:
        'Where the name is from: a model, the title, text in the picture, its size and colors (`picture`), or a person.',
    }),
    naming_note: Type.Union([Type.String(), Type.Null()], {
      description: 'Why no name was found, or no better one than by size and colors, for people.',
    }),
    can_undo: Type.Boolean({ description: 'Whether there is an earlier name to go back to.' }),
    optimized: pictureFile,
    original: pictureFile,
    source: Type.Object({
      type: Type.Enum([...PICTURE_TYPES], { description: 'What the bytes were, whatever they were called.' }),
      bytes: Type.Integer({ minimum: 1 }),
      file_name: Type.Union([Type.String(), Type.Null()], { description: 'What the sender called it.' }),
    }),
  },
  { description: 'One pasted picture: an optimized file and the original, under one base name' },
)
export type Paste = Static<typeof paste>

const STRICT = { additionalProperties: false } as const
const pasteParams = Type.Object({ id: pasteId })
const changeRefusals = [
  'paste_not_found',
  'origin_not_allowed',
  'folder_unavailable',
  'shutting_down',
] as const

export const postUploadGrant = endpoint({
  method: 'POST',
  path: '/api/upload-grants',
  name: 'postUploadGrant',
  summary: 'Trade the nonce of a freshly served page for the right to upload',
  description:
    'Each answer of `GET /` and `GET /screenshot-paste` carries a nonce that works once, within ten minutes. The grant works for a day, or until the viewer stops.',
  tag: 'Pastes',
  body: Type.Object({ nonce: Type.String({ minLength: 16, maxLength: 100 }) }, STRICT),
  responses: { 201: Type.Object({ grant: Type.String() }) },
  problems: ['upload_not_granted', 'origin_not_allowed', 'rate_limited'],
})

export const UPLOAD_GRANT_HEADER = 'x-upload-grant'

export const postPaste = endpoint({
  method: 'POST',
  path: '/api/pastes',
  name: 'postPaste',
  summary: 'Save a picture',
  description:
    'The body is the picture as it is. Answers once both files are saved; a better name comes later, as an event.',
  tag: 'Pastes',
  headers: Type.Object({ [UPLOAD_GRANT_HEADER]: Type.String({ minLength: 16, maxLength: 100 }) }),
  query: Type.Object(
    {
      file_name: Type.Optional(
        Type.String({
          maxLength: PASTE_LIMITS.fileNameHintLength,
          description: 'What the sender calls it. Kept for people; no file is ever named by it.',
        }),
      ),
      title: Type.Optional(Type.String({ maxLength: 200 })),
    },
    STRICT,
  ),
  upload: { mediaType: 'application/octet-stream', description: 'PNG, JPEG, WebP, BMP, GIF or AVIF' },
  responses: { 201: paste },
  problems: [
    'upload_not_granted',
    'origin_not_allowed',
    'picture_refused',
    'body_too_large',
    'unsupported_media_type',
    'too_many_uploads',
    'folder_unavailable',
    'shutting_down',
  ],
})

export const listPastes = endpoint({
  method: 'GET',
  path: '/api/pastes',
  name: 'listPastes',
  summary: 'The latest pastes, newest first',
  tag: 'Pastes',
  query: pageQuery,
  responses: { 200: pageOf(paste) },
  problems: ['folder_unavailable'],
})

export const getPaste = endpoint({
  method: 'GET',
  path: '/api/pastes/{id}',
  name: 'getPaste',
  summary: 'One paste as it is now',
  tag: 'Pastes',
  params: pasteParams,
  responses: { 200: paste },
  problems: ['paste_not_found'],
})

export const getNextPaste = endpoint({
  method: 'GET',
  path: '/api/next-paste',
  name: 'getNextPaste',
  summary: 'Wait for the next paste, or for its name',
  description:
    'Answers with the first paste after `after`, once its naming is over or `naming_seconds` have passed; 204 when none came in time.',
  tag: 'Pastes',
  query: Type.Object(
    {
      after: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'The `cursor` of an answer before. Absent: whatever comes after this call.',
        }),
      ),
      wait_seconds: Type.Optional(
        Type.Integer({ minimum: 0, maximum: PASTE_LIMITS.waitSeconds, default: 25 }),
      ),
      naming_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 30, default: 10 })),
    },
    STRICT,
  ),
  responses: { 200: Type.Object({ paste, cursor: pasteCursor() }), 204: null },
  problems: ['too_many_waiting', 'shutting_down'],
})

export const patchPaste = endpoint({
  method: 'PATCH',
  path: '/api/pastes/{id}',
  name: 'patchPaste',
  summary: 'Give both files another name',
  description: 'A name that is taken gets a number. While a name is being looked for, this ends the search.',
  tag: 'Pastes',
  params: pasteParams,
  body: Type.Object({ name: pasteName }, STRICT),
  responses: { 200: paste },
  problems: changeRefusals,
})

export const postPasteUndo = endpoint({
  method: 'POST',
  path: '/api/pastes/{id}/undo',
  name: 'postPasteUndo',
  summary: 'Go back to the name before, or bring back what was deleted',
  tag: 'Pastes',
  params: pasteParams,
  responses: { 200: paste },
  problems: [...changeRefusals, 'nothing_to_undo'],
})

export const deletePaste = endpoint({
  method: 'DELETE',
  path: '/api/pastes/{id}',
  name: 'deletePaste',
  summary: 'Delete both files',
  description: 'They can be brought back by `undo` for a day.',
  tag: 'Pastes',
  params: pasteParams,
  responses: { 204: null },
  problems: changeRefusals,
})

export const getPasteFile = endpoint({
  method: 'GET',
  path: '/pastes/{file}',
  name: 'getPasteFile',
  summary: 'A file of a paste',
  tag: 'Pastes',
  params: Type.Object({ file: Type.String({ maxLength: 120, pattern: `^${FILE}$` }) }),
  responses: { 200: { mediaType: 'image/png', description: 'The picture' } },
  problems: ['paste_not_found'],
})
