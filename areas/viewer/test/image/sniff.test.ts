import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, expect } from 'vitest'
import { openDarkroom } from './darkroom.ts'
import { scene } from './samples.ts'

const darkroom = await openDarkroom()
afterAll(() => darkroom[Symbol.asyncDispose]())

const SVG = '<?xml version="1.0"?>\n<!-- a comment -->\n<svg xmlns="http://www.w3.org/2000/svg"/>'
const ftyp = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1${brand}`, 'latin1')

deepTest('[E-1] the bytes decide: a JPEG called .png is a JPEG', async () => {
  const { source } = await darkroom.develop(await scene(40, 30).jpeg().toBuffer(), 'picture.png')
  expect(source.type).toBe('image/jpeg')
})

test.each([
  ['nothing', Buffer.alloc(0), 'The file is empty.'],
  ['text', Buffer.from('Hello, this is no picture.\n'), 'This is text.'],
  ['text of another alphabet', Buffer.from('Grüße – 你好'), 'This is text.'],
  ['an SVG drawing', Buffer.from(SVG), 'This is an SVG drawing.'],
  ['a web page', Buffer.from('<!doctype html><html><body>picture</body></html>'), 'This is a web page.'],
  ['a PDF document', Buffer.from('%PDF-1.7\n%\xe2\xe3', 'latin1'), 'This is a PDF document.'],
  ['a TIFF picture', Buffer.from('II*\0\x08\0\0\0', 'latin1'), 'This is a TIFF picture.'],
  ['a HEIC picture', ftyp('heic'), 'This is a HEIC picture.'],
  ['a film', ftyp('isom').fill('isom', 16), 'This is a film.'],
  ['an AVIF animation', ftyp('avis'), 'This is an AVIF animation.'],
  ['an icon', Buffer.from([0, 0, 1, 0, 1, 0, 16, 16]), 'This is an icon file.'],
  ['anything', Buffer.from([1, 2, 3, 4, 5]), 'This is not a picture.'],
])('[E-2] %s is refused by its name', async (_, bytes, words) => {
  expect(await darkroom.refusal(bytes)).toContain(words)
})

test('[E-2] an SVG drawing and a PDF document behind the first bytes of a PNG are not read as what they are', async () => {
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  expect(await darkroom.refusal(Buffer.concat([start, Buffer.from(SVG)]))).toContain('damaged')
})
