const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const HEADER = 'IHDR'
const MAX_SIDE = 2048

/** Why these bytes are no icon. A picture of millions of pixels in a few bytes would burden every page that shows it. */
export function findIconFault(bytes: Uint8Array, maxBytes: number): string | undefined {
  if (bytes.length > maxBytes) return `has ${bytes.length} bytes; at most ${maxBytes} are accepted`
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isPng =
    view.length >= 33 &&
    view.subarray(0, 8).equals(SIGNATURE) &&
    view.readUInt32BE(8) === 13 &&
    view.toString('latin1', 12, 16) === HEADER
  if (!isPng) return 'is not a PNG'
  const sides = [view.readUInt32BE(16), view.readUInt32BE(20)]
  if (sides.some((side) => side < 1 || side > MAX_SIDE))
    return `is ${sides.join(' × ')} pixels large; at most ${MAX_SIDE} are accepted on a side`
  return undefined
}
