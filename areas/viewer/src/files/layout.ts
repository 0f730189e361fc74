import { join } from 'node:path'
import { PASTE_LIMITS } from '@patchbay/contracts/limits'
import { PASTE_FOLDER, PASTE_NAME_PATTERN } from '@patchbay/contracts/viewer'
import type { Size } from '../ports.ts'

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

const NAME = new RegExp(PASTE_NAME_PATTERN)
const PAIR = /^([a-z0-9]+(?:-[a-z0-9]+)*)-([1-9]\d{0,5})x([1-9]\d{0,5})\.png$/
/** Whoever has that many of one name looks for them in vain anyway. */
const LAST_NUMBER = 9_999

function isName(value: string): boolean {
  return value.length <= PASTE_LIMITS.nameLength && NAME.test(value)
}

/** What a paste is called until somebody has looked at it. */
export function firstName(createdAt: Date): string {
  // A year of more than four digits has a sign.
  const [date = '', time = ''] = createdAt.toISOString().replace(/^[+-]/, '').slice(0, -1).split('T')
  return `sp-${date.replaceAll('-', '')}-${time.replaceAll(':', '').replace('.', '-')}`
}

/** The part of a file's name that both files of a paste share. */
export function baseOf(name: string, { width, height }: Size): string {
  // Whatever the caller promised: this becomes a path.
  if (!isName(name)) throw new TypeError(`${JSON.stringify(name.slice(0, 100))} is no name for a paste`)
  if (![width, height].every((side) => Number.isSafeInteger(side) && side > 0))
    throw new TypeError('the size of a picture is two positive numbers')
  return `${name}-${width}x${height}`
}

/** The name, then with the numbers from 2 on. The number is never cut off. */
export function* numbered(name: string): Generator<string> {
  yield name
  for (let number = 2; number <= LAST_NUMBER; number += 1) {
    const ending = `-${number}`
    yield name.slice(0, PASTE_LIMITS.nameLength - ending.length).replace(/-$/, '') + ending
  }
}

/** What the name of an optimized file tells; `undefined` when it is not one of ours. */
export function readFileName(file: string): ({ readonly name: string } & Size) | undefined {
  const [, name, width, height] = PAIR.exec(file) ?? []
  return name === undefined || !isName(name)
    ? undefined
    : { name, width: Number(width), height: Number(height) }
}
