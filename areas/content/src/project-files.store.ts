import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { Db } from '@patchbay/kernel/postgres'
import { requireKnown } from './change.store.ts'
import { findContent, readTree } from './content.store.ts'
import type { ContentTables } from './tables.ts'

export interface NamedContent {
  readonly path: string
  readonly sha256: string
  readonly size: number
}

/** Every file whose path the pattern knows, as they are or as they were after a change, with the revision of the whole. */
export async function findMatchingFiles(
  db: Db<ContentTables>,
  at: WorkspaceRef,
  pattern: RegExp,
  asked: number | undefined,
): Promise<{ readonly revision: number; readonly files: readonly NamedContent[] }> {
  const content = await findContent(db, at)
  if (content === undefined) return { revision: 0, files: [] }
  if (asked !== undefined) requireKnown(content, asked)
  const revision = asked ?? content.revision
  const files =
    asked === undefined
      ? await db
          .selectFrom('content_files')
          .select(['path', 'sha256', 'size'])
          .where('content_id', '=', content.id)
          .execute()
      : await readTree(db, content.id, revision)
  return { revision, files: files.filter(({ path }) => pattern.test(path)) }
}
