import { crc32, deflateRawSync } from 'node:zlib'
import { forgeWith, metadataEntry } from '../sample.ts'
import type { HostileCase } from './hostile-case.ts'
import { type ForgedEntry, forge, localHeader, pack } from './zip-writer.ts'

const MIB = 2 ** 20

/** Made once, when first asked for: 64 MiB of zeros in 64 KiB. */
let zeros: { readonly raw: Buffer; readonly crc: number; readonly size: number } | undefined

export function bombEntry(name: string, changes: Partial<ForgedEntry> = {}): ForgedEntry {
  if (zeros === undefined) {
    const data = Buffer.alloc(64 * MIB)
    zeros = { raw: deflateRawSync(data), crc: crc32(data), size: data.length }
  }
  return { name, method: 8, ...zeros, ...changes }
}

/** Each file is a block that holds the header of the next, and then all of the next. */
export function forgeOverlaps(count: number): Buffer {
  const kernel = Buffer.alloc(MIB)
  let raw = deflateRawSync(kernel)
  let data = kernel
  const entries: (ForgedEntry & { readonly length: number })[] = []
  for (let index = count; index > 0; index -= 1) {
    const name = `plugins/${index}`
    const fields = { name, flags: 0x800, method: 8, crc: crc32(data), size: data.length }
    const header = localHeader({ ...fields, compressedSize: raw.length, extra: Buffer.alloc(0) })
    entries.unshift({ ...fields, compressedSize: raw.length, length: header.length + raw.length })
    const quote = pack([0, 1], [header.length, 2], [header.length ^ 0xffff, 2])
    raw = Buffer.concat([quote, header, raw])
    data = Buffer.concat([header, data])
  }
  const total = raw.length - 5
  // The first is written whole and holds the others; the directory points into it.
  const metadata = forge([metadataEntry()])
  const start = metadata.readUInt32LE(metadata.length - 6)
  const [first, ...rest] = entries
  if (first === undefined) throw new Error('an archive of overlaps needs an entry')
  const body = raw.subarray(5 + first.length - (first.compressedSize ?? 0))
  return forge([
    metadataEntry(),
    { ...first, raw: body },
    ...rest.map((entry) => ({ ...entry, directoryOnly: true, offset: start + total - entry.length })),
  ])
}

const stored = { name: 'plugins/a', data: 'x'.repeat(500), method: 0 } as const

export const OVERLAPS: readonly HostileCase[] = [
  ...[2, 10, 250].map((count) => ({
    title: `${count} files that quote each other`,
    reason: 'overlap' as const,
    bytes: () => forgeOverlaps(count),
  })),
  {
    title: 'data that runs into the directory',
    reason: 'overlap',
    bytes: () => forgeWith({ ...stored, size: 540, compressedSize: 540 }),
  },
  {
    title: 'data that runs into the next file',
    reason: 'overlap',
    bytes: () => forgeWith({ ...stored, size: 510, compressedSize: 510 }, { name: 'plugins/b', data: 'x' }),
  },
  {
    title: 'a file inside the data of another',
    reason: 'overlap',
    bytes: () => {
      const inner = forge([{ name: 'plugins/in', data: 'x', method: 0 }])
      const outer = forgeWith({ ...stored, data: inner })
      const offset = outer.indexOf(inner)
      const hidden = { name: 'plugins/in', data: 'x', method: 0, directoryOnly: true, offset }
      return forgeWith({ ...stored, data: inner }, hidden)
    },
  },
]

export const RATIO_BOMBS: readonly HostileCase[] = [
  { title: 'zeros', reason: 'bomb_ratio', bytes: () => forgeWith(bombEntry('plugins/zeros')) },
  {
    title: 'zeros outside of the known folders',
    reason: 'bomb_ratio',
    bytes: () => forgeWith(bombEntry('docs/zeros')),
  },
  {
    title: 'zeros with a descriptor',
    reason: 'bomb_ratio',
    bytes: () => forgeWith(bombEntry('plugins/zeros', { descriptor: 16 })),
  },
  {
    title: 'zeros in place of the metadata',
    reason: 'bomb_ratio',
    bytes: () => forge([bombEntry('metadata.json')]),
  },
  {
    title: 'zeros in place of the icon',
    reason: 'bomb_ratio',
    bytes: () => forgeWith(bombEntry('resources/icon.png')),
  },
  {
    title: 'zeros that say they are one byte',
    reason: 'size_mismatch',
    bytes: () => forgeWith(bombEntry('plugins/zeros', { size: 1 })),
  },
  {
    title: 'zeros that say they are just within the ratio',
    reason: 'size_mismatch',
    bytes: () => forgeWith(bombEntry('plugins/zeros', { size: 200 * 65_000 })),
  },
  {
    title: 'a ratio of ten where five are allowed',
    reason: 'bomb_ratio',
    limits: { maxRatio: 5 },
    bytes: () => {
      const data = Buffer.alloc(2 * MIB)
      crypto.getRandomValues(data.subarray(0, 60_000))
      for (let at = 60_000; at < data.length; at += 1) if (at % 30 === 0) data[at] = at >> 3
      return forgeWith({ name: 'plugins/a', data })
    },
  },
]

export const TOTAL_BOMBS: readonly HostileCase[] = [
  {
    title: 'many files that are small enough each',
    reason: 'bomb_total',
    limits: { maxInstallBytes: 10 * MIB },
    bytes: () => {
      const data = Buffer.alloc(MIB)
      return forgeWith(...Array.from({ length: 11 }, (_, index) => ({ name: `plugins/${index}`, data })))
    },
  },
  {
    title: 'two gigabytes and one byte',
    reason: 'bomb_total',
    bytes: () => {
      const data = Buffer.alloc(MIB)
      const entry = { data: '', raw: deflateRawSync(data), crc: crc32(data), size: MIB, method: 8 }
      return forgeWith(
        ...Array.from({ length: 2048 }, (_, index) => ({ ...entry, name: `plugins/${index}` })),
      )
    },
  },
  {
    title: 'one stored file that is too large',
    reason: 'bomb_total',
    limits: { maxInstallBytes: 1000 },
    bytes: () => forgeWith({ name: 'docs/a', data: 'x'.repeat(2000), method: 0 }),
  },
]

export const TOO_MUCH: readonly HostileCase[] = [
  {
    title: 'one entry too many',
    reason: 'too_many_entries',
    limits: { maxEntries: 2 },
    bytes: () => forgeWith({ name: 'plugins/b', data: 'x' }),
  },
  {
    title: '50,001 entries, if one believes it',
    reason: 'too_many_entries',
    bytes: () => forge([metadataEntry()], { entryCount: 50_001 }),
  },
  {
    title: 'one byte too many',
    reason: 'too_large',
    limits: { maxArchiveBytes: forgeWith().length - 1 },
    bytes: () => forgeWith(),
  },
]
