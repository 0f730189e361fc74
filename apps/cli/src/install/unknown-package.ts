import { EXIT } from '../account/ending.ts'
import { nearest } from '../command/nearest.ts'
import { Refusal } from '../command/refusal.ts'
import type { JoinedSources } from './join-sources.ts'

/** None of the sources has it: what was probably meant, or where to look. */
export async function unknownPackage(
  identifier: string,
  joined: JoinedSources,
  detail: string,
): Promise<Refusal> {
  const sources = await joined.open()
  const lists = await Promise.all(sources.map((source) => source.listNear(identifier).catch(() => [])))
  const meant = nearest(identifier, lists.flat())
  const names = sources.map(({ name }) => name).join(', ')
  const advice =
    meant === undefined
      ? 'Check the spelling, look for it with "patchbay search", or add its source with "patchbay source add".'
      : `Did you mean ${meant}?`
  return new Refusal(
    EXIT.failed,
    'unknown_package',
    `${names} ${sources.length === 1 ? 'does' : 'do'} not have ${identifier}.\n${advice}`,
    { identifier, ...(meant === undefined ? {} : { did_you_mean: meant }), detail },
  )
}
