import type { RepositoryResource } from '@patchbay/package-format'

/**
 * A file that has not changed keeps its time: the time of a file on disk would differ from machine to machine. One that
 * has changed gets a later time than before, or clients would refuse it as a step back.
 */
export function nextTimestamp(
  previous: RepositoryResource | undefined,
  sha256: string,
  given: number | undefined,
  now: number,
): number {
  const before = previous?.update_timestamp ?? 0
  if (previous?.sha256 === sha256) return before
  if (given === undefined) return Math.max(Math.floor(now / 1000), before + 1)
  if (Number.isSafeInteger(given) && given > before) return given
  throw new RangeError(`timestamp ${given} is not after ${before}, which was published`)
}
