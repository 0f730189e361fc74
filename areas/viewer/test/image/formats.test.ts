import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import sharp from 'sharp'
import { afterAll, expect } from 'vitest'
import { difference, openDarkroom, pixelsOf } from './darkroom.ts'
import { animation, plain, scene } from './samples.ts'

const darkroom = await openDarkroom()
afterAll(() => darkroom[Symbol.asyncDispose]())

const LOSSY = 24

deepTest.each([
  ['png', () => scene(90, 60).png()],
  ['png with alpha', () => scene(90, 60, 4).png()],
  ['png, interlaced', () => scene(90, 60).png({ progressive: true })],
  ['webp, lossless', () => scene(90, 60).webp({ lossless: true })],
  ['webp with alpha', () => scene(90, 60, 4).webp({ lossless: true, exact: true })],
  ['png, gray', () => scene(90, 60).grayscale().png()],
  ['png with a palette', () => scene(90, 60).png({ palette: true, colors: 16 })],
  ['gif', () => scene(90, 60).gif()],
  ['one pixel', () => scene(1, 1).png()],
])('[E-5][E-9] %s: the original has the pixels that were sent', async (_, make) => {
  const sent = await make().toBuffer()
  const { files } = await darkroom.develop(sent)
  expect(difference(await pixelsOf(files.original), await pixelsOf(sent))).toBe(0)
})

test.each([
  ['jpeg', 'image/jpeg', () => scene(90, 60).jpeg()],
  ['jpeg, progressive', 'image/jpeg', () => scene(90, 60).jpeg({ progressive: true })],
  ['webp', 'image/webp', () => scene(90, 60).webp()],
  ['avif', 'image/avif', () => scene(90, 60).avif()],
  ['avif with alpha', 'image/avif', () => scene(90, 60, 4).avif()],
  ['avif, 10 bits', 'image/avif', () => scene(90, 60).avif({ bitdepth: 10 })],
])('[E-1][E-5] %s: recognized, and nothing is lost beyond what its format lost', async (_, type, make) => {
  const sent = await make().toBuffer()
  const { source, original, files } = await darkroom.develop(sent)
  expect({ type: source.type, bytes: source.bytes }).toEqual({ type, bytes: sent.length })
  expect(original).toEqual({ width: 90, height: 60, bytes: files.original.length })
  expect(difference(await pixelsOf(files.original), await pixelsOf(sent))).toBeLessThanOrEqual(1)
  const before = await scene(90, 60, _.includes('alpha') ? 4 : 3)
    .png()
    .toBuffer()
  expect(difference(await pixelsOf(files.original), await pixelsOf(before))).toBeLessThanOrEqual(LOSSY * 2)
})

test('[E-9] 16 bits a channel are rounded to 8', async () => {
  const sent = await scene(90, 60).toColorspace('rgb16').png().toBuffer()
  const { files } = await darkroom.develop(sent)
  expect((await sharp(sent).metadata()).depth).toBe('ushort')
  expect((await sharp(files.original).metadata()).depth).toBe('uchar')
  const before = await scene(90, 60).png().toBuffer()
  expect(difference(await pixelsOf(files.original), await pixelsOf(before))).toBeLessThanOrEqual(1)
})

test.each(['gif', 'webp'] as const)('[E-10] of an animated %s the first frame is taken', async (format) => {
  const { original, files } = await darkroom.develop(await animation(40, 20, format))
  expect(original).toMatchObject({ width: 40, height: 20 })
  expect([...(await pixelsOf(files.original)).data.subarray(0, 4)]).toEqual([255, 0, 0, 255])
})

test('[E-8] CMYK becomes sRGB', async () => {
  const { files } = await darkroom.develop(await plain(40, 30).toColorspace('cmyk').jpeg().toBuffer())
  const { space, channels } = await sharp(files.original).metadata()
  expect({ space, channels }).toEqual({ space: 'srgb', channels: 3 })
  const [red = 255, green = 0, blue = 0] = (await pixelsOf(files.original)).data
  expect(red < green && green < blue).toBe(true)
})

test('[E-7][E-8] a P3 profile is converted and gone', async () => {
  const red = sharp({ create: { width: 20, height: 20, channels: 3, background: '#c03020' } })
  const sent = await red.withIccProfile('p3').png().toBuffer()
  const { files } = await darkroom.develop(sent)
  expect((await sharp(sent).metadata()).hasProfile).toBe(true)
  expect((await sharp(files.original).metadata()).hasProfile).toBe(false)
  const [r = 0, g = 0, b = 0] = (await pixelsOf(files.original)).data
  expect(Math.max(Math.abs(r - 0xc0), Math.abs(g - 0x30), Math.abs(b - 0x20))).toBeLessThanOrEqual(3)
})
