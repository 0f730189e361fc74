import type { SchematicChangeRequest } from '@patchbay/contracts/boards'
import {
  type Document,
  definitionsOf,
  type Net,
  netsOf,
  type Point,
  pinsOf,
  readDesign,
  readSchematic,
  type Schematic,
  type SchematicChange,
  TangledNetsError,
} from '@patchbay/kicad-format'
import { type FoundPin, findPin, outwardAngle, refusal } from './schematic-pins.ts'

type Request<Kind> = Extract<SchematicChangeRequest, { type: Kind }>

const FILE = 'this.kicad_sch'
const known = new WeakMap<Document, readonly Net[]>()

/** The nets of one file by itself: what other sheets add to them is not looked at. */
function netsIn(document: Document): readonly Net[] {
  let nets = known.get(document)
  if (nets === undefined) {
    nets = findNets(document)
    known.set(document, nets)
  }
  return nets
}

function findNets(document: Document): readonly Net[] {
  try {
    return netsOf(readDesign(new Map([[FILE, document]]), FILE))
  } catch (error) {
    throw error instanceof TangledNetsError ? refusal.from('too_tangled') : error
  }
}

function requireSchematic(document: Document): Schematic {
  const schematic = readSchematic(document)
  if (schematic === undefined) throw refusal.from('not_a_schematic')
  return schematic
}

const netOf = (document: Document, { symbol, pin }: FoundPin) =>
  netsIn(document).find(({ pins }) =>
    pins.some((each) => each.symbolId === symbol.id && each.number === pin.number),
  )

/** A name of this file alone begins with a slash; one that reaches farther is that of a power symbol or a global label. */
const isLocal = (name: string) => name.startsWith('/')

export const connect = {
  /** Labels at those pins that are not on the net yet. */
  steps(
    document: Document,
    { pins, net: wanted }: Request<'connect'>,
    createId: () => string,
  ): SchematicChange[] {
    const schematic = requireSchematic(document)
    const found = pins.map((pin) => findPin(schematic, pin))
    const nets = new Map(found.map((pin) => [pin, netOf(document, pin)]))
    const distinct = new Set(found.map((pin) => nets.get(pin) ?? pin))
    if (distinct.size === 1 && wanted === undefined) {
      if (found.length === 1) throw refusal.from('net_needed', found[0]?.name)
      return []
    }
    const name = wanted === undefined ? nameFor(document, found, nets) : fullName(document, wanted)
    const steps: SchematicChange[] = []
    const labeled = new Set<Net | FoundPin>()
    for (const pin of found) {
      const net = nets.get(pin)
      const isNamed = net?.labels.includes(name) === true && isAttached(schematic, pin)
      if (isNamed || labeled.has(net ?? pin)) continue
      labeled.add(net ?? pin)
      steps.push(...removeMarks(schematic, pin.at))
      const label = { id: createId(), at: pin.at, angle: outwardAngle(pin) }
      steps.push(
        isLocal(name)
          ? { type: 'addLabel', kind: 'label', text: name.slice(1), ...label }
          : { type: 'addLabel', kind: 'global_label', text: name, shape: 'passive', ...label },
      )
    }
    return steps
  },

  check(document: Document, { pins }: Request<'connect'>): void {
    const schematic = requireSchematic(document)
    const found = pins.map((pin) => findPin(schematic, pin))
    const [first] = found
    const net = first && netOf(document, first)
    const apart = found.find((pin) => netOf(document, pin) !== net)
    if (net === undefined || apart !== undefined) throw refusal.from('not_connected', (apart ?? first)?.name)
  },
}

/** What the net is called already, or a new name that says where it begins. */
function nameFor(
  document: Document,
  found: readonly FoundPin[],
  nets: ReadonlyMap<FoundPin, Net | undefined>,
): string {
  const names = new Set(
    found.flatMap((pin) => {
      const net = nets.get(pin)
      return net === undefined || net.labels.length === 0 ? [] : [net.name]
    }),
  )
  if (names.size > 1) throw refusal.from('nets_differ')
  const [name] = names
  if (name !== undefined) return name
  const taken = new Set(netsIn(document).flatMap(({ labels }) => labels))
  const made = `/${(found[0]?.name ?? '').replaceAll('.', '_')}`
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? made : `${made}_${number}`
    if (!taken.has(free)) return free
  }
}

/** Of two nets that people would call the same, the one that reaches farther is meant: `GND` is that of the power symbols. */
function fullName(document: Document, wanted: string): string {
  const isGlobal = netsIn(document).some(({ labels }) => labels.includes(wanted))
  return isGlobal ? wanted : `/${wanted.replace(/^\//, '')}`
}

/** Whether something meets the pin: a power symbol by itself is on its net and still not connected for KiCad. */
function isAttached(schematic: Schematic, { symbol, at }: FoundPin): boolean {
  const definitions = definitionsOf(schematic)
  const isThere = (place: Point) => place.x === at.x && place.y === at.y
  return schematic.items.some((item) => {
    if (item.kind === 'wire') return isThere(item.from) || isThere(item.to)
    if (item.kind === 'sheet') return item.pins.some((pin) => isThere(pin.at))
    if (item.kind === 'symbol') {
      const definition = item === symbol ? undefined : definitions(item)
      return definition !== undefined && pinsOf(item, definition).some((pin) => isThere(pin.at))
    }
    return LABELS.has(item.kind) && 'at' in item && isThere(item.at)
  })
}

const LABELS: ReadonlySet<string> = new Set(['label', 'global_label', 'hierarchical_label'])

function removeMarks(schematic: Schematic, at: Point): SchematicChange[] {
  const ids = schematic.items
    .filter((item) => item.kind === 'no_connect' && item.at.x === at.x && item.at.y === at.y)
    .map(({ id }) => id)
  return ids.length === 0 ? [] : [{ type: 'delete', ids }]
}

/** Pins that shall not be connected. One that is marked stays so. */
export function markNoConnect(
  document: Document,
  { pins }: Request<'markNoConnect'>,
  createId: () => string,
): SchematicChange[] {
  const schematic = requireSchematic(document)
  return pins.flatMap((wanted): SchematicChange[] => {
    const pin = findPin(schematic, wanted)
    const net = netOf(document, pin)
    if (net !== undefined && (net.pins.length > 1 || net.labels.length > 0))
      throw refusal.from('pin_is_connected', pin.name)
    if (net?.isNoConnect === true) return []
    return [{ type: 'addMark', kind: 'no_connect', id: createId(), at: pin.at }]
  })
}
