import { join } from 'node:path'
import sharp from 'sharp'

export interface Screenshot {
  readonly file: string
  readonly bytes: number
}

const WIDTH = 3840
const HEIGHT = 2160
const LINES = 90
const TRACES = 160

/** A 4K screenshot as a design tool gives it: flat panels, small text, thin lines, and one photo-like area. The same each time. */
export async function drawScreenshot(folder: string): Promise<Screenshot> {
  const file = join(folder, 'screenshot-4k.png')
  const { size } = await sharp(Buffer.from(drawing()))
    .composite([{ input: await shading(), left: 2600, top: 1300 }])
    // As operating systems write them: quickly.
    .png({ compressionLevel: 3 })
    .toFile(file)
  return { file, bytes: size }
}

function drawing(): string {
  const lines = Array.from({ length: LINES }, (_, index) => {
    const words = Array.from({ length: 9 }, (__, word) => `net_${(index * 37 + word * 11) % 512}`)
    return `<text x="60" y="${180 + index * 21}" fill="#223">${index} ${words.join(' = ')};</text>`
  })
  const traces = Array.from({ length: TRACES }, (_, index) => {
    const x = 1500 + ((index * 61) % 1000)
    const y = 160 + ((index * 89) % 1800)
    return `<path d="M${x} ${y}h${40 + (index % 7) * 20}l20 20v${30 + (index % 5) * 25}" stroke="hsl(${(index * 47) % 360} 70% 40%)" fill="none" stroke-width="3"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="DejaVu Sans Mono" font-size="16">
<rect width="100%" height="100%" fill="#f4f5f7"/><rect width="100%" height="96" fill="#20242c"/>
<text x="40" y="60" fill="#fff" font-size="32">Board editor: motor controller, revision C</text>
<rect x="40" y="140" width="1360" height="1960" fill="#fff" stroke="#ccd"/>
<rect x="1460" y="140" width="2320" height="1960" fill="#fffdf5" stroke="#ccd"/>
${lines.join('\n')}${traces.join('\n')}</svg>`
}

/** Smooth with a little noise, such as a rendered model. */
async function shading(): Promise<Buffer> {
  const width = 1100
  const height = 700
  const pixels = Buffer.alloc(width * height * 3)
  let seed = 7
  for (let at = 0; at < pixels.length; at += 3) {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff
    const x = (at / 3) % width
    const y = Math.floor(at / 3 / width)
    const noise = seed % 5
    pixels[at] = 60 + (x * 120) / width + noise
    pixels[at + 1] = 80 + (y * 110) / height + noise
    pixels[at + 2] = 90 + ((x + y) * 60) / (width + height) + noise
  }
  return await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
}
