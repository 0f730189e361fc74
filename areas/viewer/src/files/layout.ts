import { join } from 'node:path'
import { PASTE_FOLDER } from '@patchbay/contracts'
import type { Size } from '../ports.ts'
import { baseOf } from './paste-name.ts'

/** Every path of a folder of pastes. */
export interface Layout {
  /** Where people look. */
  readonly folder: string
  readonly state: string
  readonly staging: string
  readonly records: string
  readonly trash: string
  /** Records that cannot be read. */
  readonly damaged: string
  readonly gitignore: string
}

/** Where the two files of a paste are. */
export interface FilePair {
  readonly optimised: string
  readonly original: string
}

export function layoutOf(project: string): Layout {
  const folder = join(project, ...PASTE_FOLDER.split('/'))
  const state = join(folder, '.viewer')
  return {
    folder,
    state,
    staging: join(state, 'staging'),
    records: join(state, 'records'),
    trash: join(state, 'trash'),
    damaged: join(state, 'damaged'),
    gitignore: join(state, '.gitignore'),
  }
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Ids become parts of paths. */
export function isId(value: string): boolean {
  return ID.test(value)
}

export function stageOf({ staging }: Layout, id: string): FilePair & { folder: string; incoming: string } {
  const folder = join(staging, id)
  return {
    folder,
    incoming: join(folder, 'incoming'),
    optimised: join(folder, 'optimised.png'),
    original: join(folder, 'original.png'),
  }
}

export function trashOf({ trash }: Layout, id: string): FilePair {
  return { optimised: join(trash, `${id}.png`), original: join(trash, `${id}-original.png`) }
}

export function filesOf({ folder }: Layout, paste: { name: string; optimised: Size }): FilePair {
  const base = baseOf(paste.name, paste.optimised)
  return { optimised: join(folder, `${base}.png`), original: join(folder, `${base}-original.png`) }
}
