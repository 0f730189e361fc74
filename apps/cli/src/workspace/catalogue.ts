import type { CatalogPanel } from '@patchbay/client/workspaces'
import { plain } from '../account/words.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { tableOf } from '../terminal/table.ts'
import { type ServerWord, withWorkspaces } from './open-workspaces.ts'

/** `patchbay workspace panels`. */
export async function listPanels(
  task: Task,
  { owner, ...words }: ServerWord & { readonly owner?: string },
): Promise<Outcome> {
  return await withWorkspaces(task, words, async ({ workspaces }) => {
    const panels = await workspaces.panels({ owner })
    const categories = [...new Set(panels.map(({ category }) => category))]
    const blocks = categories.map((category) => {
      const rows = panels.filter((panel) => panel.category === category).map(rowOf)
      return `${category}\n${tableOf(rows, '  ')}`
    })
    return { json: { panels }, text: blocks.join('\n\n') }
  })
}

/** A panel of ours is named by its kind, which is shorter; those of others all have the same one. */
function rowOf({ id, kind, url, name, description, singleton, availability }: CatalogPanel): string[] {
  const remarks = [
    ...(availability === 'planned' ? ['not built yet'] : []),
    ...(singleton ? ['once in a workspace'] : []),
  ]
  const remark = remarks.length === 0 ? '' : ` (${remarks.join(', ')})`
  return [url === undefined ? kind : id, plain(name), `${plain(description)}${remark}`]
}
