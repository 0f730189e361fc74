import { type BoardFootprint, isInside } from '@patchbay/kicad-format'
import type { BoardScene } from './drawing/draw-board.ts'
import type { FlatMesh } from './drawing/flat-mesh.ts'

/** In millimeters, as in the file. */
export interface Spot {
  readonly x: number
  readonly y: number
  readonly side: 'front' | 'back'
}

export interface Found {
  /** Places in the board's footprints. */
  readonly footprint: number | undefined
  readonly pad: number | undefined
  readonly net: number | undefined
}

/** What lies at a place of a side: a pad, else the smallest part around it, else copper. */
export function findUnder(scene: BoardScene, spot: Spot, layers: ReadonlySet<string>): Found {
  const [x, y] = [spot.x * 1e6, spot.y * 1e6]
  const copper = spot.side === 'front' ? 'F.Cu' : 'B.Cu'
  let smallest: { readonly at: number; readonly size: number } | undefined
  for (const [at, footprint] of scene.footprints.entries()) {
    for (const [number, pad] of footprint.pads.entries())
      if (pad.layers.includes(copper) && pad.areas.some(({ points }) => isInside(points, x, y)))
        return { footprint: at, pad: number, net: pad.net > 0 ? pad.net : undefined }
    if (footprint.side !== spot.side || !isWithin(footprint, x, y)) continue
    const { min, max } = footprint.box
    const size = (max.x - min.x) * (max.y - min.y)
    if (smallest === undefined || size < smallest.size) smallest = { at, size }
  }
  const mesh = layers.has(copper) ? scene.meshes.find(({ name }) => name === copper) : undefined
  const net = mesh === undefined ? undefined : netAt(mesh, spot.x, spot.y)
  return { footprint: smallest?.at, pad: undefined, net }
}

function isWithin({ box: { min, max } }: BoardFootprint, x: number, y: number): boolean {
  return x >= min.x && x <= max.x && y >= min.y && y <= max.y
}

/** The net of the copper at a place; what touches on one layer is one net. */
function netAt({ positions, index, nets }: FlatMesh, x: number, y: number): number | undefined {
  for (let range = 0; range + 2 < nets.length; range += 3) {
    const [net = 0, start = 0, count = 0] = nets.subarray(range, range + 3)
    if (net === 0) continue
    for (let at = start; at < start + count; at += 3) {
      const [a, b, c] = [(index[at] ?? 0) * 3, (index[at + 1] ?? 0) * 3, (index[at + 2] ?? 0) * 3]
      const [ax, ay] = [positions[a] ?? 0, positions[a + 2] ?? 0]
      const [bx, by] = [positions[b] ?? 0, positions[b + 2] ?? 0]
      const [cx, cy] = [positions[c] ?? 0, positions[c + 2] ?? 0]
      const one = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
      const other = (cx - bx) * (y - by) - (cy - by) * (x - bx)
      const third = (ax - cx) * (y - cy) - (ay - cy) * (x - cx)
      if ((one >= 0 && other >= 0 && third >= 0) || (one <= 0 && other <= 0 && third <= 0)) return net
    }
  }
  return undefined
}
