import { type Document, isList, type List } from '../tree/node.ts'
import { childOf, childrenOf, lengthOf, numberOf, pointOf, textIn, valuesOf } from '../tree/value.ts'
import {
  BOARD_LIMITS,
  type Board,
  type BoardDrawing,
  type BoardFill,
  type BoardFootprint,
  type BoardLayer,
  type BoardText,
  type BoardTrack,
  type BoardVia,
} from './board.ts'
import { Bounds, readDrawings, readFootprint, readText } from './footprints.ts'
import { areasOf } from './outline.ts'
import { arcIn, boxPoints, NOT_MOVED, pointsIn, widthIn } from './paths.ts'

/** Without a word about it, a board is as thick as most are. */
const USUAL_THICKNESS = 1_600_000
const EDGE = 'Edge.Cuts'
/** What a file says about itself and draws nothing, or belongs to another tool. */
const SILENT = new Set(
  'version generator generator_version general paper title_block layers setup net net_class property group embedded_fonts embedded_files dimension image target generated uuid page host drawings'.split(
    ' ',
  ),
)

/** What stands in a `.kicad_pcb` file of KiCad 6 to 9; `undefined` for any other file. No tree makes the reading fail. */
export function readBoard({ roots }: Document): Board | undefined {
  const root = roots[0]
  if (!isList(root, 'kicad_pcb')) return undefined
  const layers = readLayers(root)
  const nets = new Nets(root)
  const budget = { points: BOARD_LIMITS.points, items: BOARD_LIMITS.items }
  let isCut = false
  const unknown = new Map<string, number>()
  const noteUnknown = (head: string) => void unknown.set(head, (unknown.get(head) ?? 0) + 1)
  const takes = (points: number) => {
    if (budget.points < points || budget.items < 1) {
      isCut = true
      return false
    }
    budget.points -= points
    budget.items -= 1
    return true
  }
  const drawings: BoardDrawing[] = []
  const texts: BoardText[] = []
  const layersOf = layerFinder(layers)
  const netOf = (list: List | undefined) => nets.placeOf(list)
  const reading = { layersOf, netOf, takes, drawings, texts, noteUnknown }
  const footprints: BoardFootprint[] = []
  const tracks: BoardTrack[] = []
  const vias: BoardVia[] = []
  const fills: BoardFill[] = []
  const push = <One>(list: One[], one: One | undefined, { head }: List) => {
    if (one === undefined) noteUnknown(head)
    else list.push(one)
  }
  for (const child of root.children) {
    if (child.kind === 'atom' || SILENT.has(child.head)) continue
    if (child.head === 'footprint' || child.head === 'module')
      push(footprints, readFootprint(child, reading), child)
    else if (child.head === 'segment' || child.head === 'arc') push(tracks, readTrack(child, reading), child)
    else if (child.head === 'via') push(vias, readVia(child, layers, reading), child)
    else if (child.head === 'zone') fills.push(...readFills(child, reading))
    else if (child.head === 'gr_text') {
      const text = takes(1) ? readText(child, NOT_MOVED, 0) : undefined
      if (text !== undefined) texts.push(text)
    } else {
      const drawn = readDrawings(child, reading, NOT_MOVED)
      if (drawn === undefined) noteUnknown(child.head)
      else for (const one of drawn) drawings.push(one)
    }
  }
  const areas = areasOf(
    drawings
      .filter(({ layer }) => layer === EDGE)
      .map(({ points, isClosed }) => ({ points: [...points], isClosed })),
  )
  const titleBlock = childOf(root, 'title_block')
  return {
    version: numberOf(textIn(root, 'version')) ?? 0,
    generator: textIn(root, 'generator') ?? '',
    title: textIn(titleBlock, 'title') ?? '',
    revision: textIn(titleBlock, 'rev') ?? '',
    thickness: thicknessOf(root),
    finish: { mask: finishOf(root, 'F.Mask'), silk: finishOf(root, 'F.SilkS') },
    layers,
    nets: nets.names,
    areas: areas.length > 0 ? areas : boxAround({ drawings, tracks, footprints }),
    hasEdge: areas.length > 0,
    footprints,
    tracks,
    vias,
    fills,
    drawings,
    texts,
    unknown,
    isCut,
  }
}

function thicknessOf(root: List): number {
  const given = lengthOf(textIn(childOf(root, 'general'), 'thickness'))
  return given !== undefined && given > 0 ? given : USUAL_THICKNESS
}

function finishOf(root: List, layer: string): string {
  const stack = childrenOf(childOf(childOf(root, 'setup'), 'stackup'), 'layer')
  return (
    textIn(
      stack.find((one) => valuesOf(one)[0] === layer),
      'color',
    ) ?? ''
  )
}

/** `(0 "F.Cu" signal "top_layer")`. */
function readLayers(root: List): BoardLayer[] {
  return (childOf(root, 'layers')?.children ?? []).slice(0, BOARD_LIMITS.layers).flatMap((child) => {
    if (child.kind === 'atom') return []
    const [name, , label] = valuesOf(child)
    return name === undefined ? [] : [{ name, label: label ?? name, isCopper: name.endsWith('.Cu') }]
  })
}

/** The layers that names stand for: `*.Cu` for all of copper, `F&B.Cu` for the outer ones. */
function layerFinder(layers: readonly BoardLayer[]) {
  const known = new Map<string, readonly string[]>()
  return (names: readonly string[]): readonly string[] => {
    const key = names.join('\n')
    const found = known.get(key)
    if (found !== undefined) return found
    const stands = (name: string): string[] => {
      if (name.startsWith('*.'))
        return layers.filter((one) => one.name.endsWith(name.slice(1))).map((one) => one.name)
      if (name.startsWith('F&B.')) return [`F${name.slice(3)}`, `B${name.slice(3)}`]
      return [name]
    }
    const all = [...new Set(names.flatMap(stands))]
    if (known.size < BOARD_LIMITS.layers) known.set(key, all)
    return all
  }
}

/** Nets by the number of the file or, since KiCad 10, by their names. */
class Nets {
  readonly names: string[] = ['']
  readonly #byNumber = new Map<string, number>()
  readonly #byName = new Map<string, number>([['', 0]])

  constructor(root: List) {
    for (const one of childrenOf(root, 'net')) {
      const [number = '', name = ''] = valuesOf(one)
      this.#byNumber.set(number, this.#add(name))
    }
  }

  #add(name: string): number {
    const found = this.#byName.get(name)
    if (found !== undefined) return found
    this.#byName.set(name, this.names.length)
    return this.names.push(name) - 1
  }

  placeOf(list: List | undefined): number {
    const [first] = valuesOf(list)
    if (first === undefined) return 0
    return this.#byNumber.size === 0 ? this.#add(first) : (this.#byNumber.get(first) ?? 0)
  }
}

interface Reading {
  readonly layersOf: (names: readonly string[]) => readonly string[]
  readonly netOf: (list: List | undefined) => number
  readonly takes: (points: number) => boolean
}

function readTrack(node: List, { netOf, takes }: Reading): BoardTrack | undefined {
  const [start, end] = [pointOf(childOf(node, 'start')), pointOf(childOf(node, 'end'))]
  if (start === undefined || end === undefined) return undefined
  const points = node.head === 'arc' ? arcIn(node) : [start.x, start.y, end.x, end.y]
  const layer = textIn(node, 'layer')
  if (points === undefined || layer === undefined || !takes(points.length / 2)) return undefined
  return {
    points: Float64Array.from(points),
    isClosed: false,
    isFilled: false,
    width: widthIn(node),
    layer,
    net: netOf(childOf(node, 'net')),
  }
}

function readVia(node: List, layers: readonly BoardLayer[], { netOf, takes }: Reading): BoardVia | undefined {
  const at = pointOf(childOf(node, 'at'))
  const size = lengthOf(textIn(node, 'size'))
  if (at === undefined || size === undefined || !takes(1)) return undefined
  const ends = valuesOf(childOf(node, 'layers'))
  const copper = layers.filter(({ isCopper }) => isCopper).map(({ name }) => name)
  const stack = inStackOrder(copper)
  const [from, to] = [stack.indexOf(ends[0] ?? ''), stack.indexOf(ends[1] ?? '')]
  const span = from < 0 || to < 0 ? stack : stack.slice(Math.min(from, to), Math.max(from, to) + 1)
  return {
    at,
    size,
    hole: Math.max(0, lengthOf(textIn(node, 'drill')) ?? 0),
    layers: span,
    net: netOf(childOf(node, 'net')),
  }
}

/** From the front to the back: since KiCad 9 the numbers of a file say nothing about it. */
export function inStackOrder(copper: readonly string[]): string[] {
  const place = (name: string) =>
    name === 'F.Cu' ? -1 : name === 'B.Cu' ? 1_000 : Number(/^In(\d+)\.Cu$/.exec(name)?.[1] ?? 999)
  return copper.toSorted((one, other) => place(one) - place(other))
}

function readFills(node: List, { layersOf, netOf, takes }: Reading): BoardFill[] {
  if (childOf(node, 'keepout') !== undefined) return []
  const net = netOf(childOf(node, 'net') ?? childOf(node, 'net_name'))
  const [first = ''] = layersOf(valuesOf(childOf(node, 'layers') ?? childOf(node, 'layer')))
  // Before KiCad 6 the edge of an area was a line as wide as this, and files say so if it still is.
  const hasLine = textIn(node, 'filled_areas_thickness') !== 'no'
  const width = hasLine ? Math.max(0, lengthOf(textIn(node, 'min_thickness')) ?? 0) : 0
  return childrenOf(node, 'filled_polygon').flatMap((one) => {
    const points = pointsIn(childOf(one, 'pts'))
    if (points === undefined || points.length < 6 || !takes(points.length / 2)) return []
    const layer = textIn(one, 'layer') ?? first
    return [{ points: Float64Array.from(points), isClosed: true, isFilled: true, width, layer, net }]
  })
}

function boxAround({
  drawings,
  tracks,
  footprints,
}: Pick<Board, 'drawings' | 'tracks' | 'footprints'>): Board['areas'] {
  const bounds = new Bounds()
  for (const { points, layer } of drawings) if (!layer.endsWith('.User')) bounds.add(points)
  for (const { points } of tracks) bounds.add(points)
  for (const { box } of footprints) bounds.add([box.min.x, box.min.y, box.max.x, box.max.y])
  const box = bounds.box()
  if (box === undefined) return []
  const [width, height] = [box.max.x - box.min.x, box.max.y - box.min.y]
  const center = { x: box.min.x + width / 2, y: box.min.y + height / 2 }
  return [{ outer: Float64Array.from(boxPoints(center, width + 2_000_000, height + 2_000_000)), holes: [] }]
}
