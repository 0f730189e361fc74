import { crc32 } from 'node:zlib'

export interface ArchivedText {
  readonly name: string
  readonly content: Uint8Array | string
}

/** A zip without compression, in the order given. Small on purpose: hostile archives are tested where they are read. */
export function zipOf(entries: readonly ArchivedText[]): Uint8Array {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const { name, content } of entries) {
    const bytes = Buffer.from(content)
    const path = Buffer.from(name)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(0x0800, 2)
    shared.writeUInt32LE(0x00210000, 6)
    shared.writeUInt32LE(crc32(bytes), 10)
    shared.writeUInt32LE(bytes.length, 14)
    shared.writeUInt32LE(bytes.length, 18)
    shared.writeUInt16LE(path.length, 22)
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), shared, path, bytes])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(0o100644 * 0x10000, 6)
    place.writeUInt32LE(offset, 10)
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), shared, place, path]))
    local.push(entry)
    offset += entry.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, directory, end])
}

/** The smallest PNG there is: one transparent pixel. */
export const ICON = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

export interface ArchiveContent {
  readonly identifier?: string
  readonly version?: string
  /** Over the fields of the package. */
  readonly package?: Readonly<Record<string, unknown>>
  /** Over the fields of its version. */
  readonly versionFields?: Readonly<Record<string, unknown>>
  readonly icon?: Uint8Array | undefined
  /** Makes other bytes of the same metadata. */
  readonly code?: string
  readonly brand?: string
}

export function metadataOf(content: ArchiveContent = {}): Record<string, unknown> {
  const { identifier = 'com.example.blinky', version = '1.0.0', brand = 'tool' } = content
  return {
    name: 'Blinky',
    description: 'Lets a light blink',
    description_full: 'Lets a light blink at a pace of your choice.',
    identifier,
    type: 'plugin',
    author: { name: 'Ada Lovelace', contact: { web: 'https://example.com/ada' } },
    license: 'MIT',
    resources: { homepage: 'https://example.com/blinky' },
    tags: ['led'],
    ...content.package,
    versions: [{ version, status: 'stable', [`${brand}_version`]: '8.0', ...content.versionFields }],
  }
}

/** A sound archive, unless a test asks for another. */
export function archiveOf(content: ArchiveContent = {}): Uint8Array {
  const icon = 'icon' in content ? content.icon : ICON
  return zipOf([
    { name: 'metadata.json', content: JSON.stringify(metadataOf(content)) },
    { name: 'plugins/__init__.py', content: content.code ?? 'print("blink")\n' },
    ...(icon === undefined ? [] : [{ name: 'resources/icon.png', content: icon }]),
  ])
}
