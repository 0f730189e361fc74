import { join } from 'node:path'
import { IDENTIFIER_PATTERN } from '@patchbay/package-format'
import { InstallFailure } from './install-failure.ts'

/** Every path of an installation. */
export interface Layout {
  readonly root: string
  readonly state: string
  readonly installed: string
  readonly journal: string
  readonly lock: string
  readonly packages: string
  /** Archives while they are downloaded. */
  readonly downloads: string
}

const IDENTIFIER = new RegExp(IDENTIFIER_PATTERN)
const DEVICE = /^(?:aux|con|nul|prn|com\d|lpt\d)$/i

export function layoutOf(root: string, state: string): Layout {
  return {
    root,
    state,
    installed: join(state, 'installed.json'),
    journal: join(state, 'journal.json'),
    lock: join(root, '.patchbay.lock'),
    packages: join(state, 'packages'),
    downloads: join(state, 'downloads'),
  }
}

/** `com.example.blinky` is installed in folders named `com_example_blinky`. */
export function folderNameOf(identifier: string): string {
  // The name becomes part of paths, so it is checked before it is believed.
  if (!IDENTIFIER.test(identifier))
    throw new InstallFailure(
      'bad_identifier',
      `${JSON.stringify(identifier)} is no identifier: it needs a letter first, then letters, digits, dots and dashes`,
    )
  const name = identifier.replaceAll('.', '_')
  if (DEVICE.test(name))
    throw new InstallFailure(
      'bad_identifier',
      `${identifier} is the name of a device on some systems, which have no folder of that name: ask its author for another identifier`,
      { identifier },
    )
  return name
}

export function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && IDENTIFIER.test(value) && !DEVICE.test(value.replaceAll('.', '_'))
}

export function packageFolderOf({ packages }: Layout, identifier: string): string {
  return join(packages, folderNameOf(identifier))
}

/** Where a generation is at home: its manifest always, its files while they are not installed. */
export function homeOf(layout: Layout, identifier: string, generation: number): string {
  return join(packageFolderOf(layout, identifier), String(generation))
}

export function pinOf(layout: Layout, identifier: string): string {
  return join(packageFolderOf(layout, identifier), 'pinned')
}

/** The tree of one known folder, below the root or below a home. */
export function treeOf(base: string, folder: string, identifier: string): string {
  return join(base, folder, folderNameOf(identifier))
}
