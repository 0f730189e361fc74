import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { DOCUMENT_LIMITS } from '../core/limits.ts'
import { actingParty } from '../panels/messages.ts'
import { workspaceParams, workspaceRefusals } from '../panels/workspaces.ts'
import { changeRefusals, FILES_PATH, filePath, reason, tag } from './files.ts'

const STRICT = { additionalProperties: false } as const
const documentId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const version = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Counts edits. 0: none since the document was opened for the first time.',
})

export const editedDocument = Type.Object({
  document: documentId,
  version,
  savedVersion: Type.Integer({ description: 'Up to which one the file has them.' }),
  text: Type.String({
    description: 'With all edits up to `version`, and with `\\n` at the end of each line.',
  }),
})
export type EditedDocument = Static<typeof editedDocument>

export const getDocument = endpoint({
  method: 'GET',
  path: `${FILES_PATH}/document`,
  name: 'openDocument',
  summary: 'A text file as people edit it together, with edits that are not saved to it yet',
  description: '404 `file_not_found` has `movedTo` where the file was moved.',
  tag,
  params: workspaceParams,
  query: Type.Object({ path: filePath }, STRICT),
  responses: { 200: editedDocument },
  problems: [...workspaceRefusals, 'path_refused', 'file_not_found', 'file_not_text', 'objects_unavailable'],
})

export const postFileEdits = endpoint({
  method: 'POST',
  path: `${FILES_PATH}/edits`,
  name: 'editFile',
  summary: 'Replaces parts of a text file, also while people type in it',
  description:
    'Each `find` must be in the text exactly once, otherwise 409 `text_not_unique` and nothing changes. Saved to the file within seconds.',
  tag,
  params: workspaceParams,
  body: Type.Object(
    {
      path: filePath,
      edits: Type.Array(
        Type.Object(
          {
            find: Type.String({ minLength: 1, maxLength: DOCUMENT_LIMITS.editCharacters }),
            replace: Type.String({ maxLength: DOCUMENT_LIMITS.editCharacters }),
          },
          STRICT,
        ),
        { minItems: 1, maxItems: DOCUMENT_LIMITS.replacements },
      ),
      reason,
    },
    STRICT,
  ),
  responses: { 200: Type.Object({ document: documentId, version }) },
  problems: [
    ...changeRefusals,
    'file_not_text',
    'text_not_unique',
    'edits_too_old',
    'invalid_edits',
    'objects_unavailable',
  ],
})

/** Names what a page and the server say of documents over the workspace's socket. */
export const EDITING_CHANNEL = 'editing'

/** As `ChangeSet.toJSON` of `@codemirror/state` has it. */
const changes = Type.Array(Type.Unknown())
const clientId = Type.String({ minLength: 1, maxLength: 64 })

export const editingRequest = Type.Union([
  Type.Object(
    { type: Type.Literal('open'), document: documentId, version },
    { ...STRICT, description: 'Edits after this version are told from now on.' },
  ),
  Type.Object(
    {
      type: Type.Literal('push'),
      document: documentId,
      version,
      clientId,
      edits: Type.Array(changes, { minItems: 1, maxItems: DOCUMENT_LIMITS.editsPerMessage }),
      isExact: Type.Optional(
        Type.Boolean({
          description:
            'Not to be moved over edits of others: with any since that version, all are refused with `file_changed`. For files whose parts belong together.',
        }),
      ),
    },
    {
      ...STRICT,
      description:
        'Edits made on a version. Those of others since are taken into account. Taken when they come back as `edits`; sent again, they count once.',
    },
  ),
  Type.Object(
    {
      type: Type.Literal('cursor'),
      document: documentId,
      anchor: Type.Integer({ minimum: 0, maximum: DOCUMENT_LIMITS.characters }),
      head: Type.Integer({ minimum: 0, maximum: DOCUMENT_LIMITS.characters }),
    },
    STRICT,
  ),
  Type.Object({ type: Type.Literal('close'), document: documentId }, STRICT),
])
export type EditingRequest = Static<typeof editingRequest>

export const documentEdit = Type.Object({ clientId: Type.String(), changes, by: actingParty })
export type DocumentEdit = Static<typeof documentEdit>

export const documentCursor = Type.Object({
  browserId: Type.String(),
  name: Type.String(),
  handle: Type.String(),
  anchor: Type.Integer(),
  head: Type.Integer(),
})
export type DocumentCursor = Static<typeof documentCursor>

export const editingNews = Type.Union([
  Type.Object(
    { type: Type.Literal('edits'), document: documentId, version, edits: Type.Array(documentEdit) },
    { description: 'All after `version`, in their order.' },
  ),
  Type.Object(
    { type: Type.Literal('saved'), document: documentId, version },
    { description: 'The file has all edits up to this one.' },
  ),
  Type.Object({
    type: Type.Literal('cursors'),
    document: documentId,
    cursors: Type.Array(documentCursor, { description: 'Of the others who have it open.' }),
  }),
  Type.Object(
    {
      type: Type.Literal('gone'),
      document: documentId,
      movedTo: Type.Union([Type.String(), Type.Null()]),
    },
    { description: 'The file was moved or deleted. Every edit before that is in its history.' },
  ),
  Type.Object(
    { type: Type.Literal('reopen'), document: documentId },
    {
      description:
        'The document went, or edits that this page has missed are no longer kept: it reads the document again.',
    },
  ),
  Type.Object(
    { type: Type.Literal('refused'), document: documentId, code: Type.String(), message: Type.String() },
    { description: 'A `push` was not taken.' },
  ),
])
export type EditingNews = Static<typeof editingNews>
