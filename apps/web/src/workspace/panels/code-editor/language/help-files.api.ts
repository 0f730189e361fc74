import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { getMetadataSchemaOf } from '@patchbay/contracts/registry'
import { ask } from '../../../../server/server.api.ts'
import { fetchFiles } from '../../parts/files.api.ts'
import { fetchDocument } from '../document.api.ts'
import { HELP_LIMITS, type HelpFile } from './messages.ts'

const DEADLINE_MS = 10_000
const SCHEMA = 'schema:'
type SchemaDocument = 'package.json' | 'packages.json' | 'repository.json'

export interface HelpFiles {
  /** The first of these that is there, as people edit it now, if it is a text that is not too long. */
  read(paths: readonly string[]): Promise<HelpFile | undefined>
  /** Reads the names anew when next asked. */
  forget(): void
}

/** Files of the workspace that help needs besides the one that is open, with the rights of whoever sees the page. */
export function createHelpFiles(workspace: WorkspaceRef): HelpFiles {
  let names: Promise<ReadonlySet<string>> | undefined

  async function fetchNames(): Promise<ReadonlySet<string>> {
    const { files } = await fetchFiles(workspace, AbortSignal.timeout(DEADLINE_MS))
    return new Set(files.map(({ path }) => path))
  }

  return {
    async read(paths) {
      const [first = ''] = paths
      if (first.startsWith(SCHEMA))
        return { path: first, text: await fetchSchema(first.slice(SCHEMA.length)) }
      names ??= fetchNames().catch((error: unknown) => {
        names = undefined
        throw error
      })
      const there = await names
      const path = paths.find((each) => there.has(each))
      if (path === undefined) return undefined
      const { text } = await fetchDocument(workspace, path)
      return text.length > HELP_LIMITS.characters ? undefined : { path, text }
    },
    forget() {
      names = undefined
    },
  }
}

async function fetchSchema(document: string): Promise<string> {
  const params = { document: document as SchemaDocument }
  const { body } = await ask(getMetadataSchemaOf, { params, query: {} }, { deadlineMs: DEADLINE_MS })
  return typeof body === 'string' ? body : JSON.stringify(body)
}
