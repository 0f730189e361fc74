import { binNameOf, binNames } from './bin-name.ts'
import {
  type FileInfo,
  isObject,
  type Issue,
  type JsonObject,
  readDocument,
  type SignedFile,
} from './document.ts'
import { checkTargetPath, spellTarget } from './target-path.ts'
import { issueTargets } from './targets.ts'

export interface BinIssue extends Issue {
  readonly bits: number
  readonly bin: string
  /** `null` removes the path. Without changes only the expiry moves. */
  readonly changes: ReadonlyMap<string, FileInfo | null>
}

export function signBin({ bits, bin, changes, ...issue }: BinIssue): SignedFile {
  const targets = new Map(issue.previous === undefined ? [] : Object.entries(targetsOf(issue.previous)))
  for (const [path, file] of changes) {
    const owner = binNameOf(checkTargetPath(path), bits)
    if (owner !== bin) throw new RangeError(`${path} belongs to ${owner}, not to ${bin}`)
    if (file === null) targets.delete(path)
    else targets.set(path, spellTarget(path, file))
  }
  const sorted = [...targets].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return issueTargets(bin, { targets: Object.fromEntries(sorted) }, issue)
}

/** A snapshot has to name every bin before the first publish, or clients could not tell an empty bin from a hidden one. */
export function signEmptyBins({
  bits,
  ...issue
}: Omit<BinIssue, 'bin' | 'changes' | 'previous'>): SignedFile[] {
  return binNames(bits).map((bin) => signBin({ ...issue, bits, bin, changes: new Map() }))
}

function targetsOf(previous: Uint8Array): JsonObject {
  const { targets } = readDocument(previous, 'targets')
  if (isObject(targets)) return targets
  throw new TypeError('The previous bin has no targets')
}
