import type { Entry, ExtraField } from 'yauzl'
import { readSize } from './end-record.ts'
import { refuseEntry } from './entry.ts'

const ZIP64 = 0x0001
const FULL = 0xffff_ffff

/**
 * The field holds only what is marked as missing in the header. Some programs write all of it nevertheless, and some
 * readers then believe the field: so it may only repeat the header.
 */
export function checkZip64Field(path: string, entry: Entry): void {
  const fields = entry.extraFields.filter(({ id }) => id === ZIP64)
  const [field] = fields
  if (field === undefined) return
  if (fields.length > 1) throw refuseEntry('ambiguous', path, 'has two zip64 fields')
  const values = [entry.uncompressedSize, entry.compressedSize, entry.relativeOffsetOfLocalHeader]
  const { data } = field
  const stated = Array.from({ length: Math.floor(data.length / 8) }, (_, index) => readSize(data, index * 8))
  if (!isSubsequence(stated, values))
    throw refuseEntry('ambiguous', path, 'has a zip64 field that contradicts its header')
}

function isSubsequence(some: readonly number[], all: readonly number[]): boolean {
  let next = 0
  for (const value of all) if (some[next] === value) next += 1
  return next === some.length
}

/** Sizes of a local header, from its zip64 field where they are marked as missing. */
export function localSizes(
  header: { readonly uncompressedSize: number; readonly compressedSize: number },
  extraFields: readonly ExtraField[],
): { readonly size: number; readonly compressedSize: number } {
  const data = extraFields.find(({ id }) => id === ZIP64)?.data ?? Buffer.alloc(0)
  let at = 0
  const take = (plain: number): number => {
    if (plain !== FULL || at + 8 > data.length) return plain
    at += 8
    return readSize(data, at - 8)
  }
  return { size: take(header.uncompressedSize), compressedSize: take(header.compressedSize) }
}
