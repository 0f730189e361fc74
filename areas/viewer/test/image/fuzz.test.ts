import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '@patchbay/contracts/core'
import { depth } from '@patchbay/testkit/depth'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { bmpFile } from './bmp-file.ts'
import { type Developed, openDarkroom } from './darkroom.ts'
import { decoders, peakOf } from './decoders.ts'
import { mutant, seeded } from './mutate.ts'
import { animation, scene } from './samples.ts'

const SEED = 20_260
const FILES = depth({ common: 200, deep: 1000 })
const MOST_MIB = 512

async function validFiles(): Promise<Buffer[]> {
  const picture = (channels: 3 | 4 = 3) => scene(60, 40, channels)
  const rows = Buffer.alloc(40 * 180, 90)
  const masks = [0xff0000, 0xff00, 0xff, 0xff000000]
  return [
    await picture().png().toBuffer(),
    await picture(4).png({ progressive: true }).withIccProfile('p3').toBuffer(),
    await picture().png({ palette: true }).toBuffer(),
    await picture().jpeg().withMetadata({ orientation: 6 }).toBuffer(),
    await picture().jpeg({ progressive: true }).toBuffer(),
    await picture().webp().toBuffer(),
    await picture(4).webp({ lossless: true }).toBuffer(),
    await animation(60, 40, 'webp'),
    await picture().gif().toBuffer(),
    await animation(60, 40, 'gif'),
    await picture().avif().toBuffer(),
    await picture(4).avif().toBuffer(),
    bmpFile({ width: 60, height: 40, bits: 24, pixels: rows }),
    bmpFile({ width: 45, height: -40, bits: 32, compression: 3, header: 124, masks, pixels: rows }),
    bmpFile({
      width: 60,
      height: 40,
      bits: 8,
      compression: 1,
      palette: [[9, 9, 9]],
      pixels: Buffer.alloc(500, 7),
    }),
  ]
}

test(`[E-21][E-27] ${FILES} mutated files, seed ${SEED}`, { timeout: 240_000 }, async () => {
  await using darkroom = await openDarkroom()
  const [files, random] = [await validFiles(), seeded(SEED)]
  const verdicts: string[] = []
  const pids = new Set<number>()
  let peak = 0
  for (let index = 0; index < FILES; index += 1) {
    const outcome = await darkroom.develop(mutant(files, random)).catch((error: unknown) => error)
    const names = await readdir(darkroom.folder)
    verdicts.push(await verdictOn(outcome, names))
    await Promise.all(names.map((name) => rm(join(darkroom.folder, name))))
    for (const pid of decoders()) {
      pids.add(pid)
      peak = Math.max(peak, peakOf(pid))
    }
  }
  expect(verdicts.filter((verdict) => verdict !== PAIR && verdict !== REFUSED)).toEqual([])
  expect(verdicts.filter((verdict) => verdict === PAIR).length).toBeGreaterThan(FILES / 20)
  expect(verdicts.filter((verdict) => verdict === REFUSED).length).toBeGreaterThan(FILES / 20)
  // One process from the first to the last: none of them crashed it, or kept it busy until the deadline.
  expect(pids.size).toBe(1)
  expect(peak).toBeLessThan(MOST_MIB)
})

const PAIR = 'a valid pair'
const REFUSED = 'refused'

async function verdictOn(outcome: unknown, names: readonly string[]): Promise<string> {
  if (outcome instanceof Problem) {
    const left = names.filter((name) => /-(small|large)$/.test(name))
    if (left.length > 0) return `left behind: ${left.join(', ')}`
    return outcome.code === 'picture_refused' && outcome.detail !== undefined ? REFUSED : outcome.code
  }
  if (outcome instanceof Error) return outcome.stack ?? outcome.message
  const { original, optimized, files } = outcome as Developed
  const isRight = (await isDecoded(files.original, original)) && (await isDecoded(files.optimized, optimized))
  return isRight ? PAIR : 'files of another size than was said'
}

/** Decodes all of it. */
async function isDecoded(
  png: Buffer,
  { width, height }: { width: number; height: number },
): Promise<boolean> {
  const { info } = await sharp(png).raw().toBuffer({ resolveWithObject: true })
  return info.width === width && info.height === height
}
