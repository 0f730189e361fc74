import {
  headOf,
  type Issue,
  type IssuedFile,
  isObject,
  type JsonObject,
  measureBytes,
  previousOf,
  readName,
  type SignedFile,
  signSpelled,
  versionOf,
} from './document.ts'

export interface SnapshotIssue extends Issue {
  /** The targets metadata and bins that are new or changed. */
  readonly changed: Iterable<SignedFile>
}

export function signSnapshot({ changed, ...issue }: SnapshotIssue): IssuedFile {
  const previous = previousOf('snapshot', issue)
  const head = headOf('snapshot', issue, previous)
  const meta = new Map(previous === undefined ? [] : Object.entries(metaOf(previous)))
  for (const file of changed) {
    const name = readName(file.name)
    if (name === undefined) throw new TypeError(`${file.name} has no version in its name`)
    const entry = `${name.role}.json`
    refuseOlder(entry, name.version, meta.get(entry))
    const { length, sha256 } = measureBytes(file.bytes)
    meta.set(entry, { hashes: { sha256 }, length, version: name.version })
  }
  return signSpelled(`${head.version}.snapshot.json`, head, { meta: Object.fromEntries(meta) }, issue)
}

/** Every client that saw the newer version would refuse the snapshot. */
function refuseOlder(entry: string, version: number, known: unknown): void {
  if (!isObject(known) || versionOf(known) <= version) return
  throw new RangeError(
    `Version ${version} of ${entry} is older than ${versionOf(known)}, which was in the last snapshot`,
  )
}

function metaOf({ meta }: JsonObject): JsonObject {
  if (isObject(meta)) return meta
  throw new TypeError('The previous snapshot names no metadata')
}
