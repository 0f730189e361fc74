import type { IncomingHttpHeaders } from 'node:http'
import {
  type AnnotatedSchematic,
  postSchematicAnnotation,
  postSchematicChanges,
  type SchematicChanged,
  type SchematicChangeRequest,
} from '@patchbay/contracts/boards'
import { Problem } from '@patchbay/contracts/core'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { Clock } from '@patchbay/kernel/clock'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { ObjectStore } from '@patchbay/kernel/objects'
import type { Db } from '@patchbay/kernel/postgres'
import type { TextEdit } from '@patchbay/kicad-format'
import { annotateDesign } from './annotate.ts'
import { findDefinitions } from './definitions.store.ts'
import { changeSchematic, MissingDefinitions, requireDefinitions } from './schematic.ts'
import type { BoardsTables } from './tables.ts'

export interface SchematicDeps {
  readonly db: Db<BoardsTables>
  readonly clock: Clock
  /** Of libraries: read only. */
  readonly libraries: ObjectStore
  /** A new UUID. */
  readonly createId: () => string
  /** Handed in by the composition root: changes a text of whoever may, as people edit it, and saves it. */
  readonly rewrite: (
    request: { readonly headers: IncomingHttpHeaders },
    at: WorkspaceRef,
    what: { readonly path: string; readonly reason?: string | undefined },
    by: (text: string) => readonly TextEdit[],
  ) => Promise<{ readonly revision: number; readonly isChanged: boolean }>
  /** The same for several texts, all or none. */
  readonly rewriteAll: (
    request: { readonly headers: IncomingHttpHeaders },
    at: WorkspaceRef,
    what: { readonly path: string; readonly reason?: string | undefined },
    by: (read: (path: string) => Promise<string>) => Promise<ReadonlyMap<string, readonly TextEdit[]>>,
  ) => Promise<{ readonly revision: number; readonly isChanged: boolean }>
}

/** Definitions of symbols among them. */
const CHANGES_BYTES = 4 * 1024 ** 2
const CHANGES_MS = 60_000

export function registerSchematic(
  app: HttpApp,
  { db, clock, libraries, rewrite, rewriteAll, createId }: SchematicDeps,
): void {
  app.route({
    ...on(postSchematicChanges, { bodyLimit: CHANGES_BYTES, deadlineMs: CHANGES_MS }),
    async handler(request) {
      const { owner, repo } = request.params
      const { path, changes, reason } = request.body
      const at = { owner, repo }
      let added: SchematicChanged['added'] = []
      const change = async (requests: readonly SchematicChangeRequest[]) =>
        await rewrite(request, at, { path, reason }, (text) => {
          // Whoever may not ask at all is not told what is wrong with the question.
          if (!path.endsWith('.kicad_sch'))
            throw new Problem('board_file_refused', { detail: `${path} is no schematic.` })
          if (requests === changes) requireDefinitions(text, requests)
          const changed = changeSchematic(text, path, requests, createId)
          added = changed.added
          return changed.edits
        })
      const outcome = await change(changes).catch(async (error: unknown) => {
        if (!(error instanceof MissingDefinitions)) throw error
        const stores = { db, objects: libraries, now: clock.now() }
        const definitions = await findDefinitions(stores, at, error.wanted)
        return await change(changes.map((one) => withDefinition(one, definitions)))
      })
      return { ...outcome, added }
    },
  })

  app.route({
    ...on(postSchematicAnnotation, { deadlineMs: CHANGES_MS }),
    async handler(request) {
      const { owner, repo } = request.params
      const { path: given, reason } = request.body
      const path = given.replace(/\.kicad_pro$/, '.kicad_sch')
      let files: AnnotatedSchematic['files'] = []
      const outcome = await rewriteAll(request, { owner, repo }, { path, reason }, async (read) => {
        if (!path.endsWith('.kicad_sch'))
          throw new Problem('board_file_refused', { detail: `${path} is no schematic.` })
        const annotated = await annotateDesign(path, read)
        files = annotated.files
        return annotated.edits
      })
      return { ...outcome, files: [...files] }
    },
  })
}

function withDefinition(
  change: SchematicChangeRequest,
  definitions: ReadonlyMap<string, string>,
): SchematicChangeRequest {
  if (change.type !== 'addSymbol' || change.definition !== undefined) return change
  const definition = definitions.get(change.libId)
  return definition === undefined ? change : { ...change, definition }
}
