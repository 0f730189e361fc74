import type { EditedDocument } from '@patchbay/contracts/content'
import { Problem } from '@patchbay/contracts/core'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { sql } from 'kysely'
import { findContent, findFile } from './content.store.ts'
import { currentText, type DocumentDeps, findDocument, findWhereabouts, readText } from './document.store.ts'
import { saveDocument } from './document-saving.store.ts'
import { type CurrentFile, requirePath } from './file-change.ts'

/** Others write the file or save edits to it in the same moment; each of them gets on, so few tries are enough. */
const OPEN_TRIES = 20

/** The document of a file, which is made if there is none, with its text. */
export async function openDocument(
  deps: DocumentDeps,
  at: WorkspaceRef,
  given: string,
): Promise<EditedDocument> {
  const path = requirePath(given)
  for (let tries = 0; tries < OPEN_TRIES; tries += 1) {
    const { id, file } = await findOrMakeDocument(deps, at, path)
    const document = await findDocument(deps.db, id)
    if (document === undefined) continue
    if (document.fileRevision !== file.revision) {
      if ((await saveDocument(deps, id)).outcome === 'not_text') throw notText(path)
      continue
    }
    const text = await currentText(deps, document)
    // Somebody has written the file or saved edits to it since the row was read.
    if (text === undefined) continue
    const { version, savedVersion } = document
    return { document: id, version, savedVersion, text: text.text }
  }
  throw new Problem('file_not_found', { extensions: { path } })
}

const notText = (path: string) => new Problem('file_not_text', { extensions: { path } })

async function findOrMakeDocument(
  { db, objects, clock }: DocumentDeps,
  at: WorkspaceRef,
  path: string,
): Promise<{ readonly id: number; readonly file: CurrentFile }> {
  const content = await findContent(db, at)
  const file = content && (await findFile(db, content.id, path))
  if (content === undefined) throw new Problem('file_not_found', { extensions: { path } })
  if (file === undefined) {
    const where = await findWhereabouts(db, content.id, path)
    const movedTo = where === 'still' ? path : where.movedTo
    throw new Problem('file_not_found', { extensions: { path, ...(movedTo !== null && { movedTo }) } })
  }
  const found = await db
    .selectFrom('content_documents')
    .select('id')
    .where('content_id', '=', content.id)
    .where('path', '=', path)
    .executeTakeFirst()
  if (found !== undefined) return { id: found.id, file }
  const text = await readText({ objects }, file)
  if (text === undefined) throw notText(path)
  // Only for a file that is still there: whoever deletes it takes the document along.
  const { rows } = await sql<{ id: number }>`
    with file as (
      select content_id, path, revision, sha256 from content_files
      where content_id = ${content.id} and path = ${path} and revision = ${file.revision} for share
    ), made as (
      insert into content_documents (content_id, path, file_revision, sha256, length, line_end, changed_at)
      select content_id, path, revision, sha256, ${text.text.length}, ${text.lineEnd}, ${clock.now()}::timestamptz from file
      on conflict (content_id, path) do nothing returning id
    )
    select id from made union all
    select id from content_documents where content_id = ${content.id} and path = ${path}`.execute(db)
  // Made by somebody else in this moment, or the file is another one now: found at the next try.
  return { id: rows[0]?.id ?? 0, file }
}
