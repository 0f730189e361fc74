import { add, isOnLine, keyOf, type PinOnSheet, pinsOf } from '../schematic/geometry.ts'
import type {
  BusEntry,
  Label,
  LibrarySymbol,
  Line,
  Mark,
  PlacedSymbol,
  Schematic,
  SheetBox,
  SheetPin,
} from '../schematic/items.ts'
import { definitionsOf } from '../schematic/library.ts'
import type { Point } from '../tree/value.ts'
import { type Aliases, type Bus, readBus } from './bus.ts'
import { createSets } from './sets.ts'
import { STEPS_OF_A_THING, type Work } from './work.ts'

export interface WiredPin extends PinOnSheet {
  readonly symbol: PlacedSymbol
  readonly definition: LibrarySymbol
}

export interface WiredLabel {
  readonly label: Label
  readonly bus: Bus | undefined
}

export interface WiredSheetPin {
  readonly box: SheetBox
  readonly pin: SheetPin
  readonly bus: Bus | undefined
}

/** What touches: one piece of wiring of a file. */
export interface Cluster {
  readonly isBus: boolean
  readonly lines: Line[]
  readonly entries: BusEntry[]
  readonly marks: Mark[]
  readonly pins: WiredPin[]
  readonly labels: WiredLabel[]
  readonly sheetPins: WiredSheetPin[]
}

type Thing =
  | { readonly kind: 'line'; readonly line: Line }
  | { readonly kind: 'entry'; readonly entry: BusEntry }
  | { readonly kind: 'mark'; readonly mark: Mark }
  | { readonly kind: 'pin'; readonly pin: WiredPin }
  | { readonly kind: 'label'; readonly label: WiredLabel }
  | { readonly kind: 'sheetPin'; readonly sheetPin: WiredSheetPin }

/** What the rest of a design says about a file that is used in it. */
export interface Surroundings {
  readonly aliases: Aliases
  /** A file that is used twice may have another unit of a symbol in each place. */
  readonly unitOf: (symbol: PlacedSymbol) => number
  readonly work: Work
}

/**
 * The wiring of one file, as KiCad sees it: things are connected where their ends meet; labels, junctions and
 * no-connects anywhere on a line. Lines that only cross are not connected, nor one that ends on another without a junction.
 */
export function findWiring(schematic: Schematic, { aliases, unitOf, work }: Surroundings): Cluster[] {
  const sets = createSets()
  const things: { readonly thing: Thing; readonly isBus: boolean; readonly set: number }[] = []
  /** What has an end at a place, wires and buses apart: a wire that ends on a bus is not connected to it. */
  const ends = { wire: new Map<string, number>(), bus: new Map<string, number>() }
  const lines = { wire: createLineIndex(work), bus: createLineIndex(work) }

  const addThing = (thing: Thing, isBus: boolean, points: readonly Point[]) => {
    work(STEPS_OF_A_THING)
    const set = sets.add()
    things.push({ thing, isBus, set })
    const at = ends[isBus ? 'bus' : 'wire']
    for (const point of points) {
      const key = keyOf(point)
      const other = at.get(key)
      if (other === undefined) at.set(key, set)
      else sets.join(other, set)
    }
    return set
  }
  const joinLines = (set: number, isBus: boolean, point: Point) => {
    for (const line of lines[isBus ? 'bus' : 'wire'].at(point)) sets.join(line, set)
  }

  const definitions = definitionsOf(schematic)
  const { items } = schematic
  for (const item of items)
    if (item.kind === 'wire' || item.kind === 'bus') {
      const isBus = item.kind === 'bus'
      const set = addThing({ kind: 'line', line: item }, isBus, [item.from, item.to])
      lines[isBus ? 'bus' : 'wire'].add(item, set)
    }
  for (const item of items)
    switch (item.kind) {
      case 'symbol': {
        const definition = definitions(item)
        if (definition === undefined) break
        for (const { pin, at } of pinsOf({ ...item, unit: unitOf(item) }, definition))
          addThing({ kind: 'pin', pin: { pin, at, symbol: item, definition } }, false, [at])
        break
      }
      case 'label':
      case 'global_label':
      case 'hierarchical_label': {
        const bus = readBus(item.text, aliases, work)
        const isBus = bus !== undefined
        joinLines(addThing({ kind: 'label', label: { label: item, bus } }, isBus, [item.at]), isBus, item.at)
        break
      }
      case 'sheet':
        for (const pin of item.pins) {
          const bus = readBus(pin.name, aliases, work)
          addThing({ kind: 'sheetPin', sheetPin: { box: item, pin, bus } }, bus !== undefined, [pin.at])
        }
        break
      case 'junction':
      case 'no_connect':
        for (const isBus of [false, true]) {
          const touches =
            ends[isBus ? 'bus' : 'wire'].has(keyOf(item.at)) ||
            lines[isBus ? 'bus' : 'wire'].at(item.at).length > 0
          if (isBus && !touches) continue
          joinLines(addThing({ kind: 'mark', mark: item }, isBus, [item.at]), isBus, item.at)
        }
        break
      case 'bus_entry': {
        // The end that is on a bus leads to one of its signals, which a label names.
        const free = [item.at, add(item.at, item.size)].filter((end) => lines.bus.at(end).length === 0)
        const set = addThing({ kind: 'entry', entry: item }, false, free)
        for (const end of free) joinLines(set, false, end)
        break
      }
      case 'wire':
      case 'bus':
      case 'text':
      case 'text_box':
        break
      default:
        item satisfies never
    }

  const clusters = new Map<number, Cluster>()
  for (const { thing, isBus, set } of things) {
    const key = sets.find(set)
    let cluster = clusters.get(key)
    if (cluster === undefined) {
      cluster = { isBus, lines: [], entries: [], marks: [], pins: [], labels: [], sheetPins: [] }
      clusters.set(key, cluster)
    }
    put(cluster, thing)
  }
  return [...clusters.values()]
}

function put(cluster: Cluster, thing: Thing): void {
  switch (thing.kind) {
    case 'line':
      return void cluster.lines.push(thing.line)
    case 'entry':
      return void cluster.entries.push(thing.entry)
    case 'mark':
      return void cluster.marks.push(thing.mark)
    case 'pin':
      return void cluster.pins.push(thing.pin)
    case 'label':
      return void cluster.labels.push(thing.label)
    case 'sheetPin':
      return void cluster.sheetPins.push(thing.sheetPin)
    default:
      thing satisfies never
  }
}

interface LineIndex {
  add(line: Line, set: number): void
  /** The lines that a place is on, ends included. */
  at(point: Point): readonly number[]
}

/** Nearly all lines are straight across or down: they are found by where they are. */
function createLineIndex(work: Work): LineIndex {
  interface Entry {
    readonly line: Line
    readonly set: number
  }
  const across = new Map<number, Entry[]>()
  const down = new Map<number, Entry[]>()
  const slanted: Entry[] = []
  const file = (map: Map<number, Entry[]>, key: number, entry: Entry) => {
    const list = map.get(key)
    if (list === undefined) map.set(key, [entry])
    else list.push(entry)
  }
  return {
    add(line, set) {
      const entry = { line, set }
      if (line.from.y === line.to.y) file(across, line.from.y, entry)
      else if (line.from.x === line.to.x) file(down, line.from.x, entry)
      else slanted.push(entry)
    },
    at(point) {
      const near = [...(across.get(point.y) ?? []), ...(down.get(point.x) ?? []), ...slanted]
      work(near.length)
      return near.filter(({ line }) => isOnLine(point, line.from, line.to)).map(({ set }) => set)
    },
  }
}
