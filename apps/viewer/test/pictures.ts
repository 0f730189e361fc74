import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { PASTES } from './start.ts'

/** A PNG of one color. */
export function png(
  width: number,
  height: number,
  color: readonly [number, number, number] = [20, 120, 200],
): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.of(0), ...Array.from({ length: width }, () => Buffer.from(color))])
  const pixels = Buffer.concat(Array.from({ length: height }, () => row))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** The pictures that lie in a project, by name. */
export async function picturesIn(project: string): Promise<string[]> {
  const names = await readdir(join(project, PASTES)).catch(() => [])
  return names.filter((name) => name.endsWith('.png')).toSorted()
}

/** Those that have come since `before` was looked at, for tests that share a project. */
export async function picturesSince(project: string, before: readonly string[]): Promise<string[]> {
  return (await picturesIn(project)).filter((name) => !before.includes(name))
}

/** What is not yet, or no longer, a paste. */
export async function stagedIn(project: string): Promise<string[]> {
  return await readdir(join(project, PASTES, '.viewer', 'staging')).catch(() => [])
}

/** Names that go together: every optimized picture with its original. */
export function isPaired(files: readonly string[]): boolean {
  const all = new Set(files)
  return files.every((file) =>
    file.endsWith('-original.png')
      ? all.has(file.replace(/-original\.png$/, '.png'))
      : all.has(file.replace(/\.png$/, '-original.png')),
  )
}
