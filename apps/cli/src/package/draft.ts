import { pairsOf } from '../command/pairs.ts'
import type { InitWords } from './init-words.ts'

/** Metadata before anybody has checked it. */
export interface Draft {
  readonly identifier: string
  readonly name: string
  readonly description: string
  readonly type: string
  readonly [key: string]: unknown
}

const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  plugin: ['plugins', 'resources'],
  library: ['symbols', 'footprints', '3dmodels', 'resources'],
  colortheme: ['colors', 'resources'],
}

export function foldersOf(type: string): readonly string[] {
  return FOLDERS[type] ?? ['resources']
}

/** What was not said is filled in so that the result is valid, and easy to find and change. */
export function metadataOf(folder: string, user: string | undefined, words: InitWords): Draft {
  const brand = words.toolBrand ?? 'tool'
  const { name = nameFrom(folder), description = 'What it does, in one sentence.' } = words
  return {
    name,
    description,
    description_full: words.descriptionFull ?? description,
    identifier: words.identifier ?? `com.example.${slugOf(folder)}`,
    type: words.type ?? 'plugin',
    ...(words.category === undefined ? {} : { category: words.category }),
    author: { name: words.author ?? (user || 'Your name'), contact: pairsOf('--contact', words.contact) },
    license: words.license ?? 'MIT',
    resources: pairsOf('--resource', words.resource),
    ...(words.tag === undefined ? {} : { tags: words.tag }),
    ...(words.keepOnUpdate === undefined ? {} : { keep_on_update: words.keepOnUpdate }),
    versions: [
      {
        version: words.packageVersion ?? '0.1.0',
        status: words.status ?? 'development',
        [`${brand}_version`]: words.toolVersion ?? '8.0',
        ...(words.toolVersionMax === undefined ? {} : { [`${brand}_version_max`]: words.toolVersionMax }),
      },
    ],
  }
}

export function readmeOf({ name, description }: Draft, brand: string | undefined): string {
  const dialect = brandWords(brand)
  return [
    `# ${name}`,
    '',
    description,
    '',
    `Check it with \`patchbay package validate .${dialect}\`, publish it with \`patchbay package publish .${dialect}\``,
    '',
  ].join('\n')
}

/** What a command needs to read metadata of that dialect. */
export function brandWords(brand: string | undefined): string {
  return brand === undefined ? '' : ` --tool-brand ${brand}`
}

export function slugOf(folder: string): string {
  return (
    folder
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '') || 'package'
  )
}

export function nameFrom(folder: string): string {
  const words = slugOf(folder).replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
