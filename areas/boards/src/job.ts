import { createHash } from 'node:crypto'
import { BOARD_OPERATIONS, type BoardOperation, EXPORT_OPERATIONS } from '@patchbay/contracts/boards'
import { Problem } from '@patchbay/contracts/core'
import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import type { LibraryInput } from './library.ts'

/** A file that KiCad may read, by its path below the folder of the project. */
export interface InputFile {
  readonly path: string
  readonly sha256: string
  readonly size: number
}

export type Options = Readonly<Record<string, unknown>>

export interface Question {
  readonly operation: BoardOperation
  readonly options: Options
  /** What KiCad opens, below the folder of the project. */
  readonly file: string
  readonly inputs: readonly InputFile[]
  /** Those that KiCad could look into for this. */
  readonly libraries: readonly LibraryInput[]
}

/** Moves when the same files would give other results, for the commands or what is made of their answers have changed. */
const RECIPE = 1

const SCHEMATIC = /\.kicad_sch$/
const BOARD = /\.kicad_pcb$/
const PROJECT = /\.kicad_pro$/

const COMMON = String.raw`\.kicad_(?:pro|wks)$`
const SCHEMATIC_SIDE = new RegExp(
  String.raw`${COMMON}|\.kicad_(?:sch|sym)$|\.(?:lib|dcm)$|(?:^|/)sym-lib-table$`,
)
const FOOTPRINTS = /\.kicad_mod$|(?:^|\/)fp-lib-table$/
/** What the property `Sim.Library` of a symbol names: the rules check looks into it. */
const SIMULATION = /\.(?:mod|models?|mdl|sub|ckt|cir|spice|spi|sp|inc|ibs)$/i
const MODELS = /\.(?:step|stp|stpz|wrl|wrz|iges|igs)$/i
const BOARD_SIDE = new RegExp(COMMON)

/** Everything that any operation reads. */
export const READ_BY_KICAD =
  /\.kicad_(?:pro|wks|sch|sym|pcb|dru|mod)$|\.(?:lib|dcm)$|(?:^|\/)(?:sym|fp)-lib-table$|\.(?:step|stp|stpz|wrl|wrz|iges|igs)$|\.(?:mod|models?|mdl|sub|ckt|cir|spice|spi|sp|inc|ibs)$/i

const READS: Readonly<Record<BoardOperation, (options: Options) => readonly RegExp[]>> = {
  sheets: () => [SCHEMATIC_SIDE],
  erc: () => [SCHEMATIC_SIDE, FOOTPRINTS, SIMULATION],
  netlist: () => [SCHEMATIC_SIDE],
  bom: () => [SCHEMATIC_SIDE],
  layers: () => [BOARD_SIDE],
  render: () => [BOARD_SIDE, MODELS],
  model: () => [BOARD_SIDE, MODELS],
  step: () => [BOARD_SIDE, MODELS],
  gerbers: () => [BOARD_SIDE],
  drc: ({ isComparedWithSchematic }) => [
    BOARD_SIDE,
    FOOTPRINTS,
    /\.kicad_dru$/,
    ...(isComparedWithSchematic === true ? [SCHEMATIC_SIDE] : []),
  ],
  pdf: () => [BOARD_SIDE],
}

/** The embedded copies of symbols and footprints are enough for the others. */
const LOOKS_INTO_LIBRARIES: ReadonlySet<BoardOperation> = new Set([
  'erc',
  'drc',
  'netlist',
  'render',
  'model',
  'step',
])

/** Said or not, an option has the same name. */
const DEFAULTS: Readonly<Record<BoardOperation, Options>> = {
  sheets: { isMonochrome: false, hasDrawingSheet: true },
  erc: {},
  netlist: { format: 'kicadsexpr' },
  bom: {},
  layers: { area: 'page', isMonochrome: false },
  render: {
    side: 'top',
    width: 1_600,
    height: 900,
    isTransparent: true,
    isPerspective: false,
    quality: 'basic',
    zoom: 1,
  },
  model: {
    hasComponents: true,
    hasTracks: false,
    hasPads: false,
    hasZones: false,
    hasSilkscreen: false,
    hasSoldermask: false,
  },
  drc: { isComparedWithSchematic: false },
  step: { hasComponents: true },
  gerbers: {},
  pdf: { isMonochrome: false },
}

const refuse = (detail: string) => new Problem('board_file_refused', { detail })

/** The file that the operation opens, for what was named. */
export function targetOf(operation: BoardOperation, path: string): string {
  const { on } = BOARD_OPERATIONS[operation]
  const base = PROJECT.test(path) ? path.slice(0, -'.kicad_pro'.length) : undefined
  if (base !== undefined) return `${base}${on === 'board' ? '.kicad_pcb' : '.kicad_sch'}`
  if (on !== 'board' && SCHEMATIC.test(path)) return path
  if (on !== 'schematic' && BOARD.test(path)) return path
  const wanted = { schematic: 'a .kicad_sch', board: 'a .kicad_pcb', either: 'a .kicad_sch or .kicad_pcb' }[
    on
  ]
  throw refuse(`"${operation}" works on ${wanted} file, or on the .kicad_pro beside one.`)
}

/** The folder of the project: where the nearest `.kicad_pro` at or above the file is, or else the file itself. */
function projectFolder(target: string, files: readonly { readonly path: string }[]): string {
  const folders = new Set(files.filter(({ path }) => PROJECT.test(path)).map(({ path }) => folderOf(path)))
  for (let folder = folderOf(target); ; folder = folderOf(folder.slice(0, -1))) {
    if (folders.has(folder)) return folder
    if (folder === '') return folderOf(target)
  }
}

/** With the slash at its end; empty: the files of the workspace themselves. */
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)

/** What is asked, with everything that the answer depends on. `files`, `libraries`: those of the workspace. */
export function questionOf(
  operation: BoardOperation,
  given: Options,
  target: string,
  files: readonly InputFile[],
  libraries: readonly LibraryInput[],
): Question {
  const folder = projectFolder(target, files)
  const options = { ...DEFAULTS[operation], ...given }
  const reads = operation === 'pdf' && SCHEMATIC.test(target) ? [SCHEMATIC_SIDE] : READS[operation](options)
  const inputs = files
    .filter(({ path }) => path.startsWith(folder))
    .filter(({ path }) => path === target || reads.some((pattern) => pattern.test(path)))
    .map(({ path, sha256, size }) => ({ path: path.slice(folder.length), sha256, size }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
  if (inputs.length > BOARD_LIMITS.inputs)
    throw refuse(
      `The project has ${inputs.length} files that KiCad would read; at most ${BOARD_LIMITS.inputs} are.`,
    )
  if (inputs.reduce((all, { size }) => all + size, 0) > BOARD_LIMITS.inputBytes)
    throw refuse(
      `The files of the project are larger than ${BOARD_LIMITS.inputBytes / 1024 ** 2} MiB together.`,
    )
  return {
    operation,
    options,
    file: target.slice(folder.length),
    inputs,
    libraries: LOOKS_INTO_LIBRARIES.has(operation) ? libraries : [],
  }
}

/** The name of a question on one engine: whoever has the same name has the same answer. */
export function keyOf({ operation, options, file, inputs, libraries }: Question, engine: string): string {
  const said = [
    RECIPE,
    engine,
    operation,
    sorted(options),
    file,
    inputs.map((each) => [each.path, each.sha256]),
    // Where there are none, a job has the name that it always had.
    ...(libraries.length === 0 ? [] : [sorted(libraries)]),
  ]
  return createHash('sha256').update(JSON.stringify(said)).digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([name, each]) => [name, sorted(each)])
}

export const priorityOf = (operation: BoardOperation): number => (EXPORT_OPERATIONS.has(operation) ? 1 : 0)
