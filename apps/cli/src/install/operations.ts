import type { Change, PackageManager } from '@patchbay/package-manager'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { hasRoot, type ManagerWords, openWorkbench, type Workbench } from './open-manager.ts'
import { readName } from './package-name.ts'
import { showProgress } from './show-progress.ts'

export interface InstallWords extends ManagerWords {
  readonly force?: boolean
  readonly allowOtherOrigin?: boolean
}

/** `patchbay install com.example.blinky@1.2.0`. */
export async function installPackage(task: Task, named: string, words: InstallWords): Promise<Outcome> {
  const { identifier, version } = readName(named)
  const bench = await openWorkbench(task, words)
  using progress = showProgress(task, identifier)
  const change = await bench.suggest(
    identifier,
    bench.manager.install(identifier, {
      ...(version === undefined ? {} : { version }),
      force: words.force === true,
      signal: task.signal,
      onProgress: (step) => progress.report(step),
    }),
  )
  const notice = change.kind === 'unchanged' ? undefined : bench.toolNotice(identifier, change.to)
  return outcomeOf(change, bench, notice === undefined ? [] : [notice])
}

/** `patchbay remove`, `rollback`. */
export async function changePackage(
  task: Task,
  identifier: string,
  words: InstallWords,
  kind: 'remove' | 'rollback',
): Promise<Outcome> {
  const bench = await openExisting(task, identifier, words)
  const { manager } = bench
  const change = await bench.suggest(
    identifier,
    kind === 'remove'
      ? manager.remove(identifier)
      : manager.rollback(identifier, { force: words.force === true }),
  )
  return outcomeOf(change, bench)
}

/** `patchbay pin`, `unpin`. */
export async function pinPackage(
  task: Task,
  identifier: string,
  words: ManagerWords,
  kind: 'pin' | 'unpin',
): Promise<Outcome> {
  const bench = await openExisting(task, identifier, words)
  await bench.suggest(identifier, bench.manager[kind](identifier))
  const version = await versionOf(bench.manager, identifier)
  return {
    json: { identifier, version, is_pinned: kind === 'pin' },
    text:
      kind === 'pin'
        ? `${identifier} stays at ${version}: updates leave it alone.`
        : `${identifier} ${version} is no longer pinned: updates change it again.`,
  }
}

async function versionOf(manager: PackageManager, identifier: string): Promise<string> {
  return (await manager.list()).find((each) => each.identifier === identifier)?.version ?? ''
}

/** What is to be changed has to be there: a slip in --root must not make an empty folder. */
export async function openExisting(task: Task, identifier: string, words: ManagerWords): Promise<Workbench> {
  const { root, isThere } = await hasRoot(task, words)
  if (!isThere)
    throw new Refusal(
      EXIT.failed,
      'not_installed',
      `${identifier} is not installed: there is no ${root}.\nName the folder with --root, or remember it with "patchbay source target --root".`,
      { identifier },
    )
  return await openWorkbench(task, words)
}

const DONE: Readonly<Record<Change['kind'], (change: Change, root: string) => string>> = {
  installed: ({ identifier, to }, root) => `Installed ${identifier} ${to ?? ''} into ${root}.`,
  updated: ({ identifier, from, to }) => `${identifier} went from ${from ?? ''} to ${to ?? ''}.`,
  rolled_back: ({ identifier, from, to }) =>
    `${identifier} is back at ${to ?? ''}, from ${from ?? ''}. The same command again returns.`,
  removed: ({ identifier, from }) => `Removed ${identifier} ${from ?? ''}.`,
  unchanged: ({ identifier, to }) => `${identifier} ${to ?? ''} is installed already. Nothing was changed.`,
}

export function changeLines(change: Change, root: string): string[] {
  return [
    DONE[change.kind](change, root),
    ...change.kept.map((path) => `  kept ${stripHidden(path)}`),
    ...change.warnings.map((warning) => `  warning: ${stripHidden(warning)}`),
  ]
}

function outcomeOf(change: Change, { place }: Workbench, notices: readonly string[] = []): Outcome {
  return {
    json: { ...change, root: place.root, notices },
    text: [...changeLines(change, place.root), ...notices].join('\n'),
  }
}
