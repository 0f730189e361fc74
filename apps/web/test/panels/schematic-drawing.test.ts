import { applyChange, parse, readDesign } from '@patchbay/kicad-format'
import { expect, test } from 'vitest'
import { hitAt, hitIn } from '../../src/workspace/panels/schematic-editor/canvas/hit.ts'
import { fitTo, toPixels, toSheet, zoomAt } from '../../src/workspace/panels/schematic-editor/canvas/view.ts'
import { drawSheet } from '../../src/workspace/panels/schematic-editor/drawing/draw-sheet.ts'
import { drawFrame, paperSize } from '../../src/workspace/panels/schematic-editor/drawing/frame.ts'
import { layOutText, lengthOfText } from '../../src/workspace/panels/schematic-editor/drawing/lay-out-text.ts'
import {
  DEFAULT_SETTINGS,
  readSettings,
} from '../../src/workspace/panels/schematic-editor/drawing/settings.ts'
import type { Drawn, Shape } from '../../src/workspace/panels/schematic-editor/drawing/shapes.ts'
import { LAMP, RESISTOR } from './schematic/lamp-project.ts'

function draw(text = LAMP['lamp.kicad_sch'] ?? '', settings = DEFAULT_SETTINGS) {
  return drawDocument(parse(text), settings)
}

function drawDocument(document: ReturnType<typeof parse>, settings = DEFAULT_SETTINGS) {
  const design = readDesign(new Map([['a.kicad_sch', document]]), 'a.kicad_sch')
  const [sheet] = design.sheets
  if (sheet === undefined) throw new Error('no sheet')
  return { sheet, drawn: drawSheet({ design, sheet, settings }) }
}

const shapesOf = (drawn: readonly Drawn[]): Shape[] => drawn.flatMap(({ shapes }) => shapes)
const textsOf = (drawn: readonly Drawn[]) =>
  shapesOf(drawn).flatMap((shape) => (shape.kind === 'strokes' ? [shape.text] : []))
const sheetWith = (items: string) =>
  `(kicad_sch (version 20250114) (generator "x") (uuid "00000000-0000-4000-8000-000000000000") (paper "A4") (lib_symbols) ${items})`

test('[W-851] everything on a sheet is drawn: bodies, pins, texts of all kinds, wires, junctions and sheets', () => {
  const { drawn } = draw()
  const texts = textsOf(drawn)
  for (const text of [
    'U1',
    'Controller',
    'LIGHT',
    '~{RESET}',
    '3',
    'R1',
    '330',
    'DIM',
    'VLAMP',
    'sensor',
    'File: sensor.kicad_sch',
  ])
    expect([text, texts.includes(text)]).toEqual([text, true])
  const inks = new Set(
    shapesOf(drawn).flatMap((shape) =>
      'stroke' in shape && typeof shape.stroke === 'string' ? [shape.stroke] : [],
    ),
  )
  for (const ink of ['body', 'pin', 'wire', 'noConnect', 'globalLabel', 'sheet', 'sheetPin', 'note', 'value'])
    expect([ink, inks.has(ink as never)]).toEqual([ink, true])
})

test('[W-851] graphics, pictures and what is unknown are drawn or left out, and nothing fails', () => {
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC'
  const { drawn } = draw(
    sheetWith(`(polyline (pts (xy 1 1) (xy 2 2)) (stroke (width 0) (type dash)) (uuid "p"))
      (arc (start 0 0) (mid 1 1) (end 2 0) (stroke (width 0.1) (type default)) (fill (type none)) (uuid "a"))
      (circle (center 5 5) (radius 2) (fill (type color) (color 255 0 0 0.5)) (uuid "c"))
      (rectangle (start 1 1) (end 3 3) (uuid "r")) (bezier (pts (xy 0 0) (xy 1 0) (xy 1 1) (xy 2 1)) (uuid "b"))
      (image (at 50 50) (scale 2) (uuid "i") (data "${png}")) (image (at 1 1) (data "nonsense"))
      (text_box "two words" (at 10 10 0) (size 8 10) (effects (font (size 1.27 1.27)) (justify left top)) (uuid "t"))
      (netclass_flag "" (length 2.54) (shape round) (at 20 20 0) (property "Netclass" "USB" (at 21 19 0) (effects (font (size 1.27 1.27)))) (uuid "n"))
      (table (cells (table_cell "cell" (at 1 1 0) (size 9 3) (effects (font (size 1.27 1.27))) (uuid "x"))) (uuid "y"))
      (label "turned" (at 1 1 90)) (symbol (lib_id "none:none") (at 30 30 0) (uuid "s")) (something_new 1) (arc (start 0 0))`),
  )
  const ids = drawn.map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(['p', 'a', 'c', 'r', 'b', 'i', 't', 'n', 'y', 's']))
  expect(textsOf(drawn)).toEqual(expect.arrayContaining(['two\nwords', 'USB', 'cell', '??']))
  expect(shapesOf(drawn).filter(({ kind }) => kind === 'picture')).toHaveLength(1)
  for (const { box } of drawn) expect(Object.values(box).every(Number.isFinite)).toBe(true)
})

test('[W-851] what an edit has not touched is not drawn anew', () => {
  const document = parse(LAMP['lamp.kicad_sch'] ?? '')
  const before = drawDocument(document).drawn
  const after = applyChange(document, { type: 'move', ids: [RESISTOR], by: { x: 1_270_000, y: 0 } }).document
  const drawn = drawDocument(after ?? document).drawn
  expect(drawn.filter((one) => !before.includes(one)).map(({ id }) => id)).toEqual([RESISTOR])
})

test('[W-851] a project says how labels are drawn; what is no project changes nothing', () => {
  expect(
    readSettings('{"schematic":{"drawing":{"label_size_ratio":0.1}},"text_variables":{"A":"b"}}'),
  ).toMatchObject({
    labelSize: 0.1,
    variables: { A: 'b' },
  })
  for (const text of ['', '[]', 'null', '{"schematic":{"drawing":{"label_size_ratio":1e9}}}'])
    expect(readSettings(text).labelSize).toBe(DEFAULT_SETTINGS.labelSize)
  const text = sheetWith('(text "${A} ${TITLE} ${NOBODY}" (at 1 1 0) (effects (font (size 1 1))))')
  const settings = readSettings('{"text_variables":{"A":"b ${A}"}}')
  expect(textsOf(draw(text, settings).drawn)[0]).toContain('${NOBODY}')
})

test('[W-851] texts have bars, lowered and raised parts, and are as long as KiCad’s', () => {
  const style = {
    width: 2.1,
    height: 2.1,
    pen: 0.1,
    isItalic: false,
    horizontal: 'left',
    vertical: 'bottom',
  } as const
  expect(lengthOfText('AA', style)).toBeCloseTo(3.6)
  expect(layOutText('~{A}', style)).toHaveLength(layOutText('A', style).length + 1)
  expect(lengthOfText('A_{A}', style)).toBeCloseTo(1.8 * 1.8)
  expect(layOutText('~{', style).length).toBeGreaterThan(0)
  expect(layOutText('漢', style)).toEqual(layOutText('?', style))
})

test('[W-855] the nearest line is pressed, and a box takes what is in it or what it touches', () => {
  const { drawn } = draw()
  expect(hitAt(drawn, { x: 160.02, y: 95.25 }, 0.5)?.id).toBe(RESISTOR)
  expect(hitAt(drawn, { x: 10, y: 180 }, 0.5)).toBeUndefined()
  const inside = hitIn(drawn, { x: 155, y: 91.2 }, { x: 175, y: 99.3 })
  expect(inside).toEqual([RESISTOR])
  expect(hitIn(drawn, { x: 175, y: 100 }, { x: 155, y: 90 }).length).toBeGreaterThan(1)
})

test('[W-854] zooming leaves in place what is under the pointer, and fitting shows all', () => {
  const view = { scale: 3, x: 10, y: -20 }
  const at = { x: 200, y: 100 }
  expect(toSheet(zoomAt(view, at, 1.7), at).x).toBeCloseTo(toSheet(view, at).x)
  expect(zoomAt(view, at, 1e9).scale).toBe(400)
  const fitted = fitTo({ left: 0, top: 0, right: 297, bottom: 210 }, 800, 600)
  expect(toPixels(fitted, { x: 148.5, y: 105 })).toEqual({ x: 400, y: 300 })
  expect(toPixels(fitted, { x: 0, y: 0 }).x).toBeGreaterThan(0)
})

test('[W-851] the frame is that of the paper', () => {
  const { sheet } = draw()
  expect(paperSize(sheet)).toEqual({ x: 297, y: 210 })
  expect(textsOf([drawFrame(sheet, { page: 1, pages: 2 })])).toEqual(
    expect.arrayContaining(['Title: Lamp', 'Rev: 2', 'Id: 1/2']),
  )
})
