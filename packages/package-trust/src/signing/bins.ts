import { binNameOf, binNames } from './bin-name.ts'
import {
  type FileInfo,
  type Issue,
  type IssuedFile,
  isObject,
  type JsonObject,
  previousOf,
} from './document.ts'
import { checkTargetPath, spellTarget } from './target-path.ts'
import { issueTargets } from './targets.ts'

export interface BinIssue extends Issue {
  readonly bits: number
  readonly bin: string
  /** `null` removes the path. Without changes only the expiry moves. */
  readonly changes: ReadonlyMap<string, FileInfo | null>
}

export function signBin({ bits, bin, changes, ...issue }: BinIssue): IssuedFile {
  const previous = previousOf('targets', issue)
  const targets = new Map(previous === undefined ? [] : Object.entries(targetsOf(previous)))
  for (const [path, file] of changes) {
    const owner = binNameOf(checkTargetPath(path), bits)
    if (owner !== bin) throw new RangeError(`${path} belongs to ${owner}, not to ${bin}`)
    if (file === null) targets.delete(path)
    else targets.set(path, spellTarget(path, file))
  }
  return issueTargets(bin, { targets: Object.fromEntries(targets) }, issue, previous)
}

/** A snapshot has to name every bin before the first publish, or clients could not tell an empty bin from a hidden one. */
export function signEmptyBins({
  bits,
  ...issue
}: Omit<BinIssue, 'bin' | 'changes' | 'previous'>): IssuedFile[] {
  return binNames(bits).map((bin) => signBin({ ...issue, bits, bin, changes: new Map() }))
}

function targetsOf({ targets }: JsonObject): JsonObject {
  if (isObject(targets)) return targets
  throw new TypeError('The previous bin has no targets')
}
