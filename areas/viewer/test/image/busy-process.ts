import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bmpFile } from './bmp-file.ts'
import { openDarkroom } from './darkroom.ts'

// Has four pictures prepared at once, and says how many milliseconds each kept its thread busy.
const bmp4k = bmpFile({ width: 3840, height: 2160, bits: 24, pixels: Buffer.alloc(3840 * 2160 * 3, 77) })
await using darkroom = await openDarkroom()
const places = [0, 1, 2, 3].map((index) => join(darkroom.folder, `${index}`))
await Promise.all(places.map((place) => writeFile(place, bmp4k)))
const before = process.threadCpuUsage()
await Promise.all(
  places.map((place) => darkroom.prepare(place, { optimised: `${place}-small`, original: `${place}-large` })),
)
const { user, system } = process.threadCpuUsage(before)
process.stdout.write(`${(user + system) / 1000 / places.length}\n`)
