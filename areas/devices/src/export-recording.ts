import { zstdCompressSync } from 'node:zlib'
import { McapWriter } from '@mcap/core'
import type { RecordedValue } from '@patchbay/contracts/devices'
import { dataOf, KINDS, kindOf, LIBRARY, nanoseconds, schemaOf, ZSTD } from './recording-file.ts'

/** A device, by its name in the workspace, and what was recorded of it. */
export interface ExportedDevice {
  readonly name: string
  readonly values: AsyncIterable<RecordedValue>
}

/** One file of several devices, as it is made. */
export async function* exportMcap(devices: Iterable<ExportedDevice>): AsyncGenerator<Uint8Array> {
  let written: Uint8Array[] = []
  let position = 0n
  const writer = new McapWriter({
    writable: {
      position: () => position,
      async write(bytes) {
        position += BigInt(bytes.byteLength)
        // The writer uses its buffer again.
        written.push(Uint8Array.from(bytes))
      },
    },
    compressChunk: (chunk) => ({ compression: 'zstd', compressedData: zstdCompressSync(chunk, ZSTD) }),
  })
  const take = () => {
    const taken = written
    written = []
    return taken
  }
  await writer.start({ profile: '', library: LIBRARY })
  const schemas = new Map<string, number>()
  for (const [index, kind] of KINDS.entries()) {
    const { id: _, ...schema } = schemaOf(index + 1, kind)
    schemas.set(kind, await writer.registerSchema(schema))
  }
  let sequence = 0
  for (const { name, values } of devices) {
    const channels = new Map<string, number>()
    for await (const { channel, value, at } of values) {
      let channelId = channels.get(channel)
      if (channelId === undefined) {
        channelId = await writer.registerChannel({
          schemaId: schemas.get(kindOf(value)) ?? 0,
          topic: `${name}/${channel}`,
          messageEncoding: 'json',
          metadata: new Map(),
        })
        channels.set(channel, channelId)
      }
      const time = nanoseconds(at)
      const data = Buffer.from(dataOf(value))
      await writer.addMessage({ channelId, sequence, logTime: time, publishTime: time, data })
      sequence = (sequence + 1) >>> 0
      if (written.length > 0) yield* take()
    }
  }
  await writer.end()
  yield* take()
}

const ROWS_AT_ONCE = 500

export async function* exportCsv(devices: Iterable<ExportedDevice>): AsyncGenerator<Uint8Array> {
  let lines = ['at,device,channel,value']
  const take = () => {
    const text = `${lines.join('\r\n')}\r\n`
    lines = []
    return Buffer.from(text)
  }
  for (const { name, values } of devices) {
    for await (const { at, channel, value } of values) {
      // In quotes twice, text is no formula of a spreadsheet.
      const json = JSON.stringify(value)
      const field = /[",\n\r]/.test(json) ? `"${json.replaceAll('"', '""')}"` : json
      lines.push(`${new Date(at).toISOString()},${name},${channel},${field}`)
      if (lines.length >= ROWS_AT_ONCE) yield take()
    }
  }
  yield take()
}
