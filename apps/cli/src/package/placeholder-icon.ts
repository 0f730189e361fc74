import { crc32, deflateSync } from 'node:zlib'

const SIDE = 64
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const GROUND = [0x5b, 0x64, 0x72, 0xff]
const MARK = [0xff, 0xff, 0xff, 0xff]
const CLEAR = [0, 0, 0, 0]

/** A PNG of 64 × 64: a plug on a gray tile, so that nobody takes it for a finished icon. */
export function placeholderIcon(): Uint8Array {
  const rows = Array.from({ length: SIDE }, (_, y) => [
    0,
    ...Array.from({ length: SIDE }, (_cell, x) => colorAt(x, y)).flat(),
  ])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIDE, 0)
  header.writeUInt32BE(SIDE, 4)
  // 8 bits for each of red, green, blue and opacity.
  header.set([8, 6], 8)
  return Buffer.concat([
    Buffer.from(SIGNATURE),
    chunkOf('IHDR', header),
    chunkOf('IDAT', deflateSync(Buffer.from(rows.flat()), { level: 9 })),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

function colorAt(x: number, y: number): readonly number[] {
  if (x < 4 || y < 4 || x >= SIDE - 4 || y >= SIDE - 4) return CLEAR
  const isPin = y >= 14 && y < 26 && ((x >= 22 && x < 27) || (x >= 37 && x < 42))
  const isBody = y >= 26 && y < 40 && x >= 17 && x < 47
  const isCord = y >= 40 && y < 52 && x >= 29 && x < 35
  return isPin || isBody || isCord ? MARK : GROUND
}

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
