import { crc32, inflateRawSync } from 'node:zlib'

const END = Buffer.from('PK\u0005\u0006', 'latin1')
const DEFLATED = 8

/** Reads a zip by the letter of its format and with nothing of ours: an archive must not only suit our own reader. */
export function unzip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(END)
  if (end < 0) throw new Error('this is no zip')
  const entries = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      zip.readUInt16LE(at + offset),
    )
    const nameEnd = at + 46 + (nameLength ?? 0)
    const name = zip.toString('utf8', at + 46, nameEnd)
    const content = contentOf(zip, at)
    if (crc32(content) !== zip.readUInt32LE(at + 16)) throw new Error(`${name} is damaged`)
    entries.set(name, content)
    at = nameEnd + (extraLength ?? 0) + (commentLength ?? 0)
  }
  return entries
}

function contentOf(zip: Buffer, entry: number): Buffer {
  const local = zip.readUInt32LE(entry + 42)
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  const stored = zip.subarray(start, start + zip.readUInt32LE(entry + 20))
  return zip.readUInt16LE(entry + 10) === DEFLATED ? inflateRawSync(stored) : stored
}
