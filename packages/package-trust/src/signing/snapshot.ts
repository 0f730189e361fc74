import {
  encodeDocument,
  headOf,
  isObject,
  type Issue,
  type JsonObject,
  measureBytes,
  readDocument,
  readName,
  type SignedFile,
  signPart,
  versionOf,
} from './document.ts'
import { PlainSnapshot } from './plain-parts.ts'

export interface SnapshotIssue extends Issue {
  /** The targets metadata and bins that are new or changed. */
  readonly changed: Iterable<SignedFile>
}

export function signSnapshot({ changed, ...issue }: SnapshotIssue): SignedFile {
  const head = headOf('snapshot', issue)
  const meta = new Map(issue.previous === undefined ? [] : Object.entries(metaOf(issue.previous)))
  for (const file of changed) {
    const name = readName(file.name)
    if (name === undefined) throw new TypeError(`${file.name} has no version in its name`)
    const entry = `${name.role}.json`
    refuseOlder(entry, name.version, meta.get(entry))
    const { length, sha256 } = measureBytes(file.bytes)
    meta.set(entry, { hashes: { sha256 }, length, version: name.version })
  }
  const sorted = [...meta].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const metadata = signPart(new PlainSnapshot(head, Object.fromEntries(sorted)), issue.keys)
  return encodeDocument(`${head.version}.snapshot.json`, metadata)
}

/** Every client that saw the newer version would refuse the snapshot. */
function refuseOlder(entry: string, version: number, known: unknown): void {
  if (!isObject(known) || versionOf(known) <= version) return
  throw new RangeError(
    `Version ${version} of ${entry} is older than ${versionOf(known)}, which was in the last snapshot`,
  )
}

function metaOf(previous: Uint8Array): JsonObject {
  const { meta } = readDocument(previous, 'snapshot')
  if (isObject(meta)) return meta
  throw new TypeError('The previous snapshot names no metadata')
}
