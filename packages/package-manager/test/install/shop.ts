import { createHash } from 'node:crypto'
import type { Package, PackageVersion } from '@patchbay/package-format'
import type { ArchiveStream, InstallSource, PackageOffer } from '../../src/install/install-source.ts'
import { type ZipEntry, zip } from './zip.ts'

export type Files = Readonly<Record<string, string | Buffer>>

export interface Goods {
  readonly version?: Partial<PackageVersion>
  readonly package?: Partial<Package>
  /** What the archive says about itself, where that differs. */
  readonly metadata?: object
  readonly entries?: readonly ZipEntry[]
  /** Instead of an archive made of the files. */
  readonly archive?: Buffer
}

/** A source of packages that keeps everything in memory. */
export class Shop implements InstallSource {
  readonly packages = new Map<string, Package>()
  readonly #archives = new Map<string, Buffer>()
  readonly opened: string[] = []
  /** The address that it gives. */
  origin: string | undefined
  /** Stands between an archive and whoever downloads it. */
  deliver: (archive: Buffer) => AsyncIterable<Uint8Array> = inPieces

  add(identifier: string, version: string, files: Files, goods: Goods = {}): PackageVersion {
    const archive = goods.archive ?? pack(identifier, version, files, goods)
    const offered: PackageVersion = {
      version,
      status: 'stable',
      tool_version: '8.0',
      download_url: `https://packages.example/${identifier}-${version}.zip`,
      download_sha256: createHash('sha256').update(archive).digest('hex'),
      download_size: archive.length,
      ...goods.version,
    }
    const known = this.packages.get(identifier) ?? describePackage(identifier)
    const versions = [...known.versions.filter((each) => each.version !== version), offered]
    this.packages.set(identifier, { ...known, ...goods.package, versions })
    this.#archives.set(`${identifier} ${version}`, archive)
    return offered
  }

  yank(identifier: string, version: string, reason?: string): void {
    const known = this.packages.get(identifier)
    const yanked = known?.versions.filter((each) => each.version === version) ?? []
    if (known === undefined) return
    this.packages.set(identifier, {
      ...known,
      versions: known.versions.filter((each) => each.version !== version),
      yanked_versions: yanked.map((each) => ({ ...each, ...(reason && { yank_reason: reason }) })),
    })
  }

  delist(identifier: string): void {
    const known = this.packages.get(identifier)
    if (known !== undefined) this.packages.set(identifier, { ...known, versions: [] })
  }

  async find(identifier: string): Promise<PackageOffer | undefined> {
    const found = this.packages.get(identifier)
    if (found === undefined) return undefined
    const open = async ({ version }: PackageVersion): Promise<ArchiveStream> => {
      this.opened.push(`${identifier} ${version}`)
      const archive = this.#archives.get(`${identifier} ${version}`)
      if (archive === undefined) throw new Error('the shop has lost it')
      return { stream: this.deliver(archive), size: archive.length }
    }
    const { origin } = this
    return { package: found, repository: 'Test shop', ...(origin === undefined ? {} : { origin }), open }
  }
}

function pack(identifier: string, version: string, files: Files, { metadata, entries = [] }: Goods): Buffer {
  const said = {
    ...describePackage(identifier),
    versions: [{ version, status: 'stable', tool_version: '8.0' }],
    ...metadata,
  }
  return zip([
    { name: 'metadata.json', data: Buffer.from(JSON.stringify(said)) },
    ...Object.entries(files).map(([name, text]) => ({ name, data: Buffer.from(text) })),
    ...entries,
  ])
}

function describePackage(identifier: string): Package {
  return {
    name: identifier,
    description: 'Blinks',
    description_full: 'Blinks a lot',
    identifier,
    type: 'plugin',
    author: { name: 'Ada', contact: { web: 'https://ada.example' } },
    license: 'MIT',
    resources: {},
    versions: [],
  }
}

async function* inPieces(archive: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < archive.length; at += 1_000) yield archive.subarray(at, at + 1_000)
}
