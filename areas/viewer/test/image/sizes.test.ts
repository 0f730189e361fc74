import { crc32 } from 'node:zlib'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import sharp from 'sharp'
import { afterAll, expect } from 'vitest'
import { planPicture } from '../../src/image/plan.ts'
import { pngChunk, webpClaiming } from './chunks.ts'
import { difference, openDarkroom, pixelsOf } from './darkroom.ts'
import { plain, scene } from './samples.ts'

const darkroom = await openDarkroom()
afterAll(() => darkroom[Symbol.asyncDispose]())

deepTest.each([
  [3840, 2160, 1568, 882],
  [2160, 3840, 882, 1568],
  [1, 5000, 1, 1568],
  [5000, 1, 1568, 1],
  [60_000, 3, 1568, 1],
  [1569, 1569, 1568, 1568],
  [1568, 1568, 1568, 1568],
  [900, 600, 900, 600],
  [1, 1, 1, 1],
])('[E-4] %i × %i becomes %i × %i', async (width, height, smallWidth, smallHeight) => {
  const { optimized, original, files } = await darkroom.develop(await plain(width, height).png().toBuffer())
  expect(original).toMatchObject({ width, height })
  expect(optimized).toMatchObject({ width: smallWidth, height: smallHeight })
  expect(await sharp(files.optimized).metadata()).toMatchObject({ width: smallWidth, height: smallHeight })
  expect(await sharp(files.original).metadata()).toMatchObject({ width, height })
})

test('[E-4] what is made smaller still shows the same', async () => {
  const { files } = await darkroom.develop(await scene(1600, 200).png().toBuffer())
  const expected = await sharp(await scene(1600, 200).png().toBuffer())
    .resize(1568, 196)
    .png()
    .toBuffer()
  expect(difference(await pixelsOf(files.optimized), await pixelsOf(expected))).toBeLessThanOrEqual(1)
})

test('[E-11][E-12] a picture that fits gives the same bytes twice, as PNG of level 9 without adaptive filters', async () => {
  const sent = await scene(900, 600).png({ compressionLevel: 1 }).toBuffer()
  const { files } = await darkroom.develop(sent)
  expect(files.optimized.equals(files.original)).toBe(true)
  const expected = await sharp(sent).png({ compressionLevel: 9, adaptiveFiltering: false }).toBuffer()
  expect(crc32(files.original)).toBe(crc32(expected))
})

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  '[E-6][E-7] orientation %i of EXIF is applied, and gone',
  async (orientation) => {
    const turned = await scene(1600, 100).jpeg().withMetadata({ orientation }).toBuffer()
    const { optimized, original, files } = await darkroom.develop(turned)
    const upright = await sharp(turned).autoOrient().png().toBuffer()
    expect(difference(await pixelsOf(files.original), await pixelsOf(upright))).toBe(0)
    const isAcross = orientation >= 5
    expect(original).toMatchObject(isAcross ? { width: 100, height: 1600 } : { width: 1600, height: 100 })
    expect(optimized).toMatchObject(isAcross ? { width: 98, height: 1568 } : { width: 1568, height: 98 })
    expect((await sharp(files.optimized).metadata()).orientation).toBeUndefined()
  },
)

test('[E-7] position, XMP, texts and profiles are in neither file', async () => {
  const gps = {
    IFD0: { Artist: 'secret-artist' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
  }
  const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret-xmp/></x:xmpmeta>'
  const png = await scene(1600, 400).png().withExif(gps).withXmp(xmp).withIccProfile('p3').toBuffer()
  const text = pngChunk('tEXt', Buffer.from('Comment\0secret-text', 'latin1'))
  const sent = Buffer.concat([png.subarray(0, 33), text, png.subarray(33)])
  const { files } = await darkroom.develop(sent)
  for (const file of [files.original, files.optimized]) {
    expect(file.includes('secret')).toBe(false)
    const { exif, xmp: kept, icc, comments } = await sharp(file).metadata()
    expect({ exif, kept, icc, comments }).toEqual({})
  }
})

const FACTS = { channels: 4, bits: 8, isProgressive: false, isTurned: false, heldBytes: 0 } as const

test.each([
  ['image/png', 7680, 4320],
  ['image/jpeg', 8660, 5770],
  ['image/webp', 7680, 4320],
  ['image/gif', 8660, 5770],
  ['image/avif', 5120, 2880],
] as const)('[E-19] a %s of %i × %i has room', (type, width, height) => {
  expect(planPicture({ ...FACTS, type, width, height })).toMatchObject({ isResized: true })
})

test('[E-19] of kinds that are decoded as a whole, larger ones are refused with their size', async () => {
  const deep = { ...FACTS, bits: 16, isProgressive: true, isTurned: true }
  expect(() => planPicture({ ...deep, type: 'image/png', width: 7000, height: 7000 })).toThrow(/7000 × 7000/)
  expect(await darkroom.refusal(await webpClaiming(7000, 7000))).toContain(
    'WEBP picture with 7000 × 7000 pixels would need more memory',
  )
})
