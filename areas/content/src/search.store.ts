import type { FoundFile, SearchResult } from '@patchbay/contracts/content'
import { SEARCH_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { Db } from '@patchbay/kernel/postgres'
import { yieldEvery } from '@patchbay/primitives/async'
import { findContent } from './content.store.ts'
import type { ContentDeps } from './deps.ts'
import { currentText, type DocumentRow, findUnsavedDocuments, readText } from './document.store.ts'
import type { CurrentFile } from './file-change.ts'
import { lineFinder, pathFilter, type SearchWish } from './search.ts'
import type { ContentTables } from './tables.ts'

/** What is certainly no text is not fetched. */
const NO_TEXT =
  /^(?:image\/(?!svg)|video\/|audio\/|model\/(?:stl|gltf-binary|ply)|application\/(?:pdf|zip|gzip|wasm))/
/** Read at once: a store that is far away answers many requests as fast as one. */
const BATCH_FILES = 32
const BATCH_BYTES = 4 * 1024 ** 2
/** Others wait no longer than that, and one file. */
const YIELD_MS = 10

export interface FileSearch extends SearchWish {
  readonly path?: string | undefined
  readonly limit: number
  /** Of its time. */
  readonly ms: number
  /** Ends it: nobody waits for the answer anymore. */
  readonly signal: AbortSignal
}

/** Looks through the text files of a workspace in the order of their paths, within bounds of lines, bytes and time. */
export async function searchFiles(
  { db, objects }: Pick<ContentDeps, 'db' | 'objects'>,
  at: WorkspaceRef,
  { path, limit, ms, signal, ...wish }: FileSearch,
): Promise<SearchResult> {
  const content = await findContent(db, at)
  if (content === undefined) return { files: [], searched: 0, tooLarge: 0, cut: null }
  const end = performance.now() + ms
  const pause = yieldEvery(YIELD_MS)
  /** Whether to go on, after others had their turn. */
  const goesOn = async () => {
    await pause()
    return !signal.aborted && performance.now() < end
  }
  const isMeant = pathFilter(path)
  const wanted: CurrentFile[] = []
  const files: FoundFile[] = []
  let tooLarge = 0
  let searched = 0
  let bytes = 0
  let room = limit
  const result = (cut: SearchResult['cut']): SearchResult => ({ files, searched, tooLarge, cut })
  for (const file of await listAll(db, content.id)) {
    if (!(await goesOn())) return result('time')
    if (NO_TEXT.test(file.mediaType) || !isMeant(file.path)) continue
    if (file.size <= SEARCH_LIMITS.fileBytes) wanted.push(file)
    else tooLarge += 1
  }
  const unsaved = await findUnsavedDocuments(db, content.id)
  const findLines = lineFinder(wish)
  for (const batch of batchesOf(wanted)) {
    bytes += batch.reduce((all, { size }) => all + size, 0)
    if (bytes > SEARCH_LIMITS.bytes) return result('bytes')
    const read = await Promise.all(batch.map((file) => textOf({ db, objects }, file, unsaved.get(file.path))))
    for (const [index, { path: name, revision }] of batch.entries()) {
      if (!(await goesOn())) return result('time')
      const text = read[index]
      if (text === undefined) continue
      searched += 1
      // One more than there is room for: whether there are more is known then.
      const lines = findLines(text, room + 1)
      if (lines.length > 0 && room > 0) files.push({ path: name, revision, lines: lines.slice(0, room) })
      if (lines.length > room) return result('lines')
      room -= lines.length
    }
  }
  return result(null)
}

/** What people see of it: with edits that the file does not have yet. */
async function textOf(
  deps: Pick<ContentDeps, 'db' | 'objects'>,
  file: CurrentFile,
  document: DocumentRow | undefined,
): Promise<string | undefined> {
  const edited = document?.fileRevision === file.revision ? await currentText(deps, document) : undefined
  return (edited ?? (await readText(deps, file)))?.text
}

async function listAll(db: Db<ContentTables>, contentId: number): Promise<CurrentFile[]> {
  return await db
    .selectFrom('content_files')
    .select(['path', 'revision', 'sha256', 'size', 'media_type as mediaType'])
    .where('content_id', '=', contentId)
    .orderBy('path')
    .execute()
}

function batchesOf(files: readonly CurrentFile[]): CurrentFile[][] {
  const batches: CurrentFile[][] = []
  let bytes = 0
  for (const file of files) {
    const last = batches.at(-1)
    if (last === undefined || last.length === BATCH_FILES || bytes + file.size > BATCH_BYTES) {
      batches.push([file])
      bytes = file.size
    } else {
      last.push(file)
      bytes += file.size
    }
  }
  return batches
}
