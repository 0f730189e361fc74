import { crc32 } from 'node:zlib'
import { plain } from './samples.ts'

/** A chunk of a PNG file, with the right checksum. */
export function pngChunk(kind: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(kind, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}

/** A PNG file that claims a size, with the pixels of another. */
export function pngClaiming(png: Buffer, width: number, height: number): Buffer {
  const header = Buffer.from(png.subarray(16, 29))
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([png.subarray(0, 8), pngChunk('IHDR', header), png.subarray(33)])
}

export function riffChunk(kind: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(kind, 0, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

/** An AVIF file whose one coded picture is there several times over. */
export function avifRepeating(avif: Buffer, times: number): Buffer {
  const at = avif.indexOf('mdat')
  const coded = avif.subarray(at + 4, at - 4 + avif.readUInt32BE(at - 4))
  const head = Buffer.from(avif.subarray(0, at + 4))
  head.writeUInt32BE(8 + coded.length * times, at - 4)
  const place = head.indexOf('iloc')
  for (let offset = place; offset < place + 60; offset += 1) {
    if (head.readUInt32BE(offset) === coded.length) head.writeUInt32BE(coded.length * times, offset)
  }
  return Buffer.concat([head, ...Array<Buffer>(times).fill(coded)])
}

/** A WebP file that claims a size, with the pixels of another. */
export async function webpClaiming(width: number, height: number): Promise<Buffer> {
  const webp = await plain(8, 8).webp({ lossless: true }).toBuffer()
  webp.writeUInt32LE((height - 1) * 2 ** 14 + width - 1, webp.indexOf('VP8L') + 9)
  return webp
}
