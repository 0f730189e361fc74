import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeBmp } from '../../src/image/bmp.ts'
import { BMP_HEADER_BYTES, readBmpHeader } from '../../src/image/bmp-header.ts'
import { bmpFile } from './bmp-file.ts'
import { openDarkroom } from './darkroom.ts'

// Has four pictures prepared at once, and says how many milliseconds each kept its thread busy, and how many it takes to
// decode one here.
const bmp4k = bmpFile({ width: 3840, height: 2160, bits: 24, pixels: Buffer.alloc(3840 * 2160 * 3, 77) })
await using darkroom = await openDarkroom()
const places = [0, 1, 2, 3].map((index) => join(darkroom.folder, `${index}`))
await Promise.all(places.map((place) => writeFile(place, bmp4k)))
const before = process.threadCpuUsage()
await Promise.all(
  places.map((place) => darkroom.prepare(place, { optimized: `${place}-small`, original: `${place}-large` })),
)
const { user, system } = process.threadCpuUsage(before)
const eachMs = (user + system) / 1000 / places.length
const header = readBmpHeader(bmp4k.subarray(0, BMP_HEADER_BYTES), bmp4k.length)
const decodings = Array.from({ length: 3 }, () => {
  const begun = process.threadCpuUsage()
  decodeBmp(bmp4k, header)
  const used = process.threadCpuUsage(begun)
  return (used.user + used.system) / 1000
})
process.stdout.write(JSON.stringify({ eachMs, decodingMs: Math.min(...decodings) }))
