import { rebaseUpdates } from '@codemirror/collab'
import { ChangeSet } from '@codemirror/state'
import { Problem } from '@patchbay/contracts/core'
import { DOCUMENT_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { inTransaction } from '@patchbay/kernel/postgres'
import type { Admitted } from './deps.ts'
import { appendEdits, type DocumentDeps, findEdits, lockDocument } from './document.store.ts'
import { changesBetween, type Replacement, readChanges, replaceText } from './document.ts'
import { openDocument } from './document-opening.store.ts'

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
  { document: id, version, clientId, edits: given, isExact = false }: NewEdits,
  reason?: string,
): Promise<number> {
  return await inTransaction(db, async (tx) => {
    const note = await lock?.(tx)
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
    if (last === undefined) return document.version
    const next = document.version + edits.length
    if (next - document.savedVersion > DOCUMENT_LIMITS.unsavedEdits)
      throw new Problem('limit_reached', { detail: 'Too many edits wait to be saved. Try again soon.' })
    await appendEdits(
      tx,
      document,
      clientId,
      edits.map(({ changes }) => changes),
      party,
      clock.now(),
    )
    await note?.(`files edit ${document.path}`.slice(0, 200), reason)
    return next
  })
}

/** Others type in the same moment; each of them gets on, so few tries are enough. */
const REWRITE_TRIES = 20

export interface TextEdit {
  readonly at: number
  readonly length: number
  readonly text: string
}

/**
 * Makes what `rewrite` says of the text that is there now. It is asked again when somebody has typed meanwhile: what it says
 * is about the whole text, and would not fit another one.
 */
export async function rewriteDocument(
  deps: DocumentDeps,
  at: WorkspaceRef,
  who: Admitted,
  { path, reason }: { path: string; reason?: string | undefined },
  rewrite: (text: string) => readonly TextEdit[],
  clientId: string,
): Promise<{ readonly document: number; readonly isChanged: boolean }> {
  for (let tries = 1; ; tries += 1) {
    const { document, version, text } = await openDocument(deps, at, path)
    const edits = rewrite(text)
    if (edits.length === 0) return { document, isChanged: false }
    const changes = ChangeSet.of(
      edits.map((edit) => ({ from: edit.at, to: edit.at + edit.length, insert: edit.text })),
      text.length,
    )
    const push = { document, version, clientId, edits: [changes.toJSON() as unknown], isExact: true }
    try {
      await pushEdits(deps, at, who, push, reason)
      return { document, isChanged: true }
    } catch (error) {
      const isLate =
        error instanceof Problem && ['edits_too_old', 'file_changed', 'file_not_found'].includes(error.code)
      if (!isLate || tries === REWRITE_TRIES) throw error
    }
  }
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
