import { hash } from 'node:crypto'
import { ObjectCorrupt } from '@patchbay/kernel/objects'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { ArchiveRefused, inspectArchive } from '@patchbay/package-archive'
import type { RegistryDeps } from '../deps.ts'
import { factsOf, type PackageFacts } from '../packages/facts.ts'
import { markChanged } from '../packages/feed-changes.store.ts'
import { refreshPackage } from '../packages/latest.store.ts'
import { noteLoose, noteNamed } from '../packages/loose-objects.store.ts'
import type { RegistryTables } from '../tables.ts'
import { spoolArchive } from './spool.io.ts'

type RecoverDeps = Pick<RegistryDeps, 'db' | 'objects' | 'clock' | 'log' | 'settings'>

/** Each is a whole archive to read. */
const MOST_AT_ONCE = 20
const LONGEST_MS = 200

interface Forgotten {
  readonly identifier: string
  readonly version: string
  readonly archive_sha256: string
}

/**
 * Reads from their archives what older versions say about their packages: nodes of an earlier release kept only what the
 * highest one says. A few with each sweep, until none is left.
 */
export async function recoverFacts(deps: RecoverDeps): Promise<void> {
  const endAt = performance.now() + LONGEST_MS
  const forgotten: Forgotten[] = await deps.db
    .selectFrom('package_versions')
    .select(['identifier', 'version', 'archive_sha256'])
    .where('package_metadata', 'is', null)
    .limit(MOST_AT_ONCE)
    .execute()
  for (const each of forgotten) {
    await store(deps, each, await read(deps, each))
    if (performance.now() > endAt) return
  }
}

interface Recovered {
  readonly facts: PackageFacts
  readonly iconSha256: string | null
}

/** `undefined`: the archive is lost or cannot be read anymore. */
async function read(
  { db, objects, clock, settings, log }: RecoverDeps,
  { identifier, version, archive_sha256: sha256 }: Forgotten,
): Promise<Recovered | undefined> {
  const found = await objects.get(sha256)
  if (found === undefined) return undefined
  try {
    await using archive = await spoolArchive(settings.spoolFolder, found.stream)
    const { brands, maxArchiveBytes } = settings
    const { metadata, icon } = await inspectArchive(archive.path, { brands, limits: { maxArchiveBytes } })
    const iconSha256 = icon === undefined ? null : hash('sha256', icon, 'hex')
    if (icon !== undefined) {
      await noteLoose(db, [iconSha256], clock.now())
      await objects.put(piece(icon))
    }
    return { facts: factsOf(metadata), iconSha256 }
  } catch (error) {
    if (!(error instanceof ArchiveRefused || error instanceof ObjectCorrupt)) throw error
    log.warn({ err: error, identifier, version }, 'failed to read stored archive')
    return undefined
  }
}

async function* piece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function store(
  { db, clock }: RecoverDeps,
  { identifier, version }: Forgotten,
  recovered: Recovered | undefined,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await lockPackage(tx, identifier)
    await tx
      .updateTable('package_versions')
      .set(
        recovered === undefined
          ? { package_metadata: JSON.stringify(before.metadata), package_icon_sha256: before.icon_sha256 }
          : { package_metadata: JSON.stringify(recovered.facts), package_icon_sha256: recovered.iconSha256 },
      )
      .where('identifier', '=', identifier)
      .where('version', '=', version)
      .where('package_metadata', 'is', null)
      .execute()
    if (recovered !== undefined) await noteNamed(tx, [recovered.iconSha256])
    // It is no change that anybody made: whoever looks for what is new shall not find it.
    await refreshPackage(tx, identifier, before.updated_at)
    const after = await lockPackage(tx, identifier)
    if (JSON.stringify(after) === JSON.stringify(before)) return
    await markChanged(tx, { ...after, identifier, now: clock.now() })
  })
}

async function lockPackage(tx: Db<RegistryTables>, identifier: string) {
  return await tx
    .selectFrom('packages')
    .select(['owner', 'visibility', 'metadata', 'icon_sha256', 'latest_version', 'updated_at'])
    .where('identifier', '=', identifier)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}
