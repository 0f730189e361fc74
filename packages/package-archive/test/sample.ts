import { type ForgedEntry, forge } from './hostile/zip-writer.ts'

export const IDENTIFIER = 'com.example.blinky'

/** A package that any reader accepts, in the neutral dialect. */
export function sampleMetadata(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    name: 'Blinky',
    description: 'Blinks',
    description_full: 'Blinks a light.',
    identifier: IDENTIFIER,
    type: 'plugin',
    author: { name: 'Ada', contact: { web: 'https://example.com' } },
    license: 'MIT',
    resources: { homepage: 'https://example.com' },
    versions: [sampleVersion()],
    ...changes,
  }
}

export function sampleVersion(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { version: '1.0.0', status: 'stable', tool_version: '8.0', ...changes }
}

export function metadataEntry(metadata: unknown = sampleMetadata()): ForgedEntry {
  return { name: 'metadata.json', data: JSON.stringify(metadata) }
}

/** An archive that is right but for the entries that are added. */
export function forgeWith(...entries: readonly ForgedEntry[]): Buffer {
  return forge([metadataEntry(), { name: 'plugins/main.py', data: 'print("on")\n' }, ...entries])
}

/** The smallest bytes that pass for a PNG of this size. */
export function samplePng(width = 64, height = 64, filler = 0): Buffer {
  const png = Buffer.alloc(45 + filler)
  png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])
  png.write('IHDR', 12, 'latin1')
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  png.write('IEND', 37, 'latin1')
  return png
}
