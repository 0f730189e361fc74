import {
  type Design,
  type DesignSheet,
  type Point,
  projectOf,
  type SchematicChange,
} from '@patchbay/kicad-format'
import type { NewId } from './connect.ts'

type SheetBox = Parameters<DesignSheet['children']['get']>[0]

export interface SheetChoice {
  readonly name: string
  /** Seen from the folder of the file that it is placed in. */
  readonly file: string
}

const MM = 1_000_000
/** 100 mil, as far as KiCad puts pins of a sheet apart. */
const STEP = 2.54 * MM
const WIDTH = 10 * STEP
const LEAST_HEIGHT = 8 * STEP

interface Wanted {
  readonly name: string
  readonly shape: string
}

/** Labels of a sheet that its box can have a pin for, in the order of their names. */
function portsOf({ schematic }: DesignSheet): Wanted[] {
  const ports = new Map<string, Wanted>()
  for (const item of schematic.items)
    if (item.kind === 'hierarchical_label') ports.set(item.text, { name: item.text, shape: item.shape })
  return [...ports.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Inputs on the left, everything else on the right; on the other side where there is no more room. */
function* placesFor(shape: string, { at, size }: { readonly at: Point; readonly size: Point }) {
  const sides = shape === 'input' ? (['left', 'right'] as const) : (['right', 'left'] as const)
  for (const side of sides)
    for (let y = at.y + STEP; y < at.y + size.y; y += STEP)
      yield { at: { x: side === 'left' ? at.x : at.x + size.x, y }, angle: side === 'left' ? 180 : 0 }
}

/** Pins for those labels of the sheet in it that have none yet, as far as there is room. */
export function missingPins(box: SheetBox, child: DesignSheet, newId: NewId) {
  const known = new Set(box.pins.map(({ name }) => name))
  return pinsFor(
    portsOf(child).filter(({ name }) => !known.has(name)),
    box,
    box.pins.map(({ at }) => at),
    newId,
  )
}

function pinsFor(
  wanted: readonly Wanted[],
  box: { readonly at: Point; readonly size: Point },
  there: readonly Point[],
  newId: NewId,
) {
  const keyOf = ({ x, y }: Point) => `${x} ${y}`
  const taken = new Set(there.map(keyOf))
  return wanted.flatMap(({ name, shape }) => {
    const place = [...placesFor(shape, box)].find(({ at }) => !taken.has(keyOf(at)))
    if (place === undefined) return []
    taken.add(keyOf(place.at))
    return [{ id: newId(), name, shape, ...place }]
  })
}

/** A box for a sheet, with pins for the labels of its file where that is known, in each place of the file that it is put in. */
export function addSheet(
  { name, file }: SheetChoice,
  at: Point,
  { design, sheet }: { readonly design: Design; readonly sheet: DesignSheet },
  newId: NewId,
): SchematicChange {
  const path = pathOf(sheet, file)
  const known = design.sheets.find((one) => one.file === path)
  const ports = known === undefined ? [] : portsOf(known)
  const rows = Math.max(
    ...['input', ''].map(
      (side) => ports.filter(({ shape }) => (shape === 'input') === (side === 'input')).length,
    ),
  )
  const size = { x: WIDTH, y: Math.max(LEAST_HEIGHT, (rows + 1) * STEP) }
  const project = projectOf(design)
  return {
    type: 'addSheet',
    id: newId(),
    at,
    size,
    name,
    file,
    pins: pinsFor(ports, { at, size }, [], newId),
    instances: design.sheets
      .filter((one) => one.file === sheet.file)
      .map((one, index) => ({ project, path: one.path, page: String(design.sheets.length + 1 + index) })),
  }
}

/** In the workspace, of what a sheet names. */
function pathOf({ file }: Pick<DesignSheet, 'file'>, named: string): string {
  return `${file.slice(0, file.lastIndexOf('/') + 1)}${named}`
}

/** Files that a sheet in this one must not be: it would contain itself. */
export function filesAbove({ sheets }: Design, sheet: DesignSheet): ReadonlySet<string> {
  const below = sheets.filter((one) => one.file === sheet.file)
  return new Set(
    sheets
      .filter((one) => below.some(({ path }) => path === one.path || path.startsWith(`${one.path}/`)))
      .map(({ file }) => file),
  )
}
