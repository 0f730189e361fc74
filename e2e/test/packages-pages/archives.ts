import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { packFolder } from '@patchbay/package-archive'

export interface ArchiveWish {
  readonly identifier?: string
  readonly version?: string
  /** Over the fields of the package. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Over the fields of its version. */
  readonly versionFields?: Readonly<Record<string, unknown>>
  readonly icon?: Uint8Array
  /** In the place of the one of a plugin. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
}

export function metadataOf({
  identifier = 'com.example.blinky',
  version = '1.0.0',
  fields,
  versionFields,
}: ArchiveWish): Record<string, unknown> {
  return {
    name: 'Blinky',
    description: 'Lets a light blink',
    description_full: 'Lets a light blink at a pace of your choice.',
    identifier,
    type: 'plugin',
    author: { name: 'Ada Lovelace', contact: { web: 'https://example.com/ada' } },
    license: 'MIT',
    resources: { homepage: 'https://example.com/blinky' },
    tags: ['led'],
    ...fields,
    versions: [{ version, status: 'stable', kicad_version: '8.0', ...versionFields }],
  }
}

/** The bytes that `patchbay package pack` would write for such a folder. */
export async function packArchive(wish: ArchiveWish): Promise<Uint8Array<ArrayBuffer>> {
  await using folder = await temporaryFolder()
  const source = join(folder.path, 'source')
  await writeInto(source, 'metadata.json', JSON.stringify(metadataOf(wish), null, 2))
  const plugin = { 'plugins/__init__.py': `print("${wish.version ?? ''}")\n` }
  for (const [path, content] of Object.entries(wish.files ?? plugin)) await writeInto(source, path, content)
  if (wish.icon !== undefined) await writeInto(source, 'resources/icon.png', wish.icon)
  const out = join(folder.path, 'archive.zip')
  await packFolder(source, { out, brand: 'kicad' })
  return new Uint8Array(await readFile(out))
}

export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-pack-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

async function writeInto(folder: string, path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), content)
}
