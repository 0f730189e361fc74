import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The names of the entries of an archive of icons, such as `com.example.blinky/icon.png`, to its bytes. */
export type ZipIcons = (names: readonly string[]) => Uint8Array | Promise<Uint8Array>

type Fields = Readonly<Record<string, unknown>>

/** How a repository is described, and what is wrong with it. */
interface Recipe {
  readonly packages: readonly Fields[]
  readonly indent?: number
  /** `crlf`: of the text with other line ends than the one that is served. */
  readonly hash?: 'right' | 'none' | 'crlf'
  /** Seconds that the written times are ahead of the timestamps. */
  readonly ahead?: { readonly packages?: number; readonly resources?: number }
  /** Where the icons of its packages are in the archive, if it has one. */
  readonly icons?: string
  readonly hasIconsHash?: boolean
  readonly index?: Fields
}

const HOUR = 3_600
const UPDATED = 1_760_000_000
const SCHEMA = 'https://go.kicad.org/pcm/schemas/v1'

function samplePackage(name: string, changes: Fields): Fields {
  return {
    $schema: SCHEMA,
    name,
    description: `${name} for boards`,
    description_full: `${name} for boards.\nWith a second line.`,
    identifier: `com.github.maker.${name}`,
    type: 'plugin',
    author: { name: 'A maker', contact: { web: 'https://maker.example' } },
    license: 'MIT',
    resources: { homepage: `https://maker.example/${name}` },
    versions: [sampleVersion('1.0.0')],
    ...changes,
  }
}

function sampleVersion(version: string, changes: Fields = {}): Fields {
  return {
    version,
    status: 'stable',
    kicad_version: '6.0',
    download_sha256: sha256(version),
    download_size: 12_345,
    download_url: `https://maker.example/archives/${version}.zip`,
    install_size: 54_321,
    ...changes,
  }
}

/** Each has something that repositories of strangers really have. The order of the keys is as mixed as theirs. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  'brand-names': {
    packages: [
      samplePackage('gauges', {
        versions: [
          sampleVersion('2.07', { kicad_version: '7.0', kicad_version_max: '7.0.11' }),
          sampleVersion('2.7', { kicad_version: '8', status: 'testing' }),
          sampleVersion('0.1.11', { kicad_version_max: '6.1', status: 'deprecated' }),
        ],
      }),
    ],
    icons: '',
    hasIconsHash: true,
  },
  'crlf-hash': {
    packages: [samplePackage('reels', { runtime: 'ipc' }), samplePackage('spools', { type: 'library' })],
    indent: 1,
    hash: 'crlf',
    index: { $schema: 'https://go.kicad.org/pcm/schemas/v2#/definitions/Repository', schema_version: 2 },
  },
  delisted: {
    packages: [
      samplePackage('gone', { versions: [] }),
      samplePackage('dark', { type: 'colortheme', tags: ['dark', 'color-theme'] }),
      samplePackage('also-gone', { versions: [], maintainer: { name: 'Nobody', contact: {} } }),
    ],
    indent: 2,
  },
  'hours-ahead': {
    packages: [
      samplePackage('zipper', {
        author: { contact: { twitter: '@maker', github: 'https://github.com/maker' }, name: 'maker' },
        resources: { GitHub: 'https://github.com/maker/zipper', 'Getting started': 'see the wiki' },
        versions: [
          sampleVersion('1.1.6', { platforms: ['linux', 'macos', 'windows'], status: 'development' }),
        ],
      }),
    ],
    ahead: { packages: 9 * HOUR, resources: 9 * HOUR },
    icons: '',
  },
  'nested-icons': {
    packages: [
      samplePackage('keys', { description_full: 'Größe, 尺寸, μέγεθος 🔌', name: 'Ключи für alle' }),
    ],
    indent: 3,
    ahead: { resources: HOUR - 3 },
    icons: 'resources/',
    hasIconsHash: true,
  },
  'unknown-keys': {
    packages: [
      samplePackage('bare', {
        versions: [
          { version: '0.3', status: 'stable', kicad_version: '5.99' },
          {
            'x-built-by': { name: 'ci', runs: [1, 2] },
            kicad_version: '6.0.1',
            status: 'stable',
            version: '0.4',
          },
        ],
        'x-stars': 17,
        keep_on_update: ['[.]ini$'],
      }),
    ],
    indent: 8,
    hash: 'none',
    index: { 'x-generator': 'a script', maintainer: { name: 'A maker', contact: { web: 'maker.example' } } },
  },
}

export interface SampleRepository {
  readonly name: string
  readonly packages: string
  readonly repository: string
  readonly resources: Uint8Array | undefined
}

/** The one whose hash only fits when line ends are CRLF. */
export const CRLF_REPOSITORY = 'crlf-hash'
/** Which times are off, by which amount. */
export const LATE_TIMES = [
  ['hours-ahead', '/packages/update_time_utc', '9 h'],
  ['hours-ahead', '/resources/update_time_utc', '9 h'],
  ['nested-icons', '/resources/update_time_utc', '59 min 57 s'],
] as const

/**
 * Small repositories that are made up, in the dialect of one brand, with the oddities of public ones: brand names in
 * fields, versions such as 2.07, unknown keys, missing optional fields, packages without versions, times in another
 * zone, a hash of other line ends, icons in the wrong folder.
 */
export async function makeSampleRepositories(zipIcons: ZipIcons): Promise<SampleRepository[]> {
  return await Promise.all(Object.entries(RECIPES).map(([name, recipe]) => make(name, recipe, zipIcons)))
}

async function make(name: string, recipe: Recipe, zipIcons: ZipIcons): Promise<SampleRepository> {
  const { hash = 'right', ahead = {}, icons, hasIconsHash = false, index = {} } = recipe
  const packages = `${JSON.stringify({ packages: recipe.packages }, undefined, recipe.indent ?? 4)}\n`
  const hashed = hash === 'crlf' ? packages.replaceAll('\n', '\r\n') : packages
  const entries = recipe.packages.map(({ identifier }) => `${icons}${String(identifier)}/icon.png`)
  const resources = icons === undefined ? undefined : await zipIcons(entries)
  const fileOf = (file: string, aheadSeconds = 0) => ({
    update_time_utc: timeAt(UPDATED + aheadSeconds),
    update_timestamp: UPDATED,
    url: `https://${name}.example/${file}`,
  })
  const repository = {
    $schema: `${SCHEMA}#/definitions/Repository`,
    maintainer: { contact: { web: `https://${name}.example` }, name: 'A maker' },
    name: `Repository ${name}`,
    packages: {
      ...(hash === 'none' ? {} : { sha256: sha256(hashed) }),
      ...fileOf('packages.json', ahead.packages),
    },
    ...(resources === undefined
      ? {}
      : {
          resources: {
            ...(hasIconsHash ? { sha256: sha256(resources) } : {}),
            ...fileOf('resources.zip', ahead.resources),
          },
        }),
    ...index,
  }
  return { name, packages, repository: JSON.stringify(repository, undefined, 2), resources }
}

/** In the same layout as copies of public ones: a folder for each, with its two or three files. */
export async function writeSampleRepositories(folder: string, zipIcons: ZipIcons): Promise<void> {
  for (const { name, packages, repository, resources } of await makeSampleRepositories(zipIcons)) {
    await mkdir(join(folder, name), { recursive: true })
    await writeFile(join(folder, name, 'packages.json'), packages)
    await writeFile(join(folder, name, 'repository.json'), repository)
    if (resources !== undefined) await writeFile(join(folder, name, 'resources.zip'), resources)
  }
}

function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function timeAt(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
}
