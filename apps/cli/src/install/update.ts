import { EXIT } from '../account/ending.ts'
import { refusalOf } from '../command/failure-words.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { sentence } from '../command/sentence.ts'
import { counted } from '../terminal/table.ts'
import { hasRoot, openWorkbench } from './open-manager.ts'
import { changeLines, type InstallWords, openExisting } from './operations.ts'
import { showProgress } from './show-progress.ts'

const ADVICE: Readonly<Record<string, string>> = {
  other_origin: ' Run "patchbay update" with its identifier and --allow-other-origin to take it from there.',
}

/** `patchbay update`: one package, or all that are not pinned. */
export async function updatePackages(
  task: Task,
  identifier: string | undefined,
  words: InstallWords,
): Promise<Outcome> {
  if (identifier === undefined && !(await hasRoot(task, words)).isThere)
    return {
      json: { updated: [], skipped: [], failed: [] },
      text: 'Nothing is installed, so nothing was updated.',
    }
  const bench =
    identifier === undefined ? await openWorkbench(task, words) : await openExisting(task, identifier, words)
  using progress = showProgress(task, identifier ?? 'updates')
  const report = await bench.suggest(
    identifier ?? '',
    bench.manager.update(identifier, {
      force: words.force === true,
      allowOtherOrigin: words.allowOtherOrigin === true,
      signal: task.signal,
      onProgress: (step) => progress.report(step),
    }),
  )
  const { updated, skipped, failed } = report
  const upToDate = skipped.filter(({ reason }) => reason === 'up_to_date')
  return {
    json: {
      updated,
      skipped,
      failed: failed.map(({ identifier: id, failure }) => ({
        identifier: id,
        code: refusalOf(failure).code,
        message: refusalOf(failure).message,
      })),
    },
    text: [
      ...updated.flatMap((change) => changeLines(change, bench.place.root)),
      ...skipped
        .filter(({ reason }) => reason !== 'up_to_date')
        .map(({ message, reason }) => `Left alone: ${sentence(message)}${ADVICE[reason] ?? ''}`),
      ...failed.map(({ identifier: id, failure }) => `NOT updated: ${id}: ${refusalOf(failure).message}`),
      ...(upToDate.length === 0 ? [] : [`${counted(upToDate.length, 'package')} up to date.`]),
      ...(updated.length + skipped.length + failed.length === 0
        ? ['Nothing is installed, so nothing was updated.']
        : []),
    ].join('\n'),
    exitCode: failed.length > 0 ? EXIT.failed : 0,
  }
}
