import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { deepTest } from '@patchbay/testkit/depth'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BOARD_LIMITS, type Board, isInside, NANOMETERS, parse, readBoard } from '../src/index.ts'
import { files } from './arbitraries.ts'
import { hasDemos, listDemos, readText } from './demos.ts'
import { whyNoKicad } from './kicad.ts'

const LAYERS = `(layers (0 "F.Cu" signal "front") (4 "In1.Cu" power) (6 "In2.Cu" power) (2 "B.Cu" signal)
  (1 "F.Mask" user) (3 "B.Mask" user) (5 "F.SilkS" user "F.Silkscreen") (25 "Edge.Cuts" user))`
const NETS = '(net 0 "") (net 1 "GND") (net 2 "+5V")'

const read = (...items: readonly string[]): Board => {
  const board = readBoard(
    parse(`(kicad_pcb (version 20241229) (generator "pcbnew") ${LAYERS} ${NETS} ${items.join('\n')})`),
  )
  if (board === undefined) throw new Error('no board')
  return board
}
const mm = (...values: readonly number[]) => values.map((value) => Math.round(value * NANOMETERS))
const rounded = (points: ArrayLike<number> | undefined) =>
  Array.from(points ?? []).map((value) => Math.round(value / 1000) / 1000)

test('[KF-100] a board says its version, thickness, title, layers and nets', () => {
  const board = read('(general (thickness 0.8))', '(title_block (title "Rover") (rev "B"))')
  expect(board).toMatchObject({
    version: 20241229,
    generator: 'pcbnew',
    title: 'Rover',
    revision: 'B',
    thickness: 800_000,
  })
  expect(board.nets).toEqual(['', 'GND', '+5V'])
  expect(board.layers.slice(0, 2)).toEqual([
    { name: 'F.Cu', label: 'front', isCopper: true },
    { name: 'In1.Cu', label: 'In1.Cu', isCopper: true },
  ])
  expect(read().thickness).toBe(1_600_000)
  expect(read('(general (thickness none))').thickness).toBe(1_600_000)
})

test('[KF-100] a board says what colors it is made in, if it does', () => {
  const stack = '(setup (stackup (layer "F.SilkS" (color "White")) (layer "F.Mask" (color "Black"))))'
  expect(read(stack).finish).toEqual({ mask: 'Black', silk: 'White' })
  expect(read().finish).toEqual({ mask: '', silk: '' })
})

test('[KF-100] other files are no board', () => {
  expect(readBoard(parse('(kicad_sch (version 20241229))'))).toBeUndefined()
  expect(readBoard(parse('', { roots: 'many' }))).toBeUndefined()
})

test('[KF-101] a teardrop that KiCad 9 writes without a parenthesis does not end the board', () => {
  const { vias, tracks } = read(
    '(via (at 1 2) (size 0.6) (drill 0.3) (layers "F.Cu" "B.Cu") (teardrops (curved_edges no)filter_ratio 0.9) (enabled yes)) (net 1))',
    '(segment (start 0 0) (end 1 0) (width 0.2) (layer "F.Cu") (net 1))',
  )
  expect([vias.length, tracks.length]).toEqual([1, 1])
})

describe('the edge', () => {
  const line = (x1: number, y1: number, x2: number, y2: number) =>
    `(gr_line (start ${x1} ${y1}) (end ${x2} ${y2}) (stroke (width 0.1) (type solid)) (layer "Edge.Cuts"))`

  test('[KF-102] lines and arcs in any order and direction are one area', () => {
    const { areas, hasEdge } = read(
      line(10, 10, 0, 10),
      line(0, 0, 10, 0),
      line(0, 10, 0, 0),
      '(gr_arc (start 10 0) (mid 15 5) (end 10 10) (stroke (width 0.1) (type solid)) (layer "Edge.Cuts"))',
    )
    expect(hasEdge).toBe(true)
    expect(areas).toHaveLength(1)
    const outer = areas[0]?.outer ?? new Float64Array()
    expect(Math.max(...rounded(outer))).toBeCloseTo(15, 2)
    expect(isInside(outer, mm(14)[0] ?? 0, mm(5)[0] ?? 0)).toBe(true)
    expect(isInside(outer, mm(14)[0] ?? 0, mm(1)[0] ?? 0)).toBe(false)
  })

  test('[KF-102] what lies inside is cut out, and what lies in that is board again', () => {
    const box = (from: number, to: number) =>
      `(gr_rect (start ${from} ${from}) (end ${to} ${to}) (layer "Edge.Cuts"))`
    const { areas } = read(
      box(4, 6),
      box(0, 10),
      '(gr_circle (center 2 2) (end 2.5 2) (layer "Edge.Cuts"))',
      box(4.5, 5.5),
      box(20, 30),
    )
    expect(areas.map(({ outer, holes }) => [rounded(outer).slice(0, 2), holes.length])).toEqual([
      [[0, 0], 2],
      [[20, 20], 0],
      [[4.5, 4.5], 0],
    ])
  })

  test('[KF-102] without a closed edge it is a box around everything', () => {
    const { areas, hasEdge } = read(line(0, 0, 10, 0), line(10, 0, 10, 5))
    expect(hasEdge).toBe(false)
    expect(areas).toHaveLength(1)
    expect(read()).toMatchObject({ areas: [], hasEdge: false })
  })
})

const FOOTPRINT = `(footprint "Resistor_SMD:R_0603" (layer "B.Cu") (uuid "a") (at 100 50 90) (descr "A resistor")
  (property "Reference" "R1" (at 0 -1.5 270) (layer "B.SilkS") (effects (font (size 1 0.8) (thickness 0.15)) (justify mirror)))
  (property "Value" "10k" (at 0 1.5 90) (layer "B.Fab") (hide yes) (effects (font (size 1 1))))
  (property "Datasheet" "https://example.com/r" (at 0 0 0) (layer "B.Fab") (hide yes) (effects (font (size 1 1))))
  (property "MPN" "RC0603" (at 0 0 0) (layer "B.Fab") (hide yes) (effects (font (size 1 1))))
  (path "/1/2") (sheetfile "power.kicad_sch") (attr smd dnp)
  (fp_text user "\${REFERENCE}" (at 0 0 90) (layer "B.Fab") (effects (font (size 0.5 0.5))))
  (fp_rect (start -2 -1) (end 2 1) (stroke (width 0.05) (type solid)) (fill no) (layer "B.CrtYd"))
  (pad "1" smd roundrect (at -0.8 0 90) (size 0.8 1) (layers "B.Cu" "B.Mask" "B.Paste") (roundrect_rratio 0.25) (net 2 "+5V") (pinfunction "A")))`

describe('footprints', () => {
  test('[KF-103] a footprint has its names, place, side and what its designer wrote', () => {
    const [footprint] = read(FOOTPRINT).footprints
    expect(footprint).toMatchObject({
      id: 'a',
      reference: 'R1',
      value: '10k',
      name: 'Resistor_SMD:R_0603',
      description: 'A resistor',
      datasheet: 'https://example.com/r',
      properties: [{ name: 'MPN', value: 'RC0603' }],
      at: { x: 100e6, y: 50e6 },
      angle: 90,
      side: 'back',
      isFitted: false,
      path: '/1/2',
      sheetFile: 'power.kicad_sch',
      // Its courtyard, turned.
      box: { min: { x: 99e6, y: 48e6 }, max: { x: 101e6, y: 52e6 } },
    })
  })

  test('[KF-103] so it does where KiCad 6 has written it', () => {
    const [footprint] = read(
      `(footprint "Old:Part" (layer "F.Cu") (tedit 0) (tstamp b) (at 1 2) (property "Sheetfile" "old.kicad_sch")
        (fp_text reference "C7" (at 0 0) (layer "F.SilkS") (effects (font (size 1 1))))
        (fp_text value "1u" (at 0 1) (layer "F.Fab") hide (effects (font (size 1 1)))))`,
    ).footprints
    expect(footprint).toMatchObject({
      id: 'b',
      reference: 'C7',
      value: '1u',
      sheetFile: 'old.kicad_sch',
      isFitted: true,
    })
  })

  const pad = (body: string, at = '(at 100 50)') => {
    const [one] = read(`(footprint "x" (layer "F.Cu") ${at} (pad "1" ${body}))`).footprints[0]?.pads ?? []
    if (one === undefined) throw new Error('no pad')
    return one
  }

  test('[KF-104] a pad is where its footprint takes it, with its net and pin', () => {
    const one = read(FOOTPRINT).footprints[0]?.pads[0]
    expect(one).toMatchObject({
      number: '1',
      kind: 'smd',
      at: { x: 100e6, y: 50.8e6 },
      net: 2,
      pin: 'A',
      hole: undefined,
    })
    const xs = rounded(one?.areas[0]?.points).filter((_, at) => at % 2 === 0)
    // Turned by 90 degrees, its height lies across.
    expect([Math.min(...xs), Math.max(...xs)]).toEqual([99.5, 100.5])
  })

  test.each([
    ['rect', '(size 2 1)', [-1, 1, -0.5, 0.5]],
    ['circle', '(size 2 2)', [-1, 1, -1, 1]],
    ['oval', '(size 3 1)', [-1.5, 1.5, -0.5, 0.5]],
    ['roundrect', '(size 2 1) (roundrect_rratio 0.5)', [-1, 1, -0.5, 0.5]],
    [
      'roundrect',
      '(size 2 1) (roundrect_rratio 0) (chamfer_ratio 0.3) (chamfer top_left)',
      [-1, 1, -0.5, 0.5],
    ],
    ['trapezoid', '(size 2 1) (rect_delta 0 0.5)', [-1.25, 1.25, -0.5, 0.5]],
  ])('[KF-104] %s %s', (shape, size, box) => {
    const points = rounded(pad(`smd ${shape} (at 0 0) ${size} (layers "F.Cu")`, '(at 0 0)').areas[0]?.points)
    const [xs, ys] = [0, 1].map((axis) => points.filter((_, at) => at % 2 === axis))
    expect([
      Math.min(...(xs ?? [])),
      Math.max(...(xs ?? [])),
      Math.min(...(ys ?? [])),
      Math.max(...(ys ?? [])),
    ]).toEqual(box)
  })

  test('[KF-104] a pad of its own shape has all its pieces', () => {
    const one = pad(
      `smd custom (at 0 0) (size 0.3 0.3) (layers "F.Cu") (options (clearance outline) (anchor rect))
       (primitives (gr_poly (pts (xy 0 0) (xy 1 0) (xy 1 1)) (width 0.1) (fill yes)) (gr_line (start 0 0) (end 0 2) (width 0.2)))`,
    )
    expect(one.areas.map(({ isFilled, width }) => [isFilled, width])).toEqual([
      [true, 0],
      [true, 100_000],
      [false, 200_000],
    ])
  })

  test('[KF-104] a hole is round or a slot, plated or not; `*.Cu` is every layer of copper', () => {
    const one = pad(
      'thru_hole oval (at 0 0) (size 3 2) (drill oval 2 1 (offset 0.5 0)) (layers "*.Cu" "F&B.Mask")',
    )
    expect(one.hole).toEqual({ at: { x: 100e6, y: 50e6 }, width: 2e6, height: 1e6, angle: 0, isPlated: true })
    expect(one.layers).toEqual(['F.Cu', 'In1.Cu', 'In2.Cu', 'B.Cu', 'F.Mask', 'B.Mask'])
    expect(Math.max(...rounded(one.areas[0]?.points).filter((_, at) => at % 2 === 0))).toBe(102)
    expect(pad('np_thru_hole circle (at 0 0) (size 3 3) (drill 3) (layers "*.Cu")').hole?.isPlated).toBe(
      false,
    )
  })
})

test('[KF-105] tracks, arcs and vias have their places, layers and nets', () => {
  const { tracks, vias } = read(
    '(segment (start 1 2) (end 3 4) (width 0.25) (layer "F.Cu") (net 1) (uuid "a"))',
    '(arc (start 0 0) (mid 1 1) (end 2 0) (width 0.2) (layer "B.Cu") (net 2))',
    '(via (at 5 6) (size 0.8) (drill 0.4) (layers "F.Cu" "B.Cu") (net 1))',
    '(via blind (at 5 6) (size 0.8) (drill 0.4) (layers "F.Cu" "In1.Cu") (net 1))',
  )
  expect(tracks[0]).toMatchObject({ layer: 'F.Cu', net: 1, width: 250_000 })
  expect(rounded(tracks[0]?.points)).toEqual([1, 2, 3, 4])
  const arc = rounded(tracks[1]?.points)
  expect([arc.slice(0, 2), arc.slice(-2)]).toEqual([
    [0, 0],
    [2, 0],
  ])
  for (let at = 0; at < arc.length; at += 2)
    expect(Math.hypot((arc[at] ?? 0) - 1, arc[at + 1] ?? 0)).toBeCloseTo(1, 2)
  expect(vias.map(({ layers }) => layers)).toEqual([
    ['F.Cu', 'In1.Cu', 'In2.Cu', 'B.Cu'],
    ['F.Cu', 'In1.Cu'],
  ])
  expect(vias[0]).toMatchObject({ at: { x: 5e6, y: 6e6 }, size: 800_000, hole: 400_000, net: 1 })
})

test('[KF-106] a zone is what it is filled with, on each layer; a rule area fills nothing', () => {
  const piece = (layer: string) =>
    `(filled_polygon (layer "${layer}") (pts (xy 0 0) (xy 9 0) (arc (start 9 0) (mid 10 5) (end 9 9))))`
  const zone = (more: string) =>
    `(zone (net 1) (net_name "GND") (layers "F.Cu" "B.Cu") (min_thickness 0.25) ${more})`
  const { fills } = read(
    zone(`(filled_areas_thickness no) ${piece('F.Cu')} ${piece('B.Cu')}`),
    zone(piece('F.Cu')),
    zone(`(keepout (tracks not_allowed)) ${piece('F.Cu')}`),
  )
  expect(fills.map(({ layer, net, width }) => [layer, net, width])).toEqual([
    ['F.Cu', 1, 0],
    ['B.Cu', 1, 0],
    ['F.Cu', 1, 250_000],
  ])
  expect(fills[0]?.points.length).toBeGreaterThan(10)
})

test('[KF-107] a text has its place, size and turn; hidden ones are none; footprints fill in their names', () => {
  const { texts } = read(
    FOOTPRINT,
    '(gr_text "Rover" (at 1 2 180) (layer "F.SilkS" knockout) (effects (font (size 2 1.5) (thickness 0.3)) (justify left bottom)))',
  )
  expect(texts.map(({ text, layer }) => [text, layer])).toEqual([
    ['R1', 'B.SilkS'],
    ['R1', 'B.Fab'],
    ['Rover', 'F.SilkS'],
  ])
  expect(texts[2]).toMatchObject({
    angle: 180,
    height: 2e6,
    width: 1.5e6,
    thickness: 300_000,
    horizontal: 'left',
    vertical: 'bottom',
  })
  // Those of a footprint are turned so that they can be read.
  expect(texts[0]).toMatchObject({ angle: 90, isMirrored: true, height: 1e6, width: 800_000 })
})

test('[KF-108] nets are known by their numbers or, since KiCad 10, by their names', () => {
  const board = readBoard(
    parse(`(kicad_pcb (version 20260101) ${LAYERS} (segment (start 0 0) (end 1 0) (width 1) (layer "F.Cu") (net "5"))
      (via (at 0 0) (size 1) (drill 0.5) (layers "F.Cu" "B.Cu") (net "5")))`),
  )
  expect(board?.nets).toEqual(['', '5'])
  expect([board?.tracks[0]?.net, board?.vias[0]?.net]).toEqual([1, 1])
  expect(read('(segment (start 0 0) (end 1 0) (width 1) (layer "F.Cu") (net 99))').tracks[0]?.net).toBe(0)
})

describe('whatever a file says', () => {
  test('[KF-109] what is not understood is counted by its word', () => {
    const { unknown, tracks } = read(
      '(segment (start 0 x) (end 1 0) (layer "F.Cu"))',
      '(something_new (at 1 2))',
      '(something_new)',
    )
    expect([...unknown]).toEqual([
      ['segment', 1],
      ['something_new', 2],
    ])
    expect(tracks).toEqual([])
  })

  test('[KF-109] no tree makes the reading fail', () => {
    fc.assert(
      fc.property(files, (text) => {
        const { roots } = parse(text, { roots: 'many' })
        const board = roots.length === 0 ? undefined : readBoard(parse(`(kicad_pcb ${text})`))
        return board === undefined || board.tracks.length >= 0
      }),
    )
    const odd = ['at', 'start', 'pts', 'layers', 'net', 'drill', 'effects']
    for (const head of [
      'footprint',
      'segment',
      'arc',
      'via',
      'zone',
      'gr_text',
      'gr_arc',
      'gr_curve',
      'gr_circle',
      'pad',
    ])
      for (const inner of odd) expect(read(`(${head} (${inner} 1e99 -1e99) (${inner}))`).isCut).toBe(false)
  })

  deepTest('[KF-109] of more than there is room for the rest is left out, and that is told', () => {
    const arc = '(gr_circle (center 0 0) (end 2000 0) (layers "*.Cu"))'
    const board = read(
      ...Array.from({ length: Math.ceil(BOARD_LIMITS.points / BOARD_LIMITS.arcPoints / 4) + 1 }, () => arc),
    )
    expect(board.isCut).toBe(true)
    expect(board.drawings.reduce((sum, { points }) => sum + points.length / 2, 0)).toBeLessThanOrEqual(
      BOARD_LIMITS.points,
    )
  })
})

const why = !hasDemos ? 'without demos' : whyNoKicad()
test.runIf(hasDemos)(
  '[KF-110] every demo board is read without anything unknown, with a closed edge and parts on it',
  () => {
    for (const path of listDemos('pcb')) {
      const board = readBoard(parse(readText(path)))
      if (board === undefined) throw new Error(path)
      expect({ path, hasEdge: board.hasEdge, isCut: board.isCut, unknown: [...board.unknown] }).toEqual({
        path,
        hasEdge: true,
        isCut: false,
        unknown: [],
      })
      expect(board.footprints.length).toBeGreaterThan(0)
    }
  },
  120_000,
)

describe.skipIf(why !== undefined)('beside KiCad', () => {
  deepTest(
    '[KF-110] the parts of the demo boards are where KiCad has them',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'patchbay-board-'))
      try {
        for (const path of listDemos('pcb').slice(0, 6)) {
          const out = join(folder, 'pos.csv')
          execFileSync(
            'kicad-cli',
            ['pcb', 'export', 'pos', '--format', 'csv', '--units', 'mm', '--side', 'both', '-o', out, path],
            {
              stdio: 'ignore',
              timeout: 120_000,
              env: { ...process.env, HOME: folder },
            },
          )
          const told = readFileSync(out, 'utf8').trim().split('\n').slice(1).map(partOf).toSorted()
          const board = readBoard(parse(readText(path)))
          const found = (board?.footprints ?? []).map(({ reference, at, side }) =>
            [
              reference,
              (at.x / 1e6).toFixed(3),
              (-at.y / 1e6).toFixed(3),
              side === 'back' ? 'bottom' : 'top',
            ].join(' '),
          )
          expect({ file: basename(path), missing: told.filter((one) => !found.includes(one)) }).toEqual({
            file: basename(path),
            missing: [],
          })
          expect(told.length).toBeGreaterThan(0)
        }
      } finally {
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
      }
    },
    120_000,
  )
})

/** A line such as `"R1","10k","R_0603",100.000000,-50.000000,90.000000,top`. */
function partOf(line: string): string {
  const cells = [...line.matchAll(/"([^"]*)"|([^",]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const [x, y, , side = ''] = cells.slice(-4)
  return [cells[0], Number(x).toFixed(3), Number(y).toFixed(3), side].join(' ')
}
