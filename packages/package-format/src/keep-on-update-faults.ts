import { findUnsafePatterns } from './keep-on-update.ts'
import type { Finding } from './validate/finding.ts'

/** Beyond this nobody reads on. */
const MOST_FAULTS = 100

interface Kept {
  readonly keep_on_update?: readonly string[]
}

/**
 * The patterns of a valid package that cannot be run safely, with their places. They are regular expressions all the same,
 * so they are warnings. Those of a version count together with those of the package: that is how whoever installs it uses
 * them, and the limits are for all of them.
 */
export function findKeepOnUpdateFaults(value: unknown): Finding[] {
  const { keep_on_update: own = [], versions = [] } = value as Kept & { readonly versions?: readonly Kept[] }
  const faults = faultsOf(own).map(({ index, reason }) => faultAt(`/keep_on_update/${index}`, reason))
  const isSound = faults.length === 0
  for (const [number, { keep_on_update: more = [] }] of versions.entries()) {
    const pointer = `/versions/${number}/keep_on_update`
    const alone = faultsOf(more)
    for (const { index, reason } of alone) faults.push(faultAt(`${pointer}/${index}`, reason))
    // Before that both lists have to be mended, and what is left out then is not known yet.
    if (!isSound || alone.length > 0 || own.length === 0) continue
    const added = more.filter((pattern) => !own.includes(pattern))
    for (const { index, reason } of faultsOf([...own, ...added])) {
      const place = more.indexOf(added[index - own.length] ?? '')
      faults.push(faultAt(`${pointer}/${place}`, `${reason}, those of the package included`))
    }
  }
  return faults.slice(0, MOST_FAULTS)
}

function faultsOf(patterns: readonly string[]): { readonly index: number; readonly reason: string }[] {
  return findUnsafePatterns(patterns).map(({ pattern, reason }) => ({
    index: patterns.indexOf(pattern),
    reason,
  }))
}

function faultAt(pointer: string, reason: string): Finding {
  const message = `cannot be run safely (${reason}): package managers may skip it, and an update then does not keep the files that it names`
  return { pointer, message, severity: 'warning', code: 'unsafe_pattern' }
}
