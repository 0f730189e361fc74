import { depth } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { bmpFile } from './bmp-file.ts'
import { openDarkroom } from './darkroom.ts'
import { decoders, peakOf } from './decoders.ts'
import { plain } from './samples.ts'

const MOST_MIB = 512

type Sample = readonly [string, () => Promise<Buffer>]

/** Of the large ones, these are made and decoded within a few seconds. */
const COMMON: readonly Sample[] = [
  [
    'progressive JPEG, turned',
    () =>
      plain(6900, 5000)
        .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
        .withMetadata({ orientation: 6 })
        .toBuffer(),
  ],
  [
    'BMP of 49 million pixels in 1 bit',
    async () =>
      bmpFile({
        width: 7008,
        height: 7000,
        bits: 1,
        palette: [
          [0, 0, 0],
          [255, 255, 255],
        ],
        pixels: Buffer.alloc(876 * 7000, 0x5a),
      }),
  ],
]

/** Each of them is near the most that its kind may take. */
const LARGE: readonly Sample[] = [
  ['AVIF of 5K', () => plain(5120, 2880).avif({ effort: 0 }).toBuffer()],
  ['AVIF with 10 bits and alpha', () => plain(4000, 3200, 4).avif({ effort: 0, bitdepth: 10 }).toBuffer()],
  ['WebP of 8K', () => plain(7680, 4320, 4).webp({ lossless: true, effort: 0 }).toBuffer()],
  ['very wide PNG', () => plain(60_000, 800, 4).png({ compressionLevel: 1 }).toBuffer()],
  [
    'interlaced PNG, turned',
    () =>
      plain(6000, 5800, 4)
        .png({ progressive: true, compressionLevel: 1 })
        .withMetadata({ orientation: 6 })
        .toBuffer(),
  ],
  ['GIF of 49 million pixels', () => plain(7000, 7000).gif({ effort: 1 }).toBuffer()],
  ...COMMON,
]

test('[E-20] large pictures in a row stay below 512 MiB', { timeout: 180_000 }, async () => {
  await using darkroom = await openDarkroom()
  for (const [name, make] of depth({ common: COMMON, deep: LARGE })) {
    const bytes = await make()
    let peak = 0
    // A process that keeps too much is replaced as soon as it has answered: it is asked while it works.
    const watch = setInterval(() => (peak = Math.max(peak, ...decoders().map(peakOf))), 20)
    const { optimized } = await darkroom.develop(bytes).finally(() => clearInterval(watch))
    expect(Math.max(optimized.width, optimized.height)).toBe(1568)
    expect({ name, peak, isWithin: peak > 0 && peak < MOST_MIB }).toMatchObject({ isWithin: true })
  }
})
