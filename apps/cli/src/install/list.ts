import type { Outcome, Task } from '../command/run-task.ts'
import { plain } from '../account/words.ts'
import { tableOf } from '../terminal/table.ts'
import { hasRoot, type ManagerWords, openWorkbench } from './open-manager.ts'

/** `patchbay list`. */
export async function listPackages(
  task: Task,
  words: ManagerWords & { readonly outdated?: boolean },
): Promise<Outcome> {
  const { root, isThere } = await hasRoot(task, words)
  const nothing = { json: { root, packages: [] }, text: `Nothing is installed in ${root}.` }
  if (!isThere) return nothing
  const { manager } = await openWorkbench(task, words)
  const installed = await manager.list()
  if (installed.length === 0) return nothing
  if (words.outdated === true) {
    using progress = task.progress('Looking for updates')
    progress.update(0)
    const outdated = await manager.outdated()
    const rows = outdated.map(({ identifier, installed: now, available, isPinned }) => [
      identifier,
      `${now} → ${available}`,
      isPinned ? 'pinned' : '',
    ])
    return {
      json: { root, packages: outdated.map(({ isPinned, ...each }) => ({ ...each, is_pinned: isPinned })) },
      text:
        rows.length === 0
          ? `Everything in ${root} is up to date.`
          : `${tableOf(plainRows(rows))}\nRun "patchbay update" to update all that are not pinned.`,
    }
  }
  const rows = installed.map((each) => [
    each.identifier,
    each.version,
    each.status,
    each.isPinned ? 'pinned' : '',
    each.previousVersion === undefined ? '' : `before: ${each.previousVersion}`,
    `from ${each.repository}`,
  ])
  return {
    json: {
      root,
      packages: installed.map(({ isPinned, installedAt, previousVersion, ...each }) => ({
        ...each,
        installed_at: installedAt,
        is_pinned: isPinned,
        previous_version: previousVersion ?? null,
      })),
    },
    text: `${tableOf(plainRows(rows))}\nin ${root}`,
  }
}

/** Names were written by whoever made the package or the repository. */
function plainRows(rows: readonly (readonly string[])[]): string[][] {
  return rows.map((row) => row.map(plain))
}
