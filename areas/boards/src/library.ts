import { BOARD_LIMITS } from '@patchbay/contracts/limits'

/** A library as KiCad's table names it, by its path in the archive of its package. */
export interface LibraryPart {
  readonly nickname: string
  readonly path: string
}

export interface SymbolsPart extends LibraryPart {
  readonly sha256: string
  readonly size: number
}

/** What a job reads of a library package. */
export interface LibraryInput {
  readonly identifier: string
  /** Of the archive. */
  readonly sha256: string
  readonly symbols: readonly LibraryPart[]
  readonly footprints: readonly LibraryPart[]
}

export interface PackedFile {
  /** In the archive. */
  readonly path: string
  readonly size: number
  readonly sha256: string
}

/** What is in an archive, before it has nicknames. */
export interface LibraryContents {
  readonly bytes: number
  readonly symbols: readonly PackedFile[]
  /** Folders. */
  readonly footprints: readonly string[]
  readonly models: number
}

const SYMBOLS = /^symbols\/.+\.kicad_sym$/
const FOOTPRINTS = /^(footprints\/.+\.pretty)\/[^/]+\.kicad_mod$/
const MODEL = /^3dmodels\/.+\.(?:step|stp|stpz|wrl|wrz|iges|igs)$/i
/** These mean something in a table of libraries, or in the name of a symbol: a file with them is no library. */
const MEANS_SOMETHING = /["'\\$%:{}()\p{C}]/u

export const canBeNickname = (name: string): boolean => name !== '' && !MEANS_SOMETHING.test(name)

export function contentsOf(files: readonly PackedFile[]): LibraryContents {
  const plain = files.filter(({ path }) => !MEANS_SOMETHING.test(path))
  const folders = plain.flatMap(({ path }) => FOOTPRINTS.exec(path)?.[1] ?? [])
  return {
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    symbols: plain.filter(({ path }) => SYMBOLS.test(path)),
    footprints: [...new Set(folders)].toSorted(),
    models: files.filter(({ path }) => MODEL.test(path)).length,
  }
}

/** Why it is of no use; `undefined`: it is. */
export function contentsFault({ symbols, footprints, models }: LibraryContents): string | undefined {
  if (symbols.length === 0 && footprints.length === 0 && models === 0)
    return 'It holds no symbols, no footprints and no 3D models.'
  const most = BOARD_LIMITS.libraryParts
  if (symbols.length > most || footprints.length > most)
    return `It holds more than ${most} libraries of symbols or of footprints.`
  return undefined
}

/**
 * Nicknames as KiCad gives them to the libraries of packages: after the file, with a number where another library has that
 * name. One that has a name keeps it: schematics say it. `taken`: those of the other packages.
 */
export function nicknamesFor(
  paths: readonly string[],
  before: readonly LibraryPart[],
  taken: ReadonlySet<string>,
): LibraryPart[] {
  const names = new Map(
    before.filter(({ path }) => paths.includes(path)).map(({ path, nickname }) => [path, nickname]),
  )
  const used = new Set([...taken, ...names.values()])
  for (const path of paths) {
    if (names.has(path)) continue
    const base = `PCM_${(path.split('/').at(-1) ?? '').replace(/\.[^.]*$/, '')}`
    let nickname = base
    for (let number = 1; used.has(nickname); number += 1) nickname = `${base}_${number}`
    used.add(nickname)
    names.set(path, nickname)
  }
  return paths.map((path) => ({ path, nickname: names.get(path) ?? '' }))
}
