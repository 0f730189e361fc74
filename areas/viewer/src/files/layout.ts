import { join } from 'node:path'
import { PASTE_FOLDER } from '@patchbay/contracts/viewer'
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
  readonly optimized: string
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
    optimized: join(folder, 'optimized.png'),
    original: join(folder, 'original.png'),
  }
}

export function trashOf({ trash }: Layout, id: string): FilePair {
  return { optimized: join(trash, `${id}.png`), original: join(trash, `${id}-original.png`) }
}

export function filesOf({ folder }: Layout, paste: { name: string; optimized: Size }): FilePair {
  const base = baseOf(paste.name, paste.optimized)
  return { optimized: join(folder, `${base}.png`), original: join(folder, `${base}-original.png`) }
}
