import { deflateSync } from 'node:zlib'
import { deepTest, depth } from '@patchbay/testkit/depth'
import { afterAll, expect, test } from 'vitest'
import { avifRepeating, pngChunk, pngClaiming, riffChunk, webpClaiming } from './chunks.ts'
import { openDarkroom } from './darkroom.ts'
import { animation, plain, scene } from './samples.ts'

const darkroom = await openDarkroom()
afterAll(() => darkroom[Symbol.asyncDispose]())

/** Its screen and its frame. */
const gifClaiming = async (width: number, height: number) => {
  const gif = await plain(8, 8).gif().toBuffer()
  for (const at of [6, gif.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 8, 0, 8, 0])) + 5]) {
    gif.writeUInt16LE(width, at)
    gif.writeUInt16LE(height, at + 2)
  }
  return gif
}

const jpegClaiming = async (width: number, height: number) => {
  const jpeg = await plain(8, 8).jpeg().toBuffer()
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  jpeg.writeUInt16BE(height, frame + 5)
  jpeg.writeUInt16BE(width, frame + 7)
  return jpeg
}

const avifClaiming = async (width: number, height: number) => {
  const avif = await plain(64, 64).avif().toBuffer()
  const at = avif.indexOf('ispe')
  avif.writeUInt32BE(width, at + 8)
  avif.writeUInt32BE(height, at + 12)
  return avif
}

/** Black and white, with all of its pixels. */
function wholePng(width: number, height: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height), { level: 1 })
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', rows),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

test('[E-3] a PNG in black and white of a size that fits is taken', async () => {
  expect(await darkroom.develop(wholePng(1400, 1400))).toMatchObject({ original: { width: 1400 } })
})

test.each([
  ['PNG', '14000 × 14000', async () => wholePng(14_000, 14_000)],
  [
    'PNG that only claims it',
    '50000 × 50000',
    async () => pngClaiming(await plain(8, 8).png().toBuffer(), 50_000, 50_000),
  ],
  ['GIF', '65535 × 65535', async () => gifClaiming(65_535, 65_535)],
  ['WebP', '16383 × 16383', async () => webpClaiming(16_383, 16_383)],
  ['AVIF', '30000 × 30000', async () => avifClaiming(30_000, 30_000)],
  ['JPEG', '9000 × 9000', async () => jpegClaiming(9000, 9000)],
])('[E-3] a bomb of %s is refused by its size', async (_, words, make) => {
  expect(await darkroom.refusal(await make())).toContain(words)
})

test('[E-3] a side above 65,535 is refused, and so is none', async () => {
  const png = await plain(8, 8).png().toBuffer()
  expect(await darkroom.refusal(pngClaiming(png, 70_000, 1))).toContain('no side may exceed 65535')
  expect(await darkroom.refusal(pngClaiming(png, 0, 8))).not.toBe('')
})

test('[E-3][E-18] coded pixels beyond the size that was claimed are refused', async () => {
  expect(await darkroom.refusal(await avifClaiming(16, 16))).toContain('damaged')
  expect(await darkroom.refusal(await avifClaiming(640, 640))).toContain('damaged')
  const png = await plain(8, 8).png().toBuffer()
  expect(await darkroom.refusal(pngClaiming(png, 80, 80))).toContain('damaged')
})

test('[E-17] texts that unfold to many megabytes are not kept', async () => {
  const texts = depth({ common: 25, deep: 100 })
  const png = await plain(8, 8).png().toBuffer()
  const text = pngChunk(
    'zTXt',
    Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(4e6))]),
  )
  const bytes = Buffer.concat([png.subarray(0, 33), ...Array<Buffer>(texts).fill(text), png.subarray(33)])
  expect(await darkroom.develop(bytes)).toMatchObject({ original: { width: 8, height: 8 } })
})

test('[E-10][E-17] of two million frames of a GIF the first is looked at', async () => {
  const gif = await animation(8, 8, 'gif')
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  const bytes = Buffer.concat([
    gif.subarray(0, -1),
    Buffer.alloc(frame.length * 2_000_000, frame),
    Buffer.from([0x3b]),
  ])
  expect(await darkroom.develop(bytes)).toMatchObject({ original: { width: 8, height: 8 } })
})

test('[E-17] hundreds of thousands of frames of a WebP are refused at once', async () => {
  const pixel = (await plain(1, 1).webp({ lossless: true }).toBuffer()).subarray(12)
  const frame = riffChunk('ANMF', Buffer.concat([Buffer.alloc(16), pixel]))
  const head = [
    riffChunk('VP8X', Buffer.from([2, 0, 0, 0, 0, 0, 0, 0, 0, 0])),
    riffChunk('ANIM', Buffer.alloc(6)),
  ]
  const frames = Buffer.alloc(frame.length * 500_000, frame)
  const bytes = riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...head, frames]))
  expect(await darkroom.refusal(bytes)).toContain('too many frames')
})

deepTest(
  '[E-17][E-18] an AVIF file of a thousand large frames is refused before one is decoded',
  async () => {
    const bytes = avifRepeating(await plain(3000, 3000).avif({ effort: 0 }).toBuffer(), 1000)
    expect(await darkroom.refusal(bytes)).toContain('not supported')
  },
)

test.each([
  ['put together from others', 'infe', 12, 'grid'],
  ['of an older codec', 'infe', 12, 'hvc1'],
  ['without a size', 'ispe', 0, 'free'],
])('[E-18] an AVIF picture %s is refused', async (_, box, offset, kind) => {
  const avif = await plain(64, 64).avif().toBuffer()
  avif.write(kind, avif.indexOf(box) + offset, 'latin1')
  expect(await darkroom.refusal(avif)).toContain('not supported')
})

deepTest.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)(
  '[E-16][E-21] %s that was cut off is refused, with nothing left behind',
  async (format) => {
    const whole = await scene(400, 300).toFormat(format).toBuffer()
    for (const part of [0.02, 0.2, 0.5, 0.8, 0.95]) {
      expect(await darkroom.refusal(whole.subarray(0, Math.ceil(whole.length * part)))).not.toBe('')
    }
  },
)

deepTest('[E-16] the last rows of a tall PNG and of a tall JPEG are missed as well', async () => {
  const picture = () => scene(600, 2400)
  for (const whole of [await picture().png().toBuffer(), await picture().jpeg().toBuffer()]) {
    expect(await darkroom.refusal(whole.subarray(0, whole.length - 40))).toContain('cut off')
  }
})
