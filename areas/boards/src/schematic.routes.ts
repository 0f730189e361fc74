import type { IncomingHttpHeaders } from 'node:http'
import { postSchematicChanges, type SchematicChanged } from '@patchbay/contracts/boards'
import { Problem } from '@patchbay/contracts/core'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { TextEdit } from '@patchbay/kicad-format'
import { changeSchematic } from './schematic.ts'

export interface SchematicDeps {
  /** A new UUID. */
  readonly createId: () => string
  /** Handed in by the composition root: changes a text of whoever may, as people edit it, and saves it. */
  readonly rewrite: (
    request: { readonly headers: IncomingHttpHeaders },
    at: WorkspaceRef,
    what: { readonly path: string; readonly reason?: string | undefined },
    by: (text: string) => readonly TextEdit[],
  ) => Promise<{ readonly revision: number; readonly isChanged: boolean }>
}

/** Definitions of symbols among them. */
const CHANGES_BYTES = 4 * 1024 ** 2
const CHANGES_MS = 60_000

export function registerSchematic(app: HttpApp, { rewrite, createId }: SchematicDeps): void {
  app.route({
    ...on(postSchematicChanges, { bodyLimit: CHANGES_BYTES, deadlineMs: CHANGES_MS }),
    async handler(request) {
      const { owner, repo } = request.params
      const { path, changes, reason } = request.body
      let added: SchematicChanged['added'] = []
      const outcome = await rewrite(request, { owner, repo }, { path, reason }, (text) => {
        // Whoever may not ask at all is not told what is wrong with the question.
        if (!path.endsWith('.kicad_sch'))
          throw new Problem('board_file_refused', { detail: `${path} is no schematic.` })
        const changed = changeSchematic(text, path, changes, createId)
        added = changed.added
        return changed.edits
      })
      return { ...outcome, added }
    },
  })
}
