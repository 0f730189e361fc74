import { stripHidden } from '@patchbay/primitives/text'
import type { Outcome, Task } from '../command/run-task.ts'
import { sentence } from '../command/sentence.ts'
import { paintStatus } from '../terminal/paint.ts'
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
    const { outdated, deprecated, yanked, failed } = await manager.findOutdated()
    const [first] = failed
    if (first !== undefined && failed.length === installed.length) throw first.failure
    for (const { failure } of failed) task.notify(sentence(failure.message))
    const rows = outdated.map(({ identifier, installed: now, available, isPinned }) => [
      identifier,
      `${now} → ${available}`,
      isPinned ? 'pinned' : '',
    ])
    return {
      json: {
        root,
        packages: outdated.map(({ isPinned, ...each }) => ({ ...each, is_pinned: isPinned })),
        deprecated,
        yanked,
      },
      text: [
        rows.length === 0
          ? deprecated.length + yanked.length === 0
            ? `Everything in ${root} is up to date.`
            : `Nothing in ${root} can be updated.`
          : `${tableOf(plainRows(rows))}\nRun "patchbay update" to update all that are not pinned.`,
        ...yanked.map(({ identifier, installed: version, reason }) =>
          stripHidden(
            `${identifier} ${version} was yanked${reason === '' ? '' : ` (${reason})`}, and nothing newer is offered for here.`,
          ),
        ),
        ...deprecated.map(
          ({ identifier, installed: version }) =>
            `${identifier} ${version} is deprecated: its author advises against it, and nothing newer is offered for here.`,
        ),
      ].join('\n'),
    }
  }
  const rows = installed.map((each) => [
    task.paint('bold', stripHidden(each.identifier)),
    stripHidden(each.version),
    paintStatus(task.paint, each.isYanked ? 'yanked' : each.isDeprecated ? 'deprecated' : each.status),
    each.isPinned ? 'pinned' : '',
    each.previousVersion === undefined ? '' : `before: ${stripHidden(each.previousVersion)}`,
    task.paint('dim', `from ${stripHidden(each.repository)}`),
  ])
  return {
    json: {
      root,
      packages: installed.map(
        ({ isPinned, isDeprecated, isYanked, installedAt, previousVersion, ...each }) => ({
          ...each,
          is_deprecated: isDeprecated,
          is_yanked: isYanked,
          installed_at: installedAt,
          is_pinned: isPinned,
          previous_version: previousVersion ?? null,
        }),
      ),
    },
    text: [
      tableOf(rows),
      `in ${root}`,
      ...(installed.some(({ isYanked }) => isYanked)
        ? ['Yanked versions are no longer offered. Run "patchbay update" to get newer ones.']
        : []),
      ...(installed.some(({ isDeprecated }) => isDeprecated)
        ? ['Authors advise against deprecated versions. Run "patchbay update" to get newer ones.']
        : []),
    ].join('\n'),
  }
}

/** Names were written by whoever made the package or the repository. */
function plainRows(rows: readonly (readonly string[])[]): string[][] {
  return rows.map((row) => row.map(stripHidden))
}
