import { type BoardPath, parse, readBoard, signedArea } from '@patchbay/kicad-format'
import { describe, expect, test } from 'vitest'
import { compareBoards } from '../../src/workspace/panels/viewer-3d-board/drawing/compare-boards.ts'
import { drawBoard } from '../../src/workspace/panels/viewer-3d-board/drawing/draw-board.ts'
import {
  type FlatMesh,
  FlatMeshBuilder,
} from '../../src/workspace/panels/viewer-3d-board/drawing/flat-mesh.ts'
import { strokesOf } from '../../src/workspace/panels/viewer-3d-board/drawing/stroke-font.ts'
import { sampleBoard } from './boards.ts'

const MM = 1e6

function drawn(paths: readonly BoardPath[], room = 1_000_000): FlatMesh {
  const mesh = new FlatMeshBuilder({ triangles: room })
  mesh.beginNet(1)
  for (const path of paths) mesh.path(path)
  return mesh.finish()
}

/** In square millimeters; triangles that lie on each other count twice. */
function areaOf({ positions, index }: FlatMesh): number {
  let area = 0
  for (let at = 0; at < index.length; at += 3) {
    const [a = 0, b = 0, c = 0] = index.subarray(at, at + 3)
    const [ax, az] = [positions[a * 3] ?? 0, positions[a * 3 + 2] ?? 0]
    const [bx, bz] = [(positions[b * 3] ?? 0) - ax, (positions[b * 3 + 2] ?? 0) - az]
    const [cx, cz] = [(positions[c * 3] ?? 0) - ax, (positions[c * 3 + 2] ?? 0) - az]
    area += Math.abs(bx * cz - bz * cx) / 2
  }
  return area
}

const areaPath = (points: readonly number[]): BoardPath => ({
  points: Float64Array.from(points),
  isClosed: true,
  isFilled: true,
  width: 0,
})

test('[W-900] areas of any outline are filled, and nothing beside them', () => {
  const star = [0, 0, 4, 1, 8, 0, 7, 4, 8, 8, 4, 7, 0, 8, 1, 4].map((value) => value * MM)
  expect(areaOf(drawn([areaPath(star)]))).toBeCloseTo(
    Math.abs(signedArea(Float64Array.from(star))) / MM ** 2,
    3,
  )
  const comb = Array.from({ length: 2_000 }, (_, at) => [at * 0.1 * MM, (at % 2 === 0 ? 5 : 1) * MM]).flat()
  const teeth = [...comb, 199.9 * MM, 0, 0, 0]
  const wanted = Math.abs(signedArea(Float64Array.from(teeth))) / MM ** 2
  expect(Math.abs(areaOf(drawn([areaPath(teeth)])) - wanted) / wanted).toBeLessThan(0.001)
})

test('[W-900] a line is as wide as the file says, with round ends', () => {
  const line = { points: Float64Array.from([0, 0, 10 * MM, 0]), isClosed: false, isFilled: false, width: MM }
  const { positions } = drawn([line])
  const xs = Array.from(positions).filter((_, at) => at % 3 === 0)
  const zs = Array.from(positions).filter((_, at) => at % 3 === 2)
  expect(
    [Math.min(...xs), Math.max(...xs), Math.min(...zs), Math.max(...zs)].map(
      (value) => Math.round(value * 10) / 10,
    ),
  ).toEqual([-0.5, 10.5, -0.5, 0.5])
  expect(areaOf(drawn([line]))).toBeGreaterThan(10.6)
})

test('[W-901] what has more triangles than there is room for is left out, and told', () => {
  const room = { triangles: 10 }
  const mesh = new FlatMeshBuilder(room)
  mesh.disc({ x: 0, y: 0, radius: MM })
  mesh.disc({ x: 0, y: 0, radius: MM })
  expect(mesh.finish().index.length / 3).toBeLessThanOrEqual(10)
  expect(room.triangles).toBe(0)
})

test('[W-907] copper lies together by its net', () => {
  const board = readBoard(parse(sampleBoard()))
  if (board === undefined) throw new Error('no board')
  const { meshes, nets } = drawBoard(board)
  expect(nets.map(({ name, pads }) => [name, pads.length])).toEqual([
    ['', 0],
    ['GND', 3],
    ['+5V', 2],
  ])
  const front = meshes.find(({ name }) => name === 'F.Cu')
  const ranges = Array.from(front?.nets ?? [])
  expect(ranges.filter((_, at) => at % 3 === 0)).toEqual([1, 2])
  expect((ranges[2] ?? 0) + (ranges[5] ?? 0)).toBe(front?.index.length)
})

test('[W-900] a text stands where the file has it', () => {
  const text = {
    text: 'R1',
    layer: 'F.SilkS',
    at: { x: 10 * MM, y: 20 * MM },
    angle: 0,
    height: MM,
    width: MM,
    thickness: 0.15 * MM,
    horizontal: 'left',
    vertical: 'bottom',
    isMirrored: false,
  } as const
  const box = (points: readonly number[][]) => {
    const [xs, ys] = [0, 1].map((axis) =>
      points
        .flat()
        .filter((_, at) => at % 2 === axis)
        .map((value) => value / MM),
    )
    return [
      Math.min(...(xs ?? [])),
      Math.max(...(xs ?? [])),
      Math.min(...(ys ?? [])),
      Math.max(...(ys ?? [])),
    ]
  }
  const [left = 0, right = 0, top = 0, bottom = 0] = box(strokesOf(text))
  expect(left).toBeCloseTo(10)
  expect(right).toBeGreaterThan(11)
  expect(bottom - top).toBeCloseTo(1)
  expect(bottom).toBeLessThan(20)
  const mirrored = box(strokesOf({ ...text, isMirrored: true }))
  expect(mirrored[1]).toBeCloseTo(10)
  // Turned to the left, it goes up.
  const turned = box(strokesOf({ ...text, angle: 90 }))
  expect(turned[3]).toBeCloseTo(20)
  expect(strokesOf({ ...text, text: 'Ω±\u{1F600}' }).length).toBeGreaterThan(2)
})

describe('two versions', () => {
  const boardOf = (text: string) => {
    const board = readBoard(parse(text))
    if (board === undefined) throw new Error('no board')
    return board
  }

  test('[W-916] differ in what was added, taken away, moved and changed', () => {
    const before = boardOf(sampleBoard())
    const track = '(segment (start 101 101) (end 139 101) (width 0.5) (layer "B.Cu") (net 1))'
    const text = sampleBoard({ extra: track })
      .replace('(at 120 125)', '(at 121 125)')
      .replace('"Plug"', '"Socket"')
    const { added, removed, parts } = compareBoards(boardOf(text.replaceAll('"U1"', '"U2"')), before)
    expect(parts).toEqual([
      { reference: 'U2', what: 'added' },
      { reference: 'R1', what: 'moved' },
      { reference: 'J1', what: 'changed' },
      { reference: 'U1', what: 'removed' },
    ])
    const back = added.find(({ name }) => name === 'B.Cu')
    expect(
      areaOf(back ?? { positions: new Float32Array(), index: new Uint32Array(), nets: new Uint32Array() }),
    ).toBeCloseTo(38 * 0.5 + 0.19, 1)
    expect(removed.map(({ name }) => name)).toContain('F.Cu')
  })

  test('[W-916] that are the same differ in nothing, also where zones were filled anew', () => {
    const same = compareBoards(
      boardOf(sampleBoard()),
      boardOf(sampleBoard().replace('(xy 139 110)', '(xy 138 110)')),
    )
    expect(same).toEqual({ added: [], removed: [], parts: [] })
  })
})
