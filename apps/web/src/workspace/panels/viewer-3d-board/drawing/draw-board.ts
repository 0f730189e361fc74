import {
  type Board,
  type BoardFootprint,
  type BoardHole,
  type BoardPath,
  circlePoints,
  isInside,
} from '@patchbay/kicad-format'
import { type Disc, type FlatMesh, FlatMeshBuilder, MOST_TRIANGLES } from './flat-mesh.ts'
import { strokesOf } from './stroke-font.ts'

export interface LayerMesh extends FlatMesh {
  readonly name: string
}

export interface NetFacts {
  readonly name: string
  /** Places in the board's footprints and in their pads. */
  readonly pads: readonly (readonly [number, number])[]
}

/** Everything that a page needs to show a board. */
export interface BoardScene {
  readonly title: string
  readonly revision: string
  /** In millimeters. */
  readonly thickness: number
  readonly layers: Board['layers']
  readonly finish: Board['finish']
  readonly nets: readonly NetFacts[]
  readonly footprints: readonly BoardFootprint[]
  readonly hasEdge: boolean
  /** Whether something of it was left out. */
  readonly isCut: boolean
  readonly counts: { readonly tracks: number; readonly vias: number; readonly unknown: number }
  /** Seen from above. */
  readonly faces: FlatMesh
  /** Around the board and its larger holes, from the height 0 to 1. */
  readonly sides: FlatMesh
  /** What was drilled, as it is seen on either side. */
  readonly drilled: FlatMesh
  readonly meshes: readonly LayerMesh[]
}

export interface Item {
  readonly net: number
  /** Whether it fills a zone. */
  readonly isFill?: boolean
  readonly path?: BoardPath
  readonly disc?: Disc
}

/** What would lie beside the board nobody prints. */
const PRINTED = /\.(?:SilkS|Mask|Paste)$/
/** Not shown by anybody who looks at a board. */
const NOT_DRAWN = /^(?:Edge\.Cuts|Margin|[FB]\.Adhes)$/

/** Makes triangles of a board. */
export function drawBoard(board: Board): BoardScene {
  const room = { triangles: MOST_TRIANGLES }
  const { faces, sides } = drawBody(board, room)
  const nets = board.nets.map((name) => ({ name, pads: [] as (readonly [number, number])[] }))
  const drilled = new FlatMeshBuilder(room)
  for (const [at, footprint] of board.footprints.entries()) {
    for (const [number, pad] of footprint.pads.entries()) {
      if (pad.net > 0) nets[pad.net]?.pads.push([at, number])
      if (pad.hole?.isPlated === true) drawHole(drilled, pad.hole)
    }
  }
  for (const { at, hole } of board.vias) if (hole > 0) drilled.disc({ ...at, radius: hole / 2 })
  const layers = itemsOf(board)
  const meshes = board.layers.flatMap(({ name }) => {
    const items = layers.get(name)
    return items === undefined ? [] : { name, ...drawLayer(items, room) }
  })
  const { title, revision, hasEdge, footprints, finish, tracks, vias, unknown } = board
  return {
    title,
    revision,
    thickness: board.thickness / 1e6,
    layers: board.layers,
    finish,
    nets,
    footprints,
    hasEdge,
    isCut: board.isCut || room.triangles === 0,
    counts: {
      tracks: tracks.length,
      vias: vias.length,
      unknown: [...unknown.values()].reduce((sum, count) => sum + count, 0),
    },
    faces,
    sides,
    drilled: drilled.finish(),
    meshes,
  }
}

/** What lies on each layer. */
export function itemsOf(board: Board): ReadonlyMap<string, readonly Item[]> {
  const layers = new Map<string, Item[]>()
  const put = (layer: string, item: Item) => {
    if (NOT_DRAWN.test(layer)) return
    if (PRINTED.test(layer) && item.path !== undefined && !isOnBoard(item.path.points)) return
    const there = layers.get(layer)
    if (there === undefined) layers.set(layer, [item])
    else there.push(item)
  }
  const isOnBoard = (points: Float64Array) => {
    for (let at = 0; at + 1 < points.length; at += 2)
      if (board.areas.some(({ outer }) => isInside(outer, points[at] ?? 0, points[at + 1] ?? 0))) return true
    return false
  }
  for (const { pads } of board.footprints)
    for (const pad of pads) {
      const isHoleAlone =
        pad.kind === 'np_thru_hole' && pad.hole !== undefined && isFilledBy(pad.hole, pad.size)
      if (isHoleAlone) continue
      for (const layer of pad.layers) for (const path of pad.areas) put(layer, { net: pad.net, path })
    }
  for (const { at, size, layers: through, net } of board.vias)
    for (const layer of through) put(layer, { net, disc: { ...at, radius: size / 2 } })
  for (const path of board.fills) put(path.layer, { net: path.net, path, isFill: true })
  for (const path of [...board.tracks, ...board.drawings]) put(path.layer, { net: path.net, path })
  for (const text of board.texts)
    for (const points of strokesOf(text)) {
      const path = {
        points: Float64Array.from(points),
        isClosed: false,
        isFilled: false,
        width: text.thickness,
      }
      put(text.layer, { net: 0, path })
    }
  return layers
}

/** Sorted by net. */
export function drawLayer(items: readonly Item[], room: { triangles: number }): FlatMesh {
  const mesh = new FlatMeshBuilder(room)
  let net = -1
  for (const item of items.toSorted((one, other) => one.net - other.net)) {
    if (item.net !== net) mesh.beginNet(item.net)
    net = item.net
    if (item.path !== undefined) mesh.path(item.path)
    if (item.disc !== undefined) mesh.disc(item.disc)
  }
  return mesh.finish()
}

const isFilledBy = ({ width, height }: BoardHole, size: { readonly x: number; readonly y: number }) =>
  Math.max(width, height) >= Math.max(size.x, size.y) * 0.99

/** A slot is a thick line. */
function slotOf({ at, width, height, angle }: BoardHole): {
  readonly points: number[]
  readonly width: number
} {
  const turn = (angle * Math.PI) / 180
  const long = (Math.max(width, height) - Math.min(width, height)) / 2
  const [x, y] = width >= height ? [long, 0] : [0, long]
  const [dx, dy] = [x * Math.cos(turn) + y * Math.sin(turn), y * Math.cos(turn) - x * Math.sin(turn)]
  return { points: [at.x - dx, at.y - dy, at.x + dx, at.y + dy], width: Math.min(width, height) }
}

function drawHole(mesh: FlatMeshBuilder, hole: BoardHole): void {
  if (hole.width === hole.height) return mesh.disc({ ...hole.at, radius: hole.width / 2 })
  const { points, width } = slotOf(hole)
  return mesh.line(points, width)
}

/** Holes that nothing is soldered into are seen through. */
function drawBody(
  board: Board,
  room: { triangles: number },
): { readonly faces: FlatMesh; readonly sides: FlatMesh } {
  const plain = board.footprints.flatMap(({ pads }) =>
    pads.flatMap(({ hole }) => (hole !== undefined && !hole.isPlated ? hole : [])),
  )
  const faces = new FlatMeshBuilder(room)
  const walls: Wall[] = []
  for (const { outer, holes } of board.areas) {
    const round = plain.filter(({ at }) => isInside(outer, at.x, at.y)).map((hole) => holeOutline(hole))
    const rings = [...holes, ...round]
    faces.area(outer, rings)
    walls.push(outer, ...rings)
  }
  return { faces: faces.finish(), sides: wallsOf(walls) }
}

type Wall = ArrayLike<number>

function holeOutline(hole: BoardHole): ArrayLike<number> {
  if (hole.width === hole.height) return circlePoints(hole.at, hole.width / 2)
  const { points, width } = slotOf(hole)
  const [ax = 0, ay = 0, bx = 0, by = 0] = points
  const along = Math.atan2(by - ay, bx - ax)
  const ring: number[] = []
  for (const [x, y, from] of [
    [bx, by, along - Math.PI / 2],
    [ax, ay, along + Math.PI / 2],
  ] as const)
    for (let step = 0; step <= 8; step += 1) {
      const angle = from + (Math.PI * step) / 8
      ring.push(x + (width / 2) * Math.cos(angle), y + (width / 2) * Math.sin(angle))
    }
  return ring
}

function wallsOf(rings: readonly Wall[]): FlatMesh {
  const count = rings.reduce((sum, ring) => sum + ring.length / 2, 0)
  const positions = new Float32Array(count * 2 * 3)
  const index = new Uint32Array(count * 6)
  let corner = 0
  let place = 0
  for (const ring of rings) {
    const first = corner
    const corners = ring.length / 2
    for (let at = 0; at < corners; at += 1) {
      const [x, z] = [(ring[at * 2] ?? 0) * 1e-6, (ring[at * 2 + 1] ?? 0) * 1e-6]
      positions.set([x, 0, z, x, 1, z], corner * 3)
      const next = first + ((at + 1) % corners) * 2
      index.set([corner, next, corner + 1, corner + 1, next, next + 1], place)
      corner += 2
      place += 6
    }
  }
  return { positions, index, nets: new Uint32Array() }
}
