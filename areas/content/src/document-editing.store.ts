import { rebaseUpdates } from '@codemirror/collab'
import { ChangeSet } from '@codemirror/state'
import type { EditedDocument } from '@patchbay/contracts/content'
import { Problem } from '@patchbay/contracts/core'
import { DOCUMENT_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import type { Admitted } from './deps.ts'
import { appendEdits, type DocumentDeps, findEdits, lockDocument } from './document.store.ts'
import { changesBetween, type Replacement, readChanges, replaceText } from './document.ts'
import { openDocument } from './document-opening.store.ts'
import type { ContentTables } from './tables.ts'

export interface NewEdits {
  readonly document: number
  /** The version that the first of them was made on. */
  readonly version: number
  readonly clientId: string
  readonly edits: readonly unknown[]
  /** Not moved over what others have done since: then it is 409 `file_changed`. */
  readonly isExact?: boolean
}

/**
 * Appends edits, moved over what others have done since their version. Those of the same client among these are the
 * first of the given ones: they came twice, and count once.
 */
export async function pushEdits(
  { db, clock }: Pick<DocumentDeps, 'db' | 'clock'>,
  at: WorkspaceRef,
  { party, lock }: Pick<Admitted, 'party'> & Partial<Pick<Admitted, 'lock'>>,
  push: NewEdits,
  reason?: string,
): Promise<number> {
  return await inTransaction(db, async (tx) => {
    const note = await lock?.(tx)
    const { version, path } = await appendPush(tx, at, party, push, clock.now())
    if (path !== undefined) await note?.(`files edit ${path}`.slice(0, 200), reason)
    return version
  })
}

/** The version that there is then; with the path of the file, if anything was appended. */
async function appendPush(
  tx: Db<ContentTables>,
  at: WorkspaceRef,
  party: Admitted['party'],
  { document: id, version, clientId, edits: given, isExact = false }: NewEdits,
  now: Date,
): Promise<{ readonly version: number; readonly path?: string }> {
  const document = await lockDocument(tx, id)
  if (document === undefined || document.owner !== at.owner || document.repo !== at.repo)
    throw new Problem('file_not_found')
  const over = await findEdits(tx, id, version)
  if (version + over.length !== document.version) throw new Problem('edits_too_old')
  if (isExact && over.some(({ clientID }) => clientID !== clientId)) throw new Problem('file_changed')
  const made = readChanges(given, over[0]?.changes.length ?? document.length)
  const edits = rebaseUpdates(
    made.map((changes) => ({ changes, clientID: clientId })),
    over,
  )
  const last = edits.at(-1)
  if (last === undefined) return { version: document.version }
  const next = document.version + edits.length
  if (next - document.savedVersion > DOCUMENT_LIMITS.unsavedEdits)
    throw new Problem('limit_reached', { detail: 'Too many edits wait to be saved. Try again soon.' })
  await appendEdits(
    tx,
    document,
    clientId,
    edits.map(({ changes }) => changes),
    party,
    now,
  )
  return { version: next, path: document.path }
}

/** Others type in the same moment; each of them gets on, so few tries are enough. */
const REWRITE_TRIES = 20

export interface TextEdit {
  readonly at: number
  readonly length: number
  readonly text: string
}

/**
 * Makes what `rewrite` says of the texts that it has read, all or none, in one transaction. It is asked again when somebody has typed in
 * one of them meanwhile: what it says is about the whole of them, and would not fit others.
 */
export async function rewriteDocuments(
  deps: DocumentDeps,
  at: WorkspaceRef,
  who: Admitted,
  reason: string | undefined,
  rewrite: (read: (path: string) => Promise<string>) => Promise<ReadonlyMap<string, readonly TextEdit[]>>,
  clientId: string,
): Promise<{ readonly documents: ReadonlyMap<string, number>; readonly changed: ReadonlySet<string> }> {
  for (let tries = 1; ; tries += 1) {
    const opened = new Map<string, EditedDocument>()
    const edits = await rewrite(async (path) => {
      const document = opened.get(path) ?? (await openDocument(deps, at, path))
      opened.set(path, document)
      return document.text
    })
    const pushes = [...opened]
      .map(([path, { document, version, text }]) => ({
        document,
        version,
        clientId,
        // What was only read must be the same still.
        edits: changesOf(text, edits.get(path) ?? []),
        isExact: true,
      }))
      // Others lock in the same order.
      .toSorted((one, other) => one.document - other.document)
    const documents = new Map([...opened].map(([path, { document }]) => [path, document]))
    const changed = new Set([...edits].filter(([, each]) => each.length > 0).map(([path]) => path))
    if (changed.size === 0) return { documents, changed }
    try {
      await inTransaction(deps.db, async (tx) => {
        const note = await who.lock(tx)
        for (const push of pushes) await appendPush(tx, at, who.party, push, deps.clock.now())
        await note(`files edit ${[...changed].join(', ')}`.slice(0, 200), reason)
      })
      return { documents, changed }
    } catch (error) {
      const isLate =
        error instanceof Problem && ['edits_too_old', 'file_changed', 'file_not_found'].includes(error.code)
      if (!isLate || tries === REWRITE_TRIES) throw error
    }
  }
}

function changesOf(text: string, edits: readonly TextEdit[]): unknown[] {
  if (edits.length === 0) return []
  const changes = edits.map((edit) => ({ from: edit.at, to: edit.at + edit.length, insert: edit.text }))
  return [ChangeSet.of(changes, text.length).toJSON() as unknown]
}

/** Replaces parts of the text that is there now. */
export async function editDocument(
  deps: DocumentDeps,
  at: WorkspaceRef,
  who: Admitted,
  { path, edits, reason }: { path: string; edits: readonly Replacement[]; reason?: string | undefined },
  clientId: string,
): Promise<{ readonly document: number; readonly version: number }> {
  const { document, version, text } = await openDocument(deps, at, path)
  const changes = changesBetween(text, replaceText(text, edits))
  if (changes.empty) return { document, version }
  const push = { document, version, clientId, edits: [changes.toJSON() as unknown] }
  return { document, version: await pushEdits(deps, at, who, push, reason) }
}
