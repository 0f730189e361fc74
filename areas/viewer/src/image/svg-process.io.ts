/**
 * The process in which a drawing becomes pixels: the SVG on standard input, the PNG on standard output, the longer side in
 * pixels as argument. Run by `svg-picture.io.ts`; has no environment, and exits with 1 for what is no drawing.
 */

import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'

const MOST_PIXELS = 64_000_000
/** In which SVG is measured by the library unless told otherwise. */
const USUAL_DENSITY = 72

sharp.cache(false)
sharp.concurrency(1)

const svg = await buffer(process.stdin)
const pixels = Number(process.argv[2])

async function sideAt(density: number): Promise<number> {
  const { width, height } = await sharp(svg, { density, limitInputPixels: MOST_PIXELS }).metadata()
  return Math.max(width, height)
}

try {
  const [usual, doubled] = [await sideAt(USUAL_DENSITY), await sideAt(2 * USUAL_DENSITY)]
  // Sizes in pixels grow with the density, those in millimeters with its square: which it is only shows when it is tried.
  const growth = Math.max(1, Math.log2(doubled / usual))
  const density = Math.min(2_400, Math.max(1, USUAL_DENSITY * (pixels / usual) ** (1 / growth)))
  const png = await sharp(svg, { density, limitInputPixels: MOST_PIXELS })
    .resize({ width: pixels, height: pixels, fit: 'inside' })
    .flatten({ background: '#ffffff' })
    .png()
    .toBuffer()
  process.stdout.write(png)
} catch {
  process.exitCode = 1
}
