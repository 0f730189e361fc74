import type { Label, PlacedSymbol, Schematic } from '../schematic/items.ts'
import { type Bus, shownName } from './bus.ts'
import { type Design, type DesignSheet, referenceOf } from './design.ts'
import { createSets } from './sets.ts'
import { type Cluster, findWiring } from './wiring.ts'
import { createWork, STEPS_OF_A_THING } from './work.ts'

export interface NetPin {
  readonly reference: string
  readonly number: string
  readonly name: string
  /** `input`, `output`, `passive`, `power_in`, … */
  readonly type: string
  /** The id of the symbol. */
  readonly symbolId: string
  /** The path of the sheet that it is on. */
  readonly path: string
}

/** Where a part of a net is drawn. */
export interface NetItem {
  readonly path: string
  readonly id: string
}

export interface Net {
  /** Of its label that counts most, or of its first pin. */
  readonly name: string
  /** All names that labels give it, as they stand in its sheets. */
  readonly labels: readonly string[]
  readonly pins: readonly NetPin[]
  /** Wires, labels, junctions and whatever else it consists of, but for pins. */
  readonly items: readonly NetItem[]
  /** Somebody has marked that nothing shall be connected. */
  readonly isNoConnect: boolean
}

/** What names a net, the strongest first. */
const GLOBAL = 0
const LOCAL = 1
const HIERARCHICAL = 2

interface Name {
  readonly rank: number
  readonly depth: number
  readonly text: string
}

interface OpenNet {
  readonly names: Name[]
  readonly pins: NetPin[]
  readonly items: NetItem[]
  isNoConnect: boolean
}

type Reference = ReturnType<typeof referenceOf>

interface Part {
  readonly sheet: DesignSheet
  readonly cluster: Cluster
  readonly set: number
  /** What its symbols are called in this place. */
  readonly references: ReadonlyMap<PlacedSymbol, Reference>
}

/**
 * The nets of a design, or of one sheet, if it has but one. A net without pins is left out. Throws `TangledNetsError` for
 * a design that is made to take long.
 */
export function netsOf(design: Design): Net[] {
  const work = createWork()
  const sets = createSets()
  const keys = new Map<string, number>()
  const names: { readonly set: number; readonly name: Name }[] = []
  const parts: Part[] = []
  /** The same for the same words. */
  const at = (...words: readonly string[]) => {
    const key = JSON.stringify(words)
    let set = keys.get(key)
    if (set === undefined) {
      set = sets.add()
      keys.set(key, set)
    }
    return set
  }
  const port = (sheet: DesignSheet, name: string) => at('port', sheet.path, name)
  const globally = (text: string) => {
    const set = at('global', text)
    names.push({ set, name: { rank: GLOBAL, depth: 0, text } })
    return set
  }
  const inSheet = (sheet: DesignSheet, name: string, kind: Label['kind']) => {
    work(STEPS_OF_A_THING)
    if (kind === 'global_label') return globally(name)
    const set = at('local', sheet.path, name)
    const rank = kind === 'label' ? LOCAL : HIERARCHICAL
    names.push({ set, name: { rank, depth: sheet.path.split('/').length, text: `${sheet.name}${name}` } })
    return set
  }

  const aliases = new Map(design.busAliases.toReversed().map(({ name, members }) => [name, members]))
  const hasPort = portsOf()
  for (const sheet of design.sheets) {
    const references = new Map<PlacedSymbol, Reference>()
    const unitOf = (symbol: PlacedSymbol) => {
      work(symbol.instances.length)
      const found = referenceOf(design, sheet, symbol)
      references.set(symbol, found)
      return found.unit
    }
    for (const cluster of findWiring(sheet.schematic, { aliases, unitOf, work })) {
      if (cluster.isBus) {
        joinBus(cluster, sheet)
        continue
      }
      const set = sets.add()
      parts.push({ sheet, cluster, set, references })
      for (const { label } of cluster.labels) {
        const text = shownName(label.text)
        sets.join(set, inSheet(sheet, text, label.kind))
        if (label.kind === 'hierarchical_label') sets.join(set, port(sheet, text))
      }
      for (const { box, pin } of cluster.sheetPins) {
        const child = sheet.children.get(box)
        if (child !== undefined) sets.join(set, port(child, shownName(pin.name)))
      }
      for (const wired of cluster.pins) {
        const power = powerName(wired, sheet)
        if (power !== undefined) sets.join(set, globally(shownName(power)))
      }
    }
  }

  /** The labels and sheet pins of a bus lead to the same signals. */
  function joinBus(cluster: Cluster, sheet: DesignSheet) {
    const bundles: { readonly bus: Bus; readonly setOf: (name: string) => number }[] = []
    for (const { label, bus } of cluster.labels)
      if (bus !== undefined)
        bundles.push({
          bus,
          setOf: (name) => inSheet(sheet, name, label.kind),
        })
    for (const { box, bus, pin } of cluster.sheetPins) {
      const child = sheet.children.get(box)
      if (bus === undefined || child === undefined || !hasPort(child, pin.name)) continue
      bundles.push({ bus, setOf: (name) => inSheet(child, name, 'hierarchical_label') })
    }
    const [first, ...others] = bundles
    if (first === undefined) return
    // A signal has the name that the bus gives it, even where nothing else is on it.
    for (const { name } of first.bus.members) first.setOf(name)
    for (const other of others) joinMembers(first, other)
  }

  function joinMembers(
    one: { readonly bus: Bus; readonly setOf: (name: string) => number },
    other: { readonly bus: Bus; readonly setOf: (name: string) => number },
  ) {
    const isByPosition = one.bus.kind === 'vector' && other.bus.kind === 'vector'
    const byName = new Map(other.bus.members.toReversed().map((member) => [member.local, member]))
    for (const [index, member] of one.bus.members.entries()) {
      const match = isByPosition ? other.bus.members[index] : byName.get(member.local)
      if (match !== undefined) sets.join(one.setOf(member.name), other.setOf(match.name))
    }
  }

  const nets = new Map<number, OpenNet>()
  for (const part of parts) {
    const key = sets.find(part.set)
    let net = nets.get(key)
    if (net === undefined) {
      net = { names: [], pins: [], items: [], isNoConnect: false }
      nets.set(key, net)
    }
    collect(net, part)
  }
  for (const { set, name } of names) nets.get(sets.find(set))?.names.push(name)
  return [...nets.values()].filter(({ pins }) => pins.length > 0).map(closeNet)
}

/** Whether a sheet has a hierarchical label of this name. */
function portsOf(): (sheet: DesignSheet, name: string) => boolean {
  const known = new Map<Schematic, ReadonlySet<string>>()
  return ({ schematic }, name) => {
    let ports = known.get(schematic)
    if (ports === undefined) {
      ports = new Set(
        schematic.items.flatMap((item) => (item.kind === 'hierarchical_label' ? [item.text] : [])),
      )
      known.set(schematic, ports)
    }
    return ports.has(name)
  }
}

/** Power symbols name the net of their pin, and so do hidden power pins of other symbols. */
function powerName(
  { symbol, pin, definition }: Cluster['pins'][number],
  sheet: DesignSheet,
): string | undefined {
  if (pin.type !== 'power_in') return undefined
  if (!definition.isPower) return pin.isHidden ? pin.name : undefined
  // Before KiCad 7 it was the name of the pin, whatever the value said.
  const value = symbol.properties.find(({ name }) => name === 'Value')?.value
  return sheet.schematic.version < VALUE_NAMES_POWER ? pin.name : (value ?? pin.name)
}

const VALUE_NAMES_POWER = 20220914

function collect(net: OpenNet, { sheet, cluster, references }: Part): void {
  for (const { symbol, pin } of cluster.pins)
    net.pins.push({
      reference: references.get(symbol)?.reference ?? '',
      number: pin.number,
      name: pin.name,
      type: pin.type,
      symbolId: symbol.id,
      path: sheet.path,
    })
  for (const { id } of [
    ...cluster.lines,
    ...cluster.entries,
    ...cluster.marks,
    ...cluster.labels.map(({ label }) => label),
    ...cluster.sheetPins.map(({ pin }) => pin),
  ])
    net.items.push({ path: sheet.path, id })
  net.isNoConnect ||= cluster.marks.some(({ kind }) => kind === 'no_connect')
}

function closeNet({ names, pins, items, isNoConnect }: OpenNet): Net {
  const [strongest] = names.toSorted(
    (one, other) => one.rank - other.rank || one.depth - other.depth || compare(one.text, other.text),
  )
  const [first] = pins.toSorted(
    (one, other) => compare(one.reference, other.reference) || compare(one.number, other.number),
  )
  return {
    name: strongest?.text ?? `Net-(${first?.reference ?? ''}-Pad${first?.number ?? ''})`,
    labels: [...new Set(names.map(({ text }) => text))],
    pins,
    items,
    isNoConnect,
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** What is connected to a pin, such as 5 of U3. */
export function netOfPin(nets: readonly Net[], reference: string, number: string): Net | undefined {
  return nets.find(({ pins }) => pins.some((pin) => pin.reference === reference && pin.number === number))
}
