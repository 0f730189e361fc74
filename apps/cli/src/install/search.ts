import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { type Paint, paintStatus } from '../terminal/paint.ts'
import { tableOf } from '../terminal/table.ts'
import { openSource, type SourceWords, sourcesFor } from './open-sources.ts'
import type { Hit, Wish } from './package-source.ts'
import { readSettings } from './settings.ts'

export interface SearchWords extends SourceWords, Omit<Wish, 'words'> {
  readonly json?: boolean
}

/** `patchbay search`. Of a package that several sources have, the first counts, as it does for install. */
export async function searchPackages(
  task: Task,
  words: readonly string[],
  { type, platform, runtime, toolVersion, status, limit, ...where }: SearchWords,
): Promise<Outcome> {
  const settings = await sourcesFor(task, where, await readSettings(task.surroundings))
  const wish: Wish = {
    words: words.join(' ').trim(),
    limit,
    ...(type === undefined ? {} : { type }),
    ...(platform === undefined ? {} : { platform }),
    ...(runtime === undefined ? {} : { runtime }),
    ...(toolVersion === undefined ? {} : { toolVersion }),
    ...(status === undefined ? {} : { status }),
  }
  const found = new Map<string, Hit>()
  const failures: { readonly source: string; readonly message: string }[] = []
  let hasMore = false
  using progress = task.progress('Searching')
  progress.update(0)
  for (const each of settings) {
    try {
      const answer = await (await openSource(task, each)).search(wish)
      hasMore ||= answer.hasMore
      for (const hit of answer.hits)
        if (!found.has(hit.identifier.toLowerCase())) found.set(hit.identifier.toLowerCase(), hit)
    } catch (error) {
      // Of several sources the others still have something to say.
      if (settings.length === 1 || task.signal.aborted) throw error
      const { refusalOf } = await import('../command/failure-words.ts')
      const { message } = refusalOf(error)
      failures.push({ source: each.name, message })
      task.notify(`${each.name} was left out: ${message}`)
    }
  }
  const hits = [...found.values()].slice(0, limit)
  return {
    json: { packages: hits, has_more: hasMore || found.size > limit, failures },
    text: textOf(task.paint, hits, hasMore || found.size > limit, settings.length > 1),
    exitCode: failures.length > 0 ? EXIT.unavailable : 0,
  }
}

function textOf(paint: Paint, hits: readonly Hit[], hasMore: boolean, showsSource: boolean): string {
  if (hits.length === 0) return 'Nothing was found. Try fewer words, or fewer filters.'
  const rows = hits.map(({ identifier, version, status, type, description, source }) => [
    paint('bold', identifier),
    version ?? '-',
    type,
    ...(showsSource ? [stripHidden(source)] : []),
    `${status === null || status === 'stable' ? '' : paintStatus(paint, status, `(${status}) `)}${stripHidden(description)}`,
  ])
  return [tableOf(rows), ...(hasMore ? ['There are more: use --limit, or more words.'] : [])].join('\n')
}
