import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

/** Something to look at, with edges and colors, of any size. */
function drawing(width: number, height: number): Sharp {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#f5f1e6"/><rect width="50%" height="100%" fill="#c2410c"/>
    <circle cx="75%" cy="50%" r="20%" fill="#1d4ed8"/></svg>`
  return sharp(Buffer.from(svg), { limitInputPixels: false })
}

export const png = async (width: number, height: number) => await drawing(width, height).png().toBuffer()
export const jpeg = async (width: number, height: number) => await drawing(width, height).jpeg().toBuffer()
export const webp = async (width: number, height: number) => await drawing(width, height).webp().toBuffer()

/** Windows hands these to Linux programs. 24 bits a pixel, rows from below, each filled up to four bytes. */
export async function bmp(width: number, height: number): Promise<Buffer> {
  const { data } = await drawing(width, height).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const rowBytes = Math.ceil((width * 3) / 4) * 4
  const file = Buffer.alloc(54 + rowBytes * height)
  file.write('BM', 0)
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(54, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 3
      const to = 54 + (height - 1 - y) * rowBytes + x * 3
      file[to] = data[from + 2] ?? 0
      file[to + 1] = data[from + 1] ?? 0
      file[to + 2] = data[from] ?? 0
    }
  }
  return file
}

/** A few kilobytes that say they are 14,000 pixels each way. */
export function bomb(side = 14_000): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head[8] = 1
  const rows = deflateSync(Buffer.alloc((Math.ceil(side / 8) + 1) * side), { level: 9 })
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
