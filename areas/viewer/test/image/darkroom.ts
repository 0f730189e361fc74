import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problem } from '@patchbay/contracts/core'
import sharp from 'sharp'
import { createPictures, type PictureOptions } from '../../src/image/pictures.io.ts'
import type { PreparedPictures } from '../../src/ports.ts'

export interface Pixels {
  readonly width: number
  readonly height: number
  readonly channels: number
  readonly data: Buffer
}

export interface Developed extends PreparedPictures {
  readonly files: { readonly optimized: Buffer; readonly original: Buffer }
}

/** A folder of its own and a process of its own; both are gone afterwards. */
export async function openDarkroom(options: PictureOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'))
  const prepare = createPictures(options)
  let count = 0

  async function develop(bytes: Uint8Array, name = 'sent'): Promise<Developed> {
    count += 1
    const place = join(folder, `${count}-${name}`)
    const into = { optimized: `${place}-small`, original: `${place}-large` }
    await writeFile(place, bytes)
    const prepared = await prepare(place, into)
    return {
      ...prepared,
      files: { optimized: await readFile(into.optimized), original: await readFile(into.original) },
    }
  }

  return {
    folder,
    prepare,
    develop,
    /** The words of the refusal; the test fails if there is none, or if something is left behind. */
    async refusal(bytes: Uint8Array): Promise<string> {
      const error: unknown = await develop(bytes).catch((caught: unknown) => caught)
      if (!(error instanceof Problem) || error.code !== 'picture_refused') {
        throw new Error('not refused', { cause: error })
      }
      const left = (await readdir(folder)).filter((name) => name.startsWith(`${count}-sent-`))
      if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`)
      return error.detail ?? ''
    },
    async [Symbol.asyncDispose]() {
      await prepare[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** As red, green, blue and alpha. */
export async function pixelsOf(bytes: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(bytes)
    .ensureAlpha()
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, channels: info.channels, data }
}

/** The largest difference of any channel of any pixel. */
export function difference(a: Pixels, b: Pixels): number {
  if (a.width !== b.width || a.height !== b.height) return Number.POSITIVE_INFINITY
  return a.data.reduce((most, value, index) => Math.max(most, Math.abs(value - (b.data[index] ?? 0))), 0)
}
