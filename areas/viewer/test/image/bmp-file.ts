export interface BmpParts {
  readonly width: number
  /** Negative: from the top. */
  readonly height: number
  readonly bits: number
  readonly compression?: number
  /** 12, 40, 56, 108 or 124. */
  readonly header?: number
  /** Red, green, blue, and alpha where there is one. */
  readonly masks?: readonly number[]
  /** Red, green and blue of each color. */
  readonly palette?: readonly (readonly [number, number, number])[]
  readonly pixels: Buffer
}

/** Puts a BMP file together as the parts say, whether or not they make sense. */
export function bmpFile(parts: BmpParts): Buffer {
  const { width, height, bits, compression = 0, header = 40, masks = [], palette = [], pixels } = parts
  const info = Buffer.alloc(header)
  info.writeUInt32LE(header, 0)
  if (header === 12) {
    info.writeUInt16LE(width, 4)
    info.writeUInt16LE(height, 6)
    info.writeUInt16LE(1, 8)
    info.writeUInt16LE(bits, 10)
  } else {
    info.writeInt32LE(width, 4)
    info.writeInt32LE(height, 8)
    info.writeUInt16LE(1, 12)
    info.writeUInt16LE(bits, 14)
    info.writeUInt32LE(compression, 16)
  }
  const maskBytes = Buffer.alloc(masks.length * 4)
  masks.forEach((mask, index) => maskBytes.writeUInt32LE(mask, index * 4))
  if (header > 40) maskBytes.copy(info, 40)
  const colors = palette.map(([red, green, blue]) =>
    Buffer.from(header === 12 ? [blue, green, red] : [blue, green, red, 0]),
  )
  const body = Buffer.concat([info, header === 40 ? maskBytes : Buffer.alloc(0), ...colors])
  const file = Buffer.alloc(14)
  file.write('BM', 0, 'latin1')
  file.writeUInt32LE(14 + body.length + pixels.length, 2)
  file.writeUInt32LE(14 + body.length, 10)
  return Buffer.concat([file, body, pixels])
}

/** Rows of samples, each filled up to four bytes, in the order they are written. */
export function bmpRows(rows: readonly (readonly number[])[], bits: number): Buffer {
  return Buffer.concat(
    rows.map((row) => {
      const text = row.map((sample) => sampleBits(sample, bits)).join('')
      const padded = text.padEnd(Math.ceil(text.length / 32) * 32, '0')
      return Buffer.from((padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
    }),
  )
}

/** Samples of several bytes have their lowest byte first. */
function sampleBits(sample: number, bits: number): string {
  const text = (sample >>> 0).toString(2).padStart(bits, '0').slice(-bits)
  return bits <= 8 ? text : (text.match(/.{8}/g) ?? []).toReversed().join('')
}
