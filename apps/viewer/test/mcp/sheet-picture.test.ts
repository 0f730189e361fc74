import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { drawSheet } from '../../src/mcp/workspace/sheet-picture.ts'

const svg = (content: string, box = '0.0000 0.0000 20.0000 10.0000') =>
  `<?xml version="1.0"?><svg viewBox="${box}"><g style="fill:none; stroke:#FF0000; stroke-width:1; stroke-opacity:1;">${content}</g></svg>`

/** The color at a place, in millimeters of the sheet. */
function colorAt(png: Buffer | undefined, x: number, y: number): number[] {
  if (png === undefined) throw new Error('no picture')
  const width = png.readUInt32BE(16)
  const begin = png.indexOf('IDAT') + 4
  const rows = inflateSync(png.subarray(begin, begin + png.readUInt32BE(begin - 8)))
  const at = Math.floor(y * 10) * (width * 3 + 1) + 1 + Math.floor(x * 10) * 3
  return [...rows.subarray(at, at + 3)]
}
const RED = [255, 0, 0]
const WHITE = [255, 255, 255]

test('[VA-77] lines, circles, arcs and filled shapes are drawn where KiCad has them', () => {
  const line = drawSheet(svg('<path d="M2.0 5.0\nL18.0 5.0\n" />'), 200)
  expect(colorAt(line, 10, 5)).toEqual(RED)
  expect(colorAt(line, 10, 8)).toEqual(WHITE)
  expect(colorAt(line, 19.5, 5)).toEqual(WHITE)
  const circle = drawSheet(svg('<circle cx="10.0" cy="5.0" r="3.0" />'), 200)
  expect(colorAt(circle, 13, 5)).toEqual(RED)
  expect(colorAt(circle, 10, 5)).toEqual(WHITE)
  const arc = drawSheet(svg('<path d="M5 5 A5.0 5.0 0.0 0 1 10 10" />'), 200)
  expect(colorAt(arc, 10 - 5 * Math.SQRT1_2, 5 + 5 * Math.SQRT1_2)).toEqual(WHITE)
  expect(colorAt(arc, 5 + 5 * Math.SQRT1_2, 10 - 5 * Math.SQRT1_2)).toEqual(RED)
  const filled = drawSheet(
    svg(
      '<g style="fill:#0000FF; stroke:none;"><path d="M 5,2\n15,2\n15,8\n5,8\nZ" /></g><path d="M1 1 L2 1" />',
    ),
    200,
  )
  expect(colorAt(filled, 10, 5)).toEqual([0, 0, 255])
  // What follows a group has the style from before it.
  expect(colorAt(filled, 1.5, 1)).toEqual(RED)
})

test('[VA-77] what is no drawing of KiCad, or too much, is no picture, and soon', () => {
  expect(drawSheet('no drawing', 200)).toBeUndefined()
  expect(drawSheet(svg('', '0 0 0 10'), 200)).toBeUndefined()
  expect(drawSheet(svg('', '0 0 999999 10'), 200)).toBeUndefined()
  const odd = [
    '<path d="M1e999 1 L NaN 3" />',
    `<path d="M0 0 L${'9'.repeat(400)} 1" />`,
    '<rect x="-1" y="5" width="-4" />',
    '</g></g></g></g><path d="A1 1 1 1 1 1 1" />',
    '<circle r="99999999999" />',
    `<path d="M0 0${' L9 9'.repeat(50_000)}`,
  ]
  for (const each of odd) expect(drawSheet(svg(each), 200)?.subarray(1, 4).toString()).toBe('PNG')
})
