import { Metadata, MetadataKind } from '@tufjs/models'
import { type FileInfo, measureBytes, parseObject, readName, type SignedFile } from './document.ts'
import { readRoot } from './root.ts'
import { signSnapshot } from './snapshot.ts'
import { signTargets } from './targets.ts'
import { signTimestamp } from './timestamp.ts'

export interface StaticRepository {
  /** Every file that clients may ask for, by its path below the repository. */
  readonly files: ReadonlyMap<string, Uint8Array | FileInfo>
  /** The newest root, which says whose signatures count. */
  readonly root: Uint8Array
  readonly keys: { readonly targets: readonly string[]; readonly online: readonly string[] }
  /** What is in the `tuf/` folder now. Without it versions would begin anew and clients would refuse them. */
  readonly previous?: Iterable<SignedFile>
  readonly now: Date
  readonly lifetimeDays?: number
}

const DAY_MS = 86_400_000

/** Targets, snapshot and timestamp, in the order in which they have to be written. */
export function signStaticRepository(repository: StaticRepository): SignedFile[] {
  const { files, keys, now, lifetimeDays = 90 } = repository
  const previous = newestByRole(repository.previous ?? [])
  const expires = new Date(now.getTime() + lifetimeDays * DAY_MS)
  const targets = signTargets({
    files: new Map(
      [...files].map(([path, file]) => [path, file instanceof Uint8Array ? measureBytes(file) : file]),
    ),
    previous: previous.get('targets')?.bytes,
    keys: keys.targets,
    now,
    expires,
  })
  const online = { keys: keys.online, now, expires }
  const snapshot = signSnapshot({ ...online, changed: [targets], previous: previous.get('snapshot')?.bytes })
  const timestamp = signTimestamp({
    ...online,
    snapshot: snapshot.bytes,
    previous: previous.get('timestamp')?.bytes,
  })
  refuseWhatRootRefuses(repository.root, targets, snapshot, timestamp)
  return [targets, snapshot, timestamp]
}

function newestByRole(files: Iterable<SignedFile>): Map<string, SignedFile> {
  const newest = new Map<string, SignedFile>()
  const versions = new Map<string, number>()
  for (const file of files) {
    const { role, version } = readName(file.name) ?? { role: file.name.replace(/\.json$/, ''), version: 1 }
    if (version < (versions.get(role) ?? 0)) continue
    newest.set(role, file)
    versions.set(role, version)
  }
  return newest
}

function refuseWhatRootRefuses(
  root: Uint8Array,
  targets: SignedFile,
  snapshot: SignedFile,
  timestamp: SignedFile,
): void {
  const judge = readRoot(root)
  judge.verifyDelegate('targets', Metadata.fromJSON(MetadataKind.Targets, parseObject(targets.bytes)))
  judge.verifyDelegate('snapshot', Metadata.fromJSON(MetadataKind.Snapshot, parseObject(snapshot.bytes)))
  judge.verifyDelegate('timestamp', Metadata.fromJSON(MetadataKind.Timestamp, parseObject(timestamp.bytes)))
}
