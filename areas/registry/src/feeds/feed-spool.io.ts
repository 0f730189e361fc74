import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestUrl } from '../files/addresses.ts'
import { type PackageRecord, spellForBrands } from './listed-package.ts'
import type { IconRecord } from './resources.io.ts'
import type { Shares } from './shares.ts'
import { type Spooled, SpoolFile } from './spool-file.io.ts'

export interface SpoolOptions {
  readonly folder: string
  readonly brands: readonly string[]
  readonly publicUrl: string
  readonly maxBytes: number
  readonly shares: Shares
}

export interface SpooledFeed {
  readonly packages: ReadonlyMap<string, Spooled>
  readonly manifests: Spooled
  readonly icons: readonly IconRecord[]
  readonly resourcesPath: string
}

/** Writes the lists of a feed. `undefined` as soon as one is larger than allowed: the rest is not read. */
export async function spoolFeed(
  packages: AsyncIterable<PackageRecord>,
  { folder, brands, publicUrl, maxBytes, shares }: SpoolOptions,
): Promise<SpooledFeed | undefined> {
  await using cleanup = new AsyncDisposableStack()
  const open = (name: string) => cleanup.use(new SpoolFile(join(folder, name)))
  const lists = brands.map((brand) => [brand, open(`packages-${brand}.json`)] as const)
  const manifests = open('manifests.json')
  const icons: IconRecord[] = []

  let separator = ''
  for (const [, list] of lists) await list.write('{"packages":[')
  await manifests.write('{"manifests":{')
  for await (const record of packages) {
    const entries = spellForBrands(record, brands, publicUrl)
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
    spooled.set(brand, await list.finish())
  }
  if ([...spooled.values()].some(({ content }) => content.size > maxBytes)) return undefined
  const resourcesPath = join(folder, 'resources.zip')
  return { packages: spooled, manifests: await manifests.finish(), icons, resourcesPath }
}

/** By package and version: where the list of installed files is, and its hash. */
function spellManifests({ identifier, versions }: PackageRecord, publicUrl: string): string {
  const entries = versions.map(({ version, archiveSha256, manifestSha256 }) => [
    version,
    { url: manifestUrl(publicUrl, archiveSha256), sha256: manifestSha256 },
  ])
  return `${JSON.stringify(identifier)}:${JSON.stringify(Object.fromEntries(entries))}`
}

/** A folder for the files of one feed, removed with everything in it. */
export interface SpoolFolder extends AsyncDisposable {
  newFolder(): Promise<string>
}

export async function openSpoolFolder(parent: string): Promise<SpoolFolder> {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(parent, 'feed-'))
  return {
    newFolder: () => mkdtemp(join(folder, 'try-')),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
