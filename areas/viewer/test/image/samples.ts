import sharp, { type Sharp } from 'sharp'

/** Soft enough for lossy formats, and another color in each corner, so that turning and mirroring shows. */
export function scene(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  const data = Buffer.alloc(width * height * channels)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * channels
      data[at] = Math.round((255 * x) / Math.max(1, width - 1))
      data[at + 1] = Math.round((255 * y) / Math.max(1, height - 1))
      data[at + 2] = (x + y) % 32 < 16 ? 60 : 90
      if (channels === 4) data[at + 3] = 255 - Math.round((200 * y) / height)
    }
  }
  return sharp(data, { raw: { width, height, channels } })
}

/** One color, whatever the size: cheap to make. */
export function plain(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  const background = { r: 30, g: 120, b: 200, alpha: 0.5 }
  return sharp({ create: { width, height, channels, background }, limitInputPixels: false })
}

/** Two frames, the first one red. */
export async function animation(width: number, height: number, format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = await Promise.all(
    ['#ff0000', '#0000ff'].map((background) =>
      sharp({ create: { width, height, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  return sharp(frames, { join: { animated: true } })
    .toFormat(format, { lossless: true })
    .toBuffer()
}
