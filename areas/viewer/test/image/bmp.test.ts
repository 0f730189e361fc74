import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, expect } from 'vitest'
import { type BmpParts, bmpFile, bmpRows } from './bmp-file.ts'
import { openDarkroom, pixelsOf } from './darkroom.ts'

const darkroom = await openDarkroom()
afterAll(() => darkroom[Symbol.asyncDispose]())

const RED = [255, 0, 0] as const
const GREEN = [0, 255, 0] as const
const BLUE = [0, 0, 255] as const
const WHITE = [255, 255, 255] as const
const PALETTE = [RED, GREEN, BLUE, WHITE]
/** What every file below shows, from the top: red, green, blue; white, white, red. */
const SHOWN = [...RED, 255, ...GREEN, 255, ...BLUE, 255, ...WHITE, 255, ...WHITE, 255, ...RED, 255]
const TOP = [0, 1, 2]
const BOTTOM = [3, 3, 0]
const indexed = (bits: number) => bmpRows([BOTTOM, TOP], bits)
const colored = (colors: readonly number[], bits: number, rows = [BOTTOM, TOP]) =>
  bmpRows(
    rows.map((row) => row.map((index) => colors[index] ?? 0)),
    bits,
  )

const IN_24 = [0xff0000, 0x00ff00, 0x0000ff, 0xffffff]
const IN_555 = [0x7c00, 0x03e0, 0x001f, 0x7fff]
const IN_565 = [0xf800, 0x07e0, 0x001f, 0xffff]
const IN_ABGR = [0xff0000ff, 0xff00ff00, 0xffff0000, 0xffffffff]
const OPAQUE_ARGB = [0xffff0000, 0xff00ff00, 0xff0000ff, 0xffffffff]
const ABGR = [0x000000ff, 0x0000ff00, 0x00ff0000, 0xff000000]
const ARGB = [0x00ff0000, 0x0000ff00, 0x000000ff, 0xff000000]
const IN_10_BITS = [0x3ff00000, 0x000ffc00, 0x000003ff, 0x3fffffff]

const KINDS: readonly (readonly [string, Omit<BmpParts, 'width'> & { width?: number }])[] = [
  ['4 bits', { height: 2, bits: 4, palette: PALETTE, pixels: indexed(4) }],
  ['8 bits', { height: 2, bits: 8, palette: PALETTE, pixels: indexed(8) }],
  ['8 bits from the top', { height: -2, bits: 8, palette: PALETTE, pixels: bmpRows([TOP, BOTTOM], 8) }],
  ['8 bits of OS/2', { height: 2, bits: 8, header: 12, palette: PALETTE, pixels: indexed(8) }],
  ['16 bits', { height: 2, bits: 16, pixels: colored(IN_555, 16) }],
  [
    '16 bits with masks',
    { height: 2, bits: 16, compression: 3, masks: [0xf800, 0x07e0, 0x001f], pixels: colored(IN_565, 16) },
  ],
  ['24 bits', { height: 2, bits: 24, pixels: colored(IN_24, 24) }],
  ['24 bits of OS/2', { height: 2, bits: 24, header: 12, pixels: colored(IN_24, 24) }],
  ['24 bits from the top', { height: -2, bits: 24, pixels: colored(IN_24, 24, [TOP, BOTTOM]) }],
  ['32 bits', { height: 2, bits: 32, pixels: colored(IN_24, 32) }],
  [
    '32 bits with masks',
    { height: 2, bits: 32, compression: 3, header: 56, masks: ABGR, pixels: colored(IN_ABGR, 32) },
  ],
  [
    '32 bits with masks behind the header',
    { height: 2, bits: 32, compression: 6, masks: ABGR, pixels: colored(IN_ABGR, 32) },
  ],
  [
    '32 bits of version 5',
    { height: 2, bits: 32, compression: 3, header: 124, masks: ARGB, pixels: colored(OPAQUE_ARGB, 32) },
  ],
  [
    '10 bits a color',
    {
      height: 2,
      bits: 32,
      compression: 3,
      header: 108,
      masks: [0x3ff00000, 0xffc00, 0x3ff, 0],
      pixels: colored(IN_10_BITS, 32),
    },
  ],
  // Runs and single ones, ends of lines, end of the picture.
  [
    '8 bits in runs',
    {
      height: 2,
      bits: 8,
      compression: 1,
      palette: PALETTE,
      pixels: Buffer.from([2, 3, 1, 0, 0, 0, 0, 3, 0, 1, 2, 0, 0, 1]),
    },
  ],
  [
    '4 bits in runs',
    {
      height: 2,
      bits: 4,
      compression: 2,
      palette: PALETTE,
      pixels: Buffer.from([2, 0x33, 1, 0, 0, 0, 0, 3, 0x01, 0x20, 0, 1]),
    },
  ],
  // A move to the right over the first color.
  [
    '8 bits in runs with a move',
    {
      height: 2,
      bits: 8,
      compression: 1,
      palette: PALETTE,
      pixels: Buffer.from([2, 3, 0, 0, 0, 2, 1, 0, 1, 1, 1, 2, 0, 1]),
    },
  ],
]

deepTest.each(KINDS)('[E-13] BMP with %s', async (_, parts) => {
  const { source, files } = await darkroom.develop(bmpFile({ width: 3, ...parts }))
  expect(source.type).toBe('image/bmp')
  expect([...(await pixelsOf(files.original)).data]).toEqual(SHOWN)
})

test('[E-13] BMP with 1 bit, wider than a byte', async () => {
  const row = [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]
  const bytes = bmpFile({ width: 10, height: 1, bits: 1, palette: [RED, WHITE], pixels: bmpRows([row], 1) })
  const { files } = await darkroom.develop(bytes)
  const { data } = await pixelsOf(files.original)
  expect(row.map((_, x) => data[x * 4 + 2] === 255)).toEqual(row.map((bit) => bit === 1))
})

test('[E-14] alpha counts with a mask, not without one, and not where everything would be invisible', async () => {
  const pixel = async (parts: Partial<BmpParts>, values: number[]) => {
    const pixels = bmpRows([values], 32)
    const { files } = await darkroom.develop(
      bmpFile({ width: values.length, height: 1, bits: 32, pixels, ...parts }),
    )
    return [...(await pixelsOf(files.original)).data.subarray(0, 4)]
  }
  const masked = { compression: 3, header: 108, masks: ARGB }
  expect(await pixel(masked, [0x80102030])).toEqual([0x10, 0x20, 0x30, 0x80])
  expect(await pixel({}, [0x80102030])).toEqual([0x10, 0x20, 0x30, 255])
  expect(await pixel(masked, [0x00102030, 0x00405060])).toEqual([0x10, 0x20, 0x30, 255])
})

const small = { width: 3, height: 2, bits: 24, pixels: colored(IN_24, 24) }
const patched = (offset: number, value: number) => {
  const bytes = bmpFile(small)
  bytes.writeUInt32LE(value, offset)
  return bytes
}

test.each([
  ['a width beyond the file', bmpFile({ ...small, width: 7000, height: 7000 })],
  ['a width of 0', bmpFile({ ...small, width: 0 })],
  ['a negative width', bmpFile({ ...small, width: -3 })],
  ['the lowest height there is', bmpFile({ ...small, height: -(2 ** 31) })],
  ['a bomb of runs', bmpFile({ ...small, width: 60_000, height: 60_000, bits: 8, compression: 1 })],
  ['pixels before the header', patched(10, 20)],
  ['pixels behind the end', patched(10, 0xffffffff)],
  ['a header of unknown length', patched(14, 41)],
  ['a header longer than the file', patched(14, 0xffffffff)],
  ['3 bits', bmpFile({ ...small, bits: 3 })],
  ['JPEG inside', bmpFile({ ...small, bits: 24, compression: 4 })],
  ['runs from the top', bmpFile({ ...small, height: -2, bits: 8, compression: 1 })],
  [
    'a mask with gaps',
    bmpFile({
      ...small,
      bits: 32,
      compression: 3,
      masks: [0xf0f000, 0xff00, 0xff],
      pixels: Buffer.alloc(24),
    }),
  ],
  [
    'a mask beyond the pixel',
    bmpFile({ ...small, bits: 16, compression: 3, masks: [0xff0000, 0xff00, 0xff] }),
  ],
  [
    'runs that never end',
    bmpFile({ ...small, bits: 8, compression: 1, palette: PALETTE, pixels: Buffer.from([1, 1, 1, 1]) }),
  ],
  ['two letters', Buffer.from('BM')],
  ['a header cut off', bmpFile(small).subarray(0, 40)],
  ['rows cut off', bmpFile(small).subarray(0, -6)],
])('[E-15][E-16] BMP with %s is refused', async (_, bytes) => {
  expect(await darkroom.refusal(bytes)).not.toBe('')
})

test('[E-15] runs that leave the picture write nothing outside of it', async () => {
  const wild = [255, 1, 0, 2, 255, 0, 255, 2, 0, 0, 0, 2, 0, 255, 255, 3]
  const bytes = bmpFile({ ...small, bits: 8, compression: 1, palette: PALETTE, pixels: Buffer.from(wild) })
  const { files } = await darkroom.develop(bytes)
  const { data } = await pixelsOf(files.original)
  // From the bottom: a run that was cut at the edge; the second row was never reached.
  expect([...data.subarray(0, 3), ...data.subarray(12, 15)]).toEqual([...RED, ...GREEN])
})
