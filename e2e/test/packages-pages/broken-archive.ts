import { crc32 } from 'node:zlib'

/** A zip with just this metadata, valid or not: what packing refuses to make. */
export function zipOfMetadata(metadata: unknown): Uint8Array<ArrayBuffer> {
  const name = Buffer.from('metadata.json')
  const content = Buffer.from(JSON.stringify(metadata, null, 2))
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(0x0800, 2)
  fields.writeUInt32LE(0x00210000, 6)
  fields.writeUInt32LE(crc32(content), 10)
  fields.writeUInt32LE(content.length, 14)
  fields.writeUInt32LE(content.length, 18)
  fields.writeUInt16LE(name.length, 22)
  const place = Buffer.alloc(14)
  place.writeUInt32LE(0o100644 * 0x10000, 6)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, content])
  const directory = Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), fields, place, name])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(local.length, 16)
  return new Uint8Array(Buffer.concat([local, directory, end]))
}
