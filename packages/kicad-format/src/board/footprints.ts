import type { List } from '../tree/node.ts'
import {
  angleOf,
  childOf,
  childrenOf,
  hasFlag,
  lengthOf,
  type Point,
  pointOf,
  textIn,
  valuesOf,
} from '../tree/value.ts'
import type { BoardDrawing, BoardFootprint, BoardPad, BoardText, Box } from './board.ts'
import { readPad } from './pads.ts'
import { drawnIn, isFilledIn, type Placement, placed, placedPoints, widthIn } from './paths.ts'

/** What a board knows, and where the parts of its footprints go. */
export interface BoardReading {
  readonly layersOf: (names: readonly string[]) => readonly string[]
  readonly netOf: (list: List | undefined) => number
  /** Whether there is room for this many more points. */
  readonly takes: (points: number) => boolean
  readonly drawings: BoardDrawing[]
  readonly texts: BoardText[]
  readonly noteUnknown: (head: string) => void
}

/** What else stands in a footprint and draws nothing. */
const SILENT = new Set(
  'dimension image layer uuid tstamp tedit at descr tags path sheetname sheetfile attr model zone group embedded_fonts embedded_files net_tie_pad_groups clearance locked placed solder_mask_margin solder_paste_margin solder_paste_ratio solder_paste_margin_ratio zone_connect autoplace_cost90 autoplace_cost180 thermal_width thermal_gap private_layers duplicate_pad_numbers_are_jumpers component_classes units jumper_pad_groups'.split(
    ' ',
  ),
)

export function readFootprint(node: List, reading: BoardReading): BoardFootprint | undefined {
  const place = childOf(node, 'at')
  const at = pointOf(place)
  if (at === undefined) return undefined
  const placement = { at, angle: angleOf(place) }
  const properties = new Map<string, string>()
  for (const one of childrenOf(node, 'property')) {
    const [name = '', value = ''] = valuesOf(one)
    properties.set(name, value)
  }
  // KiCad 6 and 7 have these as texts.
  for (const one of childrenOf(node, 'fp_text')) {
    const [kind = '', value = ''] = valuesOf(one)
    if (kind === 'reference' || kind === 'value')
      properties.set(kind === 'value' ? 'Value' : 'Reference', value)
  }
  const fill = (text: string) =>
    text.replaceAll(/\$\{(\w+)\}/g, (all, name: string) => {
      const known = name === 'REFERENCE' ? 'Reference' : name === 'VALUE' ? 'Value' : name
      return properties.get(known) ?? all
    })
  const pads: BoardPad[] = []
  const bounds = new Bounds()
  const courtyard = new Bounds()
  for (const child of node.children) {
    if (child.kind === 'atom' || SILENT.has(child.head)) continue
    if (child.head === 'pad') {
      const pad = readPad(child, { footprint: placement, ...reading })
      if (pad === undefined || !reading.takes(pad.areas.reduce((sum, one) => sum + one.points.length / 2, 0)))
        reading.noteUnknown('pad')
      else {
        pads.push(pad)
        for (const one of pad.areas) bounds.add(one.points)
      }
    } else if (child.head === 'property' || child.head === 'fp_text') {
      const text = readText(child, placement, 1)
      if (text !== undefined) reading.texts.push({ ...text, text: fill(text.text) })
    } else {
      const drawn = readDrawings(child, reading, placement)
      if (drawn === undefined) reading.noteUnknown(child.head)
      for (const one of drawn ?? []) {
        reading.drawings.push(one)
        if (one.layer.endsWith('.CrtYd')) courtyard.add(one.points)
        else bounds.add(one.points)
      }
    }
  }
  const take = (name: string) => {
    const value = properties.get(name) ?? ''
    properties.delete(name)
    return value
  }
  const attributes = valuesOf(childOf(node, 'attr'))
  return {
    id: textIn(node, 'uuid') ?? textIn(node, 'tstamp') ?? '',
    name: valuesOf(node)[0] ?? '',
    reference: take('Reference'),
    value: take('Value'),
    datasheet: take('Datasheet').replace(/^~$/, ''),
    description: take('Description') || (textIn(node, 'descr') ?? ''),
    properties: [...properties].map(([name, value]) => ({ name, value })),
    ...placement,
    side: textIn(node, 'layer') === 'B.Cu' ? 'back' : 'front',
    isFitted: !attributes.includes('dnp') && !hasFlag(node, 'dnp'),
    path: textIn(node, 'path') ?? '',
    sheetFile: textIn(node, 'sheetfile') ?? properties.get('Sheetfile') ?? '',
    box: courtyard.box() ?? bounds.box() ?? { min: at, max: at },
    pads,
  }
}

/** A drawing, on each layer that it is on. `undefined` for what is none. */
export function readDrawings(
  node: List,
  { layersOf, netOf, takes }: Pick<BoardReading, 'layersOf' | 'netOf' | 'takes'>,
  placement: Placement,
): BoardDrawing[] | undefined {
  const drawn = drawnIn(node)
  if (drawn === undefined) return undefined
  const names = valuesOf(childOf(node, 'layers') ?? childOf(node, 'layer')).filter(
    (name) => name !== 'knockout',
  )
  const layers = layersOf(names)
  if (!takes((drawn.points.length / 2) * layers.length)) return undefined
  const points = placedPoints(drawn.points, placement)
  const net = netOf(childOf(node, 'net'))
  const look = { points, isClosed: drawn.isClosed, isFilled: isFilledIn(node), width: widthIn(node) }
  return layers.map((layer) => ({ ...look, layer, net }))
}

/** A text that is seen; the values before it are not its own: those of `(fp_text user "…" …)`. */
export function readText(node: List, placement: Placement, skip: number): BoardText | undefined {
  const place = childOf(node, 'at')
  const local = pointOf(place)
  const text = valuesOf(node)[skip]
  const effects = childOf(node, 'effects')
  if (local === undefined || text === undefined || effects === undefined) return undefined
  if (hasFlag(node, 'hide') || hasFlag(effects, 'hide')) return undefined
  const font = childOf(effects, 'font')
  const size = pointOf(childOf(font, 'size')) ?? { x: 1_000_000, y: 1_000_000 }
  const justify = valuesOf(childOf(effects, 'justify'))
  const isFree = skip === 0 || hasFlag(node, 'unlocked') || valuesOf(place).includes('unlocked')
  const angle = angleOf(place)
  const isUpsideDown = !isFree && angle > 90 && angle <= 270
  const horizontal = justify.includes('left') ? 'left' : justify.includes('right') ? 'right' : 'center'
  const turned = { left: 'right', center: 'center', right: 'left' } as const
  return {
    text,
    layer: valuesOf(childOf(node, 'layer'))[0] ?? '',
    at: placed(local, placement),
    angle: isUpsideDown ? angle - 180 : angle,
    height: Math.abs(size.x),
    width: Math.abs(size.y),
    thickness: Math.max(0, lengthOf(textIn(font, 'thickness')) ?? Math.abs(size.x) * 0.15),
    horizontal: isUpsideDown ? turned[horizontal] : horizontal,
    vertical: justify.includes('top') ? 'top' : justify.includes('bottom') ? 'bottom' : 'center',
    isMirrored: justify.includes('mirror'),
  }
}

export class Bounds {
  #min: Point = { x: Number.POSITIVE_INFINITY, y: Number.POSITIVE_INFINITY }
  #max: Point = { x: Number.NEGATIVE_INFINITY, y: Number.NEGATIVE_INFINITY }

  add(points: ArrayLike<number>): void {
    let { x: left, y: top } = this.#min
    let { x: right, y: bottom } = this.#max
    for (let at = 0; at + 1 < points.length; at += 2) {
      const [x = 0, y = 0] = [points[at], points[at + 1]]
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
    this.#min = { x: left, y: top }
    this.#max = { x: right, y: bottom }
  }

  box(): Box | undefined {
    return this.#min.x <= this.#max.x ? { min: this.#min, max: this.#max } : undefined
  }
}
