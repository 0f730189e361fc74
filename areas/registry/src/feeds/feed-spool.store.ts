import { join } from 'node:path'
import { manifestUrl } from '../files/addresses.ts'
import type { BuiltContent } from './feed.ts'
import { type PackageRecord, spellPackage } from './listed-package.ts'
import type { IconRecord } from './resources.store.ts'
import type { Shares } from './shares.ts'
import { SpoolFile } from './spool-file.store.ts'

export interface SpoolOptions {
  readonly folder: string
  readonly brands: readonly string[]
  readonly publicUrl: string
  readonly maxBytes: number
  readonly shares: Shares
}

export interface Spooled {
  readonly path: string
  readonly content: BuiltContent
}

export interface SpooledFeed {
  readonly packages: ReadonlyMap<string, Spooled>
  readonly manifests: Spooled
  readonly icons: readonly IconRecord[]
  readonly resourcesPath: string
}

/** Writes the lists of a feed into files. `undefined` as soon as one is larger than allowed: the rest is not read. */
export async function spoolFeed(
  packages: AsyncIterable<PackageRecord>,
  { folder, brands, publicUrl, maxBytes, shares }: SpoolOptions,
): Promise<SpooledFeed | undefined> {
  await using cleanup = new AsyncDisposableStack()
  const open = async (name: string) => cleanup.use(await SpoolFile.create(join(folder, name)))
  const lists: [string, SpoolFile][] = []
  for (const brand of brands) lists.push([brand, await open(`packages-${brand}.json`)])
  const manifests = await open('manifests.json')
  const icons: IconRecord[] = []

  let separator = ''
  for (const [, list] of lists) await list.write('{"packages":[')
  await manifests.write('{"manifests":{')
  for await (const record of packages) {
    const entries = brands.map((brand) => spellPackage(record, brand, publicUrl))
    // By the longest: every brand lists the same packages.
    if (!shares.take(record, Math.max(...entries.map((entry) => Buffer.byteLength(entry))))) continue
    for (const [index, [, list]] of lists.entries()) await list.write(separator + entries[index])
    await manifests.write(separator + spellManifests(record, publicUrl))
    if (record.iconSha256 !== null && record.isListed)
      icons.push({ identifier: record.identifier, sha256: record.iconSha256 })
    separator = ',\n'
    if (lists.some(([, list]) => list.size > maxBytes)) return undefined
  }
  await manifests.write('}}')
  const spooled = new Map<string, Spooled>()
  for (const [brand, list] of lists) {
    await list.write(']}')
    spooled.set(brand, { path: list.path, content: await list.finish() })
  }
  if ([...spooled.values()].some(({ content }) => content.size > maxBytes)) return undefined
  const manifestsFile = { path: manifests.path, content: await manifests.finish() }
  return { packages: spooled, manifests: manifestsFile, icons, resourcesPath: join(folder, 'resources.zip') }
}

/** By package and version: where the list of installed files is, and its hash. */
function spellManifests({ identifier, versions }: PackageRecord, publicUrl: string): string {
  const entries = versions.map(({ version, archiveSha256, manifestSha256 }) => [
    version,
    { url: manifestUrl(publicUrl, archiveSha256), sha256: manifestSha256 },
  ])
  return `${JSON.stringify(identifier)}:${JSON.stringify(Object.fromEntries(entries))}`
}
