import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import sharp from 'sharp'
import { expect } from 'vitest'
import { drawSvg } from '../../src/image/svg-picture.io.ts'

const svg = (content: string, size = 'width="200mm" height="100mm"') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 200 100">${content}</svg>`)
const LINE = '<path d="M20 50 L180 50" style="stroke:#FF0000; stroke-width:10; fill:none" />'

async function pixels(png: Buffer | undefined) {
  if (png === undefined) throw new Error('no picture')
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)]
  return { width: info.width, height: info.height, at }
}

deepTest.each([
  'width="200mm" height="100mm"',
  'width="297.0022mm" height="148.5011mm"',
  'width="200" height="100"',
  '',
])('[E-191] a drawing with %j has the wanted size, on white', async (size) => {
  const { width, height, at } = await pixels(await drawSvg(svg(LINE, size), 800))
  expect({ width, height }).toEqual({ width: 800, height: 400 })
  expect(at(400, 200)).toEqual([255, 0, 0])
  expect(at(400, 100)).toEqual([255, 255, 255])
})

test('[E-191] what a drawing names outside of itself is not read', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'svg-'))
  const path = join(folder.path, 'red.png')
  await sharp({ create: { width: 9, height: 9, channels: 3, background: '#ff0000' } }).toFile(path)
  const asked: string[] = []
  await using server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const images = [path, pathToFileURL(path).href, `http://127.0.0.1:${port}/red.png`]
    .map((href) => `<image href="${href}" width="200" height="100" preserveAspectRatio="none"/>`)
    .join('')
  const { at } = await pixels(await drawSvg(svg(images), 200))
  expect(at(100, 50)).toEqual([255, 255, 255])
  expect(asked).toEqual([])
})

test('[E-191] what is no drawing is no picture', async () => {
  expect(await drawSvg(Buffer.from('no drawing'), 200)).toBeUndefined()
  expect(await drawSvg(svg(LINE, 'width="99999999mm" height="99999999mm"'), 200)).toBeUndefined()
})

test('[E-191] a drawing that takes too long is given up', async () => {
  expect(await drawSvg(svg(LINE.repeat(20_000)), 2_000, 50)).toBeUndefined()
})
