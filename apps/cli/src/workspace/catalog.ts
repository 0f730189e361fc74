import type { CatalogPanel } from '@patchbay/client/workspaces'
import { stripHidden } from '@patchbay/primitives/text'
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
    const ready = panels.filter(({ availability }) => availability === 'ready')
    const coming = panels.filter(({ availability }) => availability === 'planned')
    const categories = [...new Set(ready.map(({ category }) => category))]
    const blocks = [
      ...categories.map((name) =>
        blockOf(
          task,
          name,
          ready.filter(({ category }) => category === name),
        ),
      ),
      ...(coming.length === 0 ? [] : [blockOf(task, 'Coming soon', coming)]),
    ]
    return { json: { panels }, text: blocks.join('\n\n') }
  })
}

function blockOf({ paint }: Task, title: string, panels: readonly CatalogPanel[]): string {
  return `${paint('bold', title)}\n${tableOf(panels.map(rowOf), '  ')}`
}

/** A panel of ours is named by its kind, which is shorter; those of others all have the same one. */
function rowOf({ id, kind, url, name, description, singleton, availability }: CatalogPanel): string[] {
  const remark = singleton && availability === 'ready' ? ' (once in a workspace)' : ''
  return [url === undefined ? kind : id, stripHidden(name), `${stripHidden(description)}${remark}`]
}
