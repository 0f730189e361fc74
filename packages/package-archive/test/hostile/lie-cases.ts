import { crc32, deflateRawSync } from 'node:zlib'
import { forgeWith } from '../sample.ts'
import type { HostileCase } from './hostile-case.ts'
import { type ForgedEntry, pack } from './zip-writer.ts'

const data = 'a text of a few words, a text of a few words'
const deflated = deflateRawSync(data)

function lie(title: string, reason: HostileCase['reason'], changes: Partial<ForgedEntry>): HostileCase {
  return { title, reason, bytes: () => forgeWith({ name: 'plugins/a', data, ...changes }) }
}

function descriptor(crc: number, compressedSize: number, size: number): Buffer {
  return pack([0x08074b50, 4], [crc, 4], [compressedSize, 4], [size, 4])
}

export const LIES: readonly HostileCase[] = [
  lie('a larger size everywhere', 'size_mismatch', { size: 1000 }),
  lie('a smaller size everywhere', 'size_mismatch', { size: 3 }),
  lie('no size everywhere', 'size_mismatch', { size: 0 }),
  lie('a larger size in the directory', 'size_mismatch', { central: { size: 1000 } }),
  lie('a smaller size in the directory', 'size_mismatch', { central: { size: 3 } }),
  lie('a larger size in the own header', 'size_mismatch', { local: { size: 1000 } }),
  lie('another compressed size in the own header', 'size_mismatch', { local: { compressedSize: 3 } }),
  lie('a stored file with two sizes', 'size_mismatch', { method: 0, size: 3 }),
  lie('bytes after the deflated data', 'size_mismatch', { raw: Buffer.concat([deflated, Buffer.alloc(9)]) }),
  lie('a second deflated file after the first', 'size_mismatch', {
    raw: Buffer.concat([deflated, deflated]),
  }),
  lie('another size in the descriptor', 'size_mismatch', {
    descriptor: descriptor(crc32(data), deflated.length, 1000),
  }),
  lie('another compressed size in the descriptor', 'size_mismatch', {
    descriptor: descriptor(crc32(data), 1, data.length),
  }),
  lie('another size in front of a descriptor', 'size_mismatch', { descriptor: 16, local: { size: 5 } }),
  lie('another checksum everywhere', 'crc_mismatch', { crc: 1 }),
  lie('another checksum in the directory', 'crc_mismatch', { central: { crc: 1 } }),
  lie('another checksum in the own header', 'crc_mismatch', { local: { crc: 1 } }),
  lie('another checksum in the descriptor', 'crc_mismatch', {
    descriptor: descriptor(1, deflated.length, data.length),
  }),
  lie('another checksum of stored data', 'crc_mismatch', { method: 0, crc: 1 }),
  lie('a checksum for an empty file', 'crc_mismatch', { data: '', crc: 1 }),
  lie('other data than was summed up', 'crc_mismatch', { raw: deflateRawSync(data.toUpperCase()) }),
  lie('data that is not deflated', 'damaged', {
    raw: Buffer.from('\xff\xff\xff\xff not deflated', 'latin1'),
  }),
  lie('deflated data that stops', 'damaged', { raw: deflated.subarray(0, -3) }),
  lie('no deflated data at all', 'damaged', { raw: Buffer.alloc(0) }),
]

export const TWO_HEADERS: readonly HostileCase[] = [
  lie('another name in the own header', 'ambiguous', { local: { name: 'plugins/b' } }),
  lie('a traversal in the own header', 'ambiguous', { local: { name: '../../outside.txt' } }),
  lie('a name in other case in the own header', 'ambiguous', { local: { name: 'plugins/A' } }),
  lie('no name in the own header', 'ambiguous', { local: { name: '' } }),
  lie('another method in the own header', 'ambiguous', { local: { method: 0 } }),
  lie('encryption in the own header', 'ambiguous', { local: { flags: 0x801 } }),
  lie('a descriptor in the own header alone', 'ambiguous', { local: { flags: 0x808 } }),
  lie('a descriptor in the directory alone', 'ambiguous', { central: { flags: 0x808 } }),
  lie('another encoding in the own header', 'ambiguous', { local: { flags: 0 } }),
  lie('a descriptor that is not there', 'ambiguous', { descriptor: Buffer.alloc(0) }),
  lie('a descriptor without its signature', 'ambiguous', { descriptor: Buffer.alloc(16) }),
  lie('a descriptor of an odd length', 'ambiguous', { descriptor: Buffer.alloc(13) }),
]
