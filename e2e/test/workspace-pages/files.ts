import { createHash } from 'node:crypto'
import type { Page } from '@patchbay/testkit/chromium'
import type { Account } from '../installation/accounts.ts'
import { panelNamed, useWorkspaces, type Workspace, type WorkspaceBench } from './workspace.ts'

export const soon = { timeout: 20_000 }
export const files = (page: Page) => panelNamed(page, 'Files')
/** Behind the name stands how large it is, or how many files it holds. */
export const rowNamed = (page: Page, name: string) =>
  files(page).getByRole('treeitem', { name: new RegExp(`^${name.replaceAll('.', '\\.')} (?:\\d|not saved)`) })
/** From top to bottom. */
export const shownNames = (page: Page) =>
  files(page)
    .getByRole('treeitem')
    .evaluateAll((rows) =>
      rows
        .toSorted((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)
        .map((row) => row.getAttribute('data-path')?.split('/').at(-1)),
    )

export interface FilesBench extends Omit<WorkspaceBench, 'make'> {
  /** A workspace with these files and the panel for them. */
  make(content?: Readonly<Record<string, string>>, members?: readonly Account[]): Promise<Workspace>
}

export function useFiles(): FilesBench {
  const bench = useWorkspaces()
  return {
    ...bench,
    get site() {
      return bench.site
    },
    async make(content = {}, members = []) {
      const workspace = await bench.make({ members })
      for (const [path, text] of Object.entries(content)) await workspace.write(path, text)
      await workspace.add('files')
      return workspace
    },
  }
}

/** All in one folder, and all in one step. */
export async function makeManyFiles(workspace: Workspace, count: number): Promise<void> {
  const text = '0;0\n'
  await workspace.write('data/sample-0.csv', text)
  const sha256 = createHash('sha256').update(text).digest('hex')
  const operations = Array.from({ length: count - 1 }, (_, index) => ({
    op: 'put',
    path: `data/sample-${index + 1}.csv`,
    sha256,
  }))
  await workspace.callAsOwner('POST', ':workspace/files/changes', { operations })
}
