import { type BmpHeader, lowestBit, rowBytes } from './bmp-header.ts'
import { unpackRuns } from './bmp-runs.ts'

/** Pixels as sharp takes them: rows from the top, red first. */
export interface RawPixels {
  readonly data: Uint8Array
  readonly channels: 3 | 4
}

type RowReader = (from: number, to: number) => void

export function bmpChannels({ masks }: BmpHeader): 3 | 4 {
  return masks.alpha === 0 ? 3 : 4
}

/** The header was checked against the length of the file. */
export function decodeBmp(bytes: Uint8Array, header: BmpHeader): RawPixels {
  const { width, height } = header
  const channels = bmpChannels(header)
  const source = header.isRunLength ? unpackRuns(bytes, header) : bytes
  const start = header.isRunLength ? 0 : header.start
  const stride = header.isRunLength ? width : rowBytes(width, header.bits)
  const data = new Uint8Array(width * height * channels)
  const readRow = rowReader(source, data, header)
  for (let row = 0; row < height; row += 1) {
    const target = header.isTopDown ? row : height - 1 - row
    readRow(start + row * stride, target * width * channels)
  }
  if (channels === 4) showIfInvisible(data)
  return { data, channels }
}

function rowReader(source: Uint8Array, data: Uint8Array, header: BmpHeader): RowReader {
  if (header.isRunLength) return paletteRows(source, data, header, 8)
  if (header.bits <= 8) return paletteRows(source, data, header, header.bits)
  const { red, green, blue, alpha } = header.masks
  const isPlain = red === 0xff0000 && green === 0xff00 && blue === 0xff && alpha === 0
  if (header.bits === 24 || (header.bits === 32 && isPlain)) return byteRows(source, data, header)
  return maskedRows(source, data, header)
}

function paletteRows(
  source: Uint8Array,
  data: Uint8Array,
  { width, palette }: BmpHeader,
  bits: number,
): RowReader {
  const perByte = 8 / bits
  const mask = 2 ** bits - 1
  return (from, to) => {
    for (let x = 0; x < width; x += 1) {
      const byte = source[from + Math.floor(x / perByte)] ?? 0
      const index = ((byte >> (8 - bits - (x % perByte) * bits)) & mask) * 3
      const pixel = to + x * 3
      data[pixel] = palette[index] ?? 0
      data[pixel + 1] = palette[index + 1] ?? 0
      data[pixel + 2] = palette[index + 2] ?? 0
    }
  }
}

function byteRows(source: Uint8Array, data: Uint8Array, { width, bits }: BmpHeader): RowReader {
  const step = bits / 8
  return (from, to) => {
    for (let x = 0, at = from, pixel = to; x < width; x += 1, at += step, pixel += 3) {
      data[pixel] = source[at + 2] ?? 0
      data[pixel + 1] = source[at + 1] ?? 0
      data[pixel + 2] = source[at] ?? 0
    }
  }
}

function maskedRows(source: Uint8Array, data: Uint8Array, header: BmpHeader): RowReader {
  const { width, bits, masks } = header
  const channels = bmpChannels(header)
  const [red, green, blue, alpha] = [masks.red, masks.green, masks.blue, masks.alpha].map(channelOf)
  const step = bits / 8
  return (from, to) => {
    for (let x = 0, at = from, pixel = to; x < width; x += 1, at += step, pixel += channels) {
      const low = (source[at] ?? 0) | ((source[at + 1] ?? 0) << 8)
      const value = bits === 16 ? low : low | ((source[at + 2] ?? 0) << 16) | ((source[at + 3] ?? 0) << 24)
      data[pixel] = red?.(value) ?? 0
      data[pixel + 1] = green?.(value) ?? 0
      data[pixel + 2] = blue?.(value) ?? 0
      if (channels === 4) data[pixel + 3] = alpha?.(value) ?? 0
    }
  }
}

/** From the bits of a mask to 0 … 255, where all bits set is 255 whatever their number. */
function channelOf(mask: number): (pixel: number) => number {
  if (mask === 0) return () => 0
  const shift = lowestBit(mask)
  const count = 32 - Math.clz32(mask) - shift
  if (count > 8) return (pixel) => ((pixel & mask) >>> shift) >>> (count - 8)
  const most = 2 ** count - 1
  const table = Uint8Array.from({ length: most + 1 }, (_, value) => Math.round((value * 255) / most))
  return (pixel) => table[(pixel & mask) >>> shift] ?? 0
}

/** A picture in which nothing could be seen has an alpha channel that its writer never filled. */
function showIfInvisible(data: Uint8Array): void {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 0) return
  for (let at = 3; at < data.length; at += 4) data[at] = 255
}
