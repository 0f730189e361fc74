import { open } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { zstdCompressSync } from 'node:zlib'
import { McapWriter } from '@mcap/core'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** What a program would write that knows neither devices nor nodes. */
export interface Sent {
  readonly series: number
  readonly at: number
  readonly value: number
}

const TABLE = `series_id bigint not null, at timestamptz not null, min double precision not null,
  max double precision not null, mean double precision not null, last double precision not null, count integer not null`

export async function makeBareTable(client: Client): Promise<void> {
  await client.query(`drop table if exists bare_seconds; create table bare_seconds (${TABLE});
    create index on bare_seconds (series_id, at)`)
}

/** As text, which every client can write. */
export async function copyRows(client: Client, rows: readonly Sent[]): Promise<void> {
  const stream = client.query(copyFrom('copy bare_seconds from stdin'))
  let text = ''
  for (const { series, at, value } of rows)
    text += `${series}\t${new Date(at).toISOString()}\t${value}\t${value}\t${value}\t${value}\t1\n`
  stream.end(text)
  await finished(stream)
}

export async function insertRows(client: Client, rows: readonly Sent[]): Promise<void> {
  const values = rows.map(({ value }) => value)
  await client.query({
    name: 'insert',
    text: `insert into bare_seconds select * from unnest($1::bigint[], $2::timestamptz[], $3::float8[], $4::float8[],
      $5::float8[], $6::float8[], $7::int[])`,
    values: [
      rows.map(({ series }) => series),
      rows.map(({ at }) => new Date(at).toISOString()),
      values,
      values,
      values,
      values,
      rows.map(() => 1),
    ],
  })
}

/** One file, as the library's own writer makes it. */
export async function writeMcap(path: string, channels: number, values: Iterable<Sent>): Promise<number> {
  const file = await open(path, 'w')
  let position = 0
  const writer = new McapWriter({
    chunkSize: 256 * 1024,
    compressChunk: (chunk) => ({
      compression: 'zstd',
      compressedData: zstdCompressSync(chunk, { params: { 100: 1 } }),
    }),
    writable: {
      position: () => BigInt(position),
      async write(bytes) {
        await file.write(bytes)
        position += bytes.byteLength
      },
    },
  })
  await writer.start({ profile: '', library: 'bench' })
  const schemaId = await writer.registerSchema({
    name: 'number',
    encoding: 'jsonschema',
    data: Buffer.from('{"type":"object"}'),
  })
  const ids: number[] = []
  for (let n = 0; n < channels; n += 1)
    ids.push(
      await writer.registerChannel({
        schemaId,
        topic: `device/c${n}`,
        messageEncoding: 'json',
        metadata: new Map(),
      }),
    )
  let sequence = 0
  for (const { series, at, value } of values) {
    const time = BigInt(at) * 1_000_000n
    const data = Buffer.from(JSON.stringify({ value }))
    await writer.addMessage({
      channelId: ids[series % channels] ?? 0,
      sequence,
      logTime: time,
      publishTime: time,
      data,
    })
    sequence += 1
  }
  await writer.end()
  await file.sync()
  await file.close()
  return sequence
}
