import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import type { PictureToName } from '../../src/ports.ts'

export interface DrawnText {
  readonly text: string
  readonly at: readonly [x: number, y: number]
  readonly size: number
}

export interface Drawing {
  readonly size: readonly [width: number, height: number]
  readonly ground?: string
  readonly ink?: string
  readonly texts?: readonly DrawnText[]
}

/** A folder for pictures that are drawn for a test. */
export interface Easel extends AsyncDisposable {
  readonly folder: string
  draw(drawing: Drawing, title?: string): Promise<PictureToName>
  /** Noise, the same for the same seed. */
  drawNoise(side: number, seed: number): Promise<PictureToName>
}

export async function createEasel(): Promise<Easel> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-naming-'))
  let drawn = 0
  const save = async (picture: Sharp, title?: string): Promise<PictureToName> => {
    drawn += 1
    const file = join(folder, `${drawn}.png`)
    await picture.png().toFile(file)
    return { optimized: file, original: file, title }
  }
  return {
    folder,
    draw: (drawing, title) => save(sharp(Buffer.from(svgOf(drawing))), title),
    drawNoise: (side, seed) =>
      save(sharp(noise(side, seed), { raw: { width: side, height: side, channels: 1 } })),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

export function heading(text: string): Drawing {
  return { size: [640, 200], texts: [{ text, at: [20, 60], size: 28 }] }
}

function svgOf({ size: [width, height], ground = '#f4f4f6', ink = '#1a1a1a', texts = [] }: Drawing): string {
  const lines = texts.map(
    ({ text, at: [x, y], size }) =>
      `<text x="${x}" y="${y}" font-family="DejaVu Sans" font-size="${size}" fill="${ink}">${text}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${ground}"/>${lines.join('')}</svg>`
}

/** Gray, of normally distributed brightness. */
function noise(side: number, seed: number): Uint8Array {
  let state = seed
  const chance = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 1) / 2 ** 32
  }
  return Uint8Array.from({ length: side * side }, () => {
    const spread = Math.sqrt(-2 * Math.log(chance())) * Math.cos(2 * Math.PI * chance())
    return Math.min(255, Math.max(0, 128 + 60 * spread))
  })
}
