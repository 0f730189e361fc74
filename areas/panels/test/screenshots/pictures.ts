import { crc32, deflateSync } from 'node:zlib'
import type { BrowserCommand, TakenPicture } from '@patchbay/contracts/panels'
import type { CommandOutcome } from '../../src/control.ts'
import type { Calls } from '../webview/calls.ts'

export const PATH = '/api/workspaces/editor/ada/board/current/screenshot'
export const uploadPath = (id: string, repo = 'board') => `/api/workspaces/editor/ada/${repo}/captures/${id}`
export const picturePath = (id: string, repo = 'board') =>
  `/api/workspaces/editor/ada/${repo}/screenshots/${id}.png`

/** A picture of one color. */
export function makePng(width: number, height: number, level = 128): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc(height * (width + 1), level)
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(content.length + 8)
  framed.writeUInt32BE(data.length, 0)
  content.copy(framed, 4)
  framed.writeUInt32BE(crc32(content), content.length + 4)
  return framed
}

interface FoundChunk {
  readonly type: string
  readonly data: Buffer
}

/** All chunks of a PNG; fails on one whose checksum is wrong. */
export function chunksOf(png: Buffer): FoundChunk[] {
  const found: FoundChunk[] = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const content = png.subarray(at + 4, at + 8 + length)
    if (crc32(content) !== png.readUInt32BE(at + 8 + length)) throw new Error('a chunk is damaged')
    found.push({ type: content.subarray(0, 4).toString('latin1'), data: content.subarray(4) })
    at += 12 + length
  }
  return found
}

type ScreenshotCommand = Extract<BrowserCommand, { kind: 'screenshot' }>

export function upload(calls: Calls, id: string, png: BodyInit, repo?: string): Promise<Response> {
  return calls.as('ada', { kind: 'browser' }).ask(uploadPath(id, repo), {
    method: 'PUT',
    headers: { 'content-type': 'image/png' },
    body: png,
  })
}

const PICTURE: TakenPicture = {
  engine: 'restriction-target',
  width: 40,
  height: 30,
  scale: 2,
  wasActivated: false,
}

/** A page that shares: it takes the picture, hands it in and says so. */
export function takesPictures(
  calls: Calls,
  facts: Partial<TakenPicture> = {},
  level?: number,
): ScreenshotCommand[] {
  const asked: ScreenshotCommand[] = []
  calls.control.answer = async (command): Promise<CommandOutcome> => {
    if (command.kind !== 'screenshot') return { outcome: 'timeout' }
    asked.push(command)
    const answer = await upload(calls, command.captureId, makePng(40, 30, level))
    if (answer.status !== 204) throw new Error(`${answer.status} ${await answer.text()}`)
    return { outcome: 'done', result: { picture: { ...PICTURE, ...facts } } }
  }
  return asked
}
