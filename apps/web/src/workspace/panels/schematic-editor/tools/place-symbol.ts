import {
  type Design,
  type DesignSheet,
  type LibrarySymbol,
  type MirrorAxis,
  type Point,
  projectOf,
  referenceOf,
  type SchematicChange,
} from '@patchbay/kicad-format'
import type { NewId } from './connect.ts'

export interface SymbolChoice {
  /** Such as `Device:R`. */
  readonly libId: string
  readonly symbol: LibrarySymbol
  /** Its text, where the schematic does not have it yet. */
  readonly definition: string | undefined
}

const valueIn = ({ properties }: LibrarySymbol, name: string) =>
  properties.find((property) => property.name === name)?.value ?? ''

/** The places of the hierarchy that show the same file. */
function placesOf({ sheets }: Design, { file }: DesignSheet): DesignSheet[] {
  return sheets.filter((one) => one.file === file)
}

/** References for something new, in each place of the file: numbers that nothing else has. */
export function newReferences(design: Design, sheet: DesignSheet, prefix: string) {
  const taken = new Set<string>()
  for (const one of design.sheets)
    for (const item of one.schematic.items)
      if (item.kind === 'symbol') taken.add(referenceOf(design, one, item).reference)
  const project = projectOf(design)
  let number = 1
  return placesOf(design, sheet).map(({ path }) => {
    const named = () => `${prefix}${prefix.startsWith('#') ? String(number).padStart(2, '0') : number}`
    while (taken.has(named())) number += 1
    const reference = named()
    taken.add(reference)
    return { project, path, reference }
  })
}

export function addSymbol(
  { libId, symbol, definition }: SymbolChoice,
  place: {
    readonly at: Point
    readonly angle: number
    readonly mirror?: MirrorAxis | undefined
    readonly unit: number
  },
  { design, sheet }: { readonly design: Design; readonly sheet: DesignSheet },
  newId: NewId,
): SchematicChange {
  const prefix = valueIn(symbol, 'Reference').replace(/[\d?]+$/, '') || 'U'
  return {
    type: 'addSymbol',
    id: newId(),
    libId,
    ...(definition !== undefined && { definition }),
    at: place.at,
    angle: place.angle,
    ...(place.mirror !== undefined && { mirror: place.mirror }),
    unit: place.unit,
    value: valueIn(symbol, 'Value') || (libId.split(':').at(-1) ?? libId),
    footprint: valueIn(symbol, 'Footprint'),
    pinIds: Object.fromEntries(
      [...new Set(symbol.units.flatMap(({ pins }) => pins.map(({ number }) => number)))].map((number) => [
        number,
        newId(),
      ]),
    ),
    instances: newReferences(design, sheet, prefix),
  }
}
