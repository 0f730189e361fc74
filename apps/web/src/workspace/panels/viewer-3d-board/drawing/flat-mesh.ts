import type { BoardPath } from '@patchbay/kicad-format'
import { Earcut } from 'three/src/extras/Earcut.js'
import { splitArea } from './split-area.ts'

/** More than any card draws smoothly; what is beyond is left out, and told. */
export const MOST_TRIANGLES = 8_000_000

/** Triangles that lie flat: x to the right and z down the board, in millimeters, all of them at the height 0. */
export interface FlatMesh {
  readonly positions: Float32Array<ArrayBuffer>
  readonly index: Uint32Array<ArrayBuffer>
  /** Which triangles belong to which net, in order: net, first place in the index, how many places. */
  readonly nets: Uint32Array<ArrayBuffer>
}

export interface Disc {
  readonly x: number
  readonly y: number
  readonly radius: number
}

const MM = 1e-6
/** Areas with fewer corners are looked at whether a fan of triangles fills them. */
const FEW_CORNERS = 80
/** An area of an earlier file has a line around it that is thinner than anybody sees. */
const THIN = 0.01

export class FlatMeshBuilder {
  #positions = new Float32Array(3 * 256)
  #index = new Uint32Array(3 * 256)
  #corners = 0
  #places = 0
  readonly #nets: number[] = []
  readonly #room: { triangles: number }

  /** `room` is shared by all meshes of a board. */
  constructor(room: { triangles: number }) {
    this.#room = room
  }

  /** What is added from now on belongs to this net. Each comes once. */
  beginNet(net: number): void {
    this.#endNet()
    this.#nets.push(net, this.#places, 0)
  }

  #endNet(): void {
    const at = this.#nets.length - 3
    if (at >= 0) this.#nets[at + 2] = this.#places - (this.#nets[at + 1] ?? 0)
  }

  finish(): FlatMesh {
    this.#endNet()
    return {
      positions: this.#positions.slice(0, this.#corners * 3),
      index: this.#index.slice(0, this.#places),
      nets: Uint32Array.from(this.#nets),
    }
  }

  disc({ x, y, radius }: Disc): void {
    const center = { x: x * MM, y: y * MM }
    const steps = stepsOf(radius * MM)
    if (!this.#takes(steps)) return
    this.#fan(center, radius * MM, [0, 2 * Math.PI], steps)
  }

  path({ points, isClosed, isFilled, width }: BoardPath): void {
    if (isFilled && isClosed) this.#area(points)
    if (!isFilled || !isClosed || width * MM > THIN) this.line(points, width, isClosed)
  }

  /** With round ends, as pens and plotters draw. */
  line(points: ArrayLike<number>, width: number, isClosed = false): void {
    const radius = (width * MM) / 2
    const count = Math.floor(points.length / 2)
    if (!(radius > 0) || count === 0) return
    const place = (at: number) => {
      const from = (at % count) * 2
      return { x: (points[from] ?? 0) * MM, y: (points[from + 1] ?? 0) * MM }
    }
    const steps = Math.max(3, Math.ceil(stepsOf(radius) / 2))
    const pieces = isClosed && count > 2 ? count : count - 1
    if (!this.#takes(pieces * 2 + steps * 2)) return
    let before: number | undefined
    for (let at = 0; at < pieces; at += 1) {
      const [from, to] = [place(at), place(at + 1)]
      const along = Math.atan2(to.y - from.y, to.x - from.x)
      const [dx, dy] = [-Math.sin(along) * radius, Math.cos(along) * radius]
      const first = this.#corner(from.x + dx, from.y + dy)
      this.#corner(from.x - dx, from.y - dy)
      this.#corner(to.x - dx, to.y - dy)
      this.#corner(to.x + dx, to.y + dy)
      this.#triangle(first, first + 1, first + 2)
      this.#triangle(first, first + 2, first + 3)
      const turn = before === undefined ? 0 : Math.abs(angleBetween(before, along))
      // Where pieces of an arc meet there is nothing to fill.
      if (turn > 0.35 && this.#takes(steps * 2)) this.#fan(from, radius, [0, 2 * Math.PI], steps * 2)
      if (!isClosed && at === 0) this.#fan(from, radius, [along + Math.PI / 2, Math.PI], steps)
      if (!isClosed && at === pieces - 1) this.#fan(to, radius, [along - Math.PI / 2, Math.PI], steps)
      before = along
    }
    if (pieces === 0) this.#fan(place(0), radius, [0, 2 * Math.PI], steps * 2)
  }

  /** An area with what is cut out of it. */
  area(outer: ArrayLike<number>, holes: readonly ArrayLike<number>[]): void {
    const flat: number[] = []
    const starts: number[] = []
    for (const ring of [outer, ...holes]) {
      if (flat.length > 0) starts.push(flat.length / 2)
      for (let at = 0; at < ring.length; at += 1) flat.push((ring[at] ?? 0) * MM)
    }
    this.#triangles(flat, Earcut.triangulate(flat, starts.length > 0 ? starts : undefined))
  }

  #area(points: ArrayLike<number>): void {
    if (points.length < 6) return
    if (points.length / 2 > FEW_CORNERS || !isConvex(points)) {
      const flat = Array.from(points, (value) => value * MM)
      for (const piece of splitArea(flat)) this.#triangles(piece, Earcut.triangulate(piece))
      return undefined
    }
    const count = points.length / 2
    if (!this.#takes(count)) return undefined
    const first = this.#corners
    for (let at = 0; at < points.length; at += 2)
      this.#corner((points[at] ?? 0) * MM, (points[at + 1] ?? 0) * MM)
    for (let at = 1; at < count - 1; at += 1) this.#triangle(first, first + at, first + at + 1)
    return undefined
  }

  #triangles(flat: readonly number[], triangles: readonly number[]): void {
    if (!this.#takes(triangles.length / 3)) return
    const first = this.#corners
    for (let at = 0; at < flat.length; at += 2) this.#corner(flat[at] ?? 0, flat[at + 1] ?? 0)
    for (let at = 0; at < triangles.length; at += 3)
      this.#triangle(
        first + (triangles[at] ?? 0),
        first + (triangles[at + 1] ?? 0),
        first + (triangles[at + 2] ?? 0),
      )
  }

  #fan(
    { x, y }: { readonly x: number; readonly y: number },
    radius: number,
    [from, sweep]: readonly [number, number],
    steps: number,
  ): void {
    const first = this.#corner(x, y)
    for (let step = 0; step <= steps; step += 1) {
      const angle = from + (sweep * step) / steps
      this.#corner(x + radius * Math.cos(angle), y + radius * Math.sin(angle))
      if (step > 0) this.#triangle(first, first + step, first + step + 1)
    }
  }

  #takes(triangles: number): boolean {
    if (this.#room.triangles < triangles) {
      this.#room.triangles = 0
      return false
    }
    this.#room.triangles -= triangles
    return true
  }

  #corner(x: number, y: number): number {
    if ((this.#corners + 1) * 3 > this.#positions.length) {
      const larger = new Float32Array(this.#positions.length * 2)
      larger.set(this.#positions)
      this.#positions = larger
    }
    this.#positions[this.#corners * 3] = x
    this.#positions[this.#corners * 3 + 2] = y
    this.#corners += 1
    return this.#corners - 1
  }

  #triangle(one: number, other: number, third: number): void {
    if (this.#places + 3 > this.#index.length) {
      const larger = new Uint32Array(this.#index.length * 2)
      larger.set(this.#index)
      this.#index = larger
    }
    this.#index[this.#places] = one
    this.#index[this.#places + 1] = other
    this.#index[this.#places + 2] = third
    this.#places += 3
  }
}

/** So that nobody sees that a circle has corners, near as they may come. */
function stepsOf(radius: number): number {
  return Math.max(8, Math.min(48, Math.ceil(12 * Math.sqrt(radius * 4))))
}

function angleBetween(one: number, other: number): number {
  const turn = (other - one) % (2 * Math.PI)
  return turn > Math.PI ? turn - 2 * Math.PI : turn < -Math.PI ? turn + 2 * Math.PI : turn
}

function isConvex(points: ArrayLike<number>): boolean {
  let side = 0
  let turned = 0
  const count = points.length / 2
  const place = (at: number) => [points[(at % count) * 2] ?? 0, points[(at % count) * 2 + 1] ?? 0] as const
  for (let at = 0; at < count; at += 1) {
    const [[ax, ay], [bx, by], [cx, cy]] = [place(at), place(at + 1), place(at + 2)]
    const cross = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
    if (cross === 0) continue
    if (side !== 0 && Math.sign(cross) !== side) return false
    side = Math.sign(cross)
    turned += Math.abs(angleBetween(Math.atan2(by - ay, bx - ax), Math.atan2(cy - by, cx - bx)))
  }
  // A star turns around more than once.
  return turned < 2 * Math.PI + 0.1
}
