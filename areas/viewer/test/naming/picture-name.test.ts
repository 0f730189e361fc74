import { PASTE_NAME_PATTERN } from '@patchbay/contracts/viewer'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nameOfPicture } from '../../src/naming/picture-name.io.ts'
import { createEasel, type Drawing, type Easel } from './pictures.ts'

let easel: Easel
beforeAll(async () => {
  easel = await createEasel()
})
afterAll(() => easel[Symbol.asyncDispose]())

test.each<[string, Drawing]>([
  ['small-white-blank-picture', { size: [200, 100], ground: '#ffffff' }],
  ['tiny-black-blank-picture', { size: [1, 1], ground: '#000000' }],
  [
    'medium-blue-graphic',
    { size: [1600, 900], ground: '#1144cc', texts: [{ text: '■■', at: [100, 700], size: 700 }] },
  ],
  ['large-green-blank-picture', { size: [3840, 2160], ground: '#14532d' }],
  ['small-gray-blank-picture', { size: [90, 90], ground: '#888888' }],
  ['small-red-blank-picture', { size: [90, 90], ground: '#cc1111' }],
  ['small-brown-blank-picture', { size: [90, 90], ground: '#7a4a1e' }],
  ['small-yellow-blank-picture', { size: [90, 90], ground: '#f5d90a' }],
  ['small-pink-blank-picture', { size: [90, 90], ground: '#f06' }],
  ['small-purple-blank-picture', { size: [90, 90], ground: '#7c3aed' }],
])('[E-177] C13: size class, main color and kind are the name: %s', async (name, drawing) => {
  const { optimized, original } = await easel.draw(drawing)
  expect(await nameOfPicture(optimized, original)).toBe(name)
  expect(name).toMatch(new RegExp(PASTE_NAME_PATTERN))
})

test('[E-177] C13: many colors without a ground are a photo, with one a picture', async () => {
  const [width, height] = [800, 600]
  const shaded = Buffer.alloc(width * height * 3)
  for (let place = 0; place < width * height; place += 1) {
    const [x, y] = [(place % width) / width, Math.floor(place / width) / height]
    shaded.set([40 + 80 * x, 90 + 150 * y, 30 + 90 * x * y], place * 3)
  }
  const photo = sharp(shaded, { raw: { width, height, channels: 3 } })
  const file = `${easel.folder}/shaded.png`
  await photo.clone().png().toFile(file)
  expect(await nameOfPicture(file, file)).toBe('medium-green-photo')
  const onWhite = `${easel.folder}/on-white.png`
  await photo.resize(400, 300).extend({ left: 200, right: 200, background: '#fff' }).png().toFile(onWhite)
  expect(await nameOfPicture(onWhite, onWhite)).toBe('medium-white-picture')
})

test('[E-177] C13: transparency counts as white, and palettes and gray pictures are read', async () => {
  const clear = `${easel.folder}/clear.png`
  const create = { width: 90, height: 90, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } as const
  await sharp({ create }).png().toFile(clear)
  expect(await nameOfPicture(clear, clear)).toBe('small-white-blank-picture')
  const gray = `${easel.folder}/gray.png`
  await sharp(Buffer.alloc(8_100, 0x60), { raw: { width: 90, height: 90, channels: 1 } })
    .png()
    .toFile(gray)
  expect(await nameOfPicture(gray, gray)).toBe('small-gray-blank-picture')
  const palette = `${easel.folder}/palette.png`
  await sharp({ create: { ...create, background: '#cc1111' } })
    .png({ palette: true })
    .toFile(palette)
  expect(await nameOfPicture(palette, palette)).toBe('small-red-blank-picture')
})
