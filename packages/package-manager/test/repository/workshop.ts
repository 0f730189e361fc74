import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { packFolder } from '@patchbay/package-archive'
import type { Package, Repository } from '@patchbay/package-format'
import { type BuildOptions, type BuildResult, buildRepository } from '../../src/repository/index.ts'
import { PNG } from '../client/png.ts'
import { samplePackage } from '../client/sample.ts'

export interface PackageChoices {
  readonly version?: string
  readonly brand?: string
  readonly icon?: boolean
  readonly content?: string
  /** Of the package itself. */
  readonly changes?: Record<string, unknown>
  readonly versionChanges?: Record<string, unknown>
  /** Below the folder. */
  readonly at?: string
}

export interface Workshop extends AsyncDisposable {
  readonly root: string
  readonly folder: string
  readonly out: string
  /** A package as its author has it. */
  addFolder(identifier: string, choices?: PackageChoices): Promise<string>
  /** The same, packed. */
  addArchive(identifier: string, choices?: PackageChoices): Promise<string>
  build(options?: Partial<BuildOptions>): Promise<BuildResult>
  readIndex(): Promise<Repository>
  readList(): Promise<{ readonly packages: readonly Package[] }>
}

export const BASE = 'https://packages.example/repository/'

export async function openWorkshop(): Promise<Workshop> {
  const root = await mkdtemp(join(tmpdir(), 'patchbay-build-'))
  const folder = join(root, 'packages')
  const out = join(root, 'out')
  await mkdir(folder)
  const readJson = async (name: string) => JSON.parse(await readFile(join(out, name), 'utf8'))
  const write = async (place: string, identifier: string, choices: PackageChoices) => {
    const { version = '1.0.0', brand = 'tool', icon = true, content = 'blink()\n' } = choices
    const versions = [{ version, status: 'stable', [`${brand}_version`]: '8.0', ...choices.versionChanges }]
    const metadata = samplePackage(identifier, { ...choices.changes, versions })
    await mkdir(join(place, 'plugins'), { recursive: true })
    await writeFile(join(place, 'metadata.json'), JSON.stringify(metadata, null, 2))
    await writeFile(join(place, 'plugins/main.py'), content)
    if (!icon) return
    await mkdir(join(place, 'resources'), { recursive: true })
    await writeFile(join(place, 'resources/icon.png'), PNG)
  }
  return {
    root,
    folder,
    out,
    async addFolder(identifier, choices = {}) {
      const place = join(folder, choices.at ?? `${identifier}-${choices.version ?? '1.0.0'}`)
      await write(place, identifier, choices)
      return place
    },
    async addArchive(identifier, choices = {}) {
      const place = await mkdtemp(join(root, 'packing-'))
      await write(place, identifier, choices)
      const path = join(folder, choices.at ?? `${identifier}-${choices.version ?? '1.0.0'}.zip`)
      await mkdir(dirname(path), { recursive: true })
      await packFolder(place, { out: path, ...(choices.brand === undefined ? {} : { brand: choices.brand }) })
      return path
    },
    build: (options) =>
      buildRepository({ folder, out, name: 'Workshop', baseUrl: BASE, timestamp: 1_700_000_000, ...options }),
    readIndex: () => readJson('repository.json'),
    readList: () => readJson('packages.json'),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}

/** Every file of a folder with its bytes. */
export async function readTree(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = files
    .toSorted()
    .map(async (file) => [relative(folder, file), (await readFile(file)).toString('base64')])
  return Object.fromEntries(await Promise.all(read))
}
