import { readFile } from 'node:fs/promises'
import { zstdDecompressSync } from 'node:zlib'
import { McapIndexedReader } from '@mcap/core'
import type { User } from '@patchbay/cli/test/user'
import { connectWorkspace } from '@patchbay/client/workspaces'
import { waitUntil } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, startInstallation } from '../workspace-cli/installation.ts'
import { sendValues } from './motor.ts'

interface Added {
  readonly key: string
}

const PATIENCE = { deadlineMs: 60_000 }
const HOUR_MS = 60 * 60_000

let site: Installation
let ada: User
beforeAll(async () => {
  site = await startInstallation({ PATCHBAY_MQTT_PORT: '0' })
  ada = await site.shell('panels:ada/*', 'devices:command:ada/*')
})
afterAll(async () => {
  await ada[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

async function newWorkspace() {
  const name = site.newWorkspace()
  expect((await ada.run('workspace', 'make', name)).code).toBe(0)
  const [owner = '', repo = ''] = name.split('/')
  const apiKey = await site.apiKey('panels:ada/*', 'devices:command:ada/*')
  return { name, ...connectWorkspace({ baseUrl: site.url, owner, repo, apiKey }) }
}

const range = () => ({ from: new Date(Date.now() - HOUR_MS), to: new Date(Date.now() + HOUR_MS) })

/** Sends until it is heard that it is recorded, and then what counts. */
async function recorded(
  { name, recordings }: Awaited<ReturnType<typeof newWorkspace>>,
  values: readonly object[],
): Promise<void> {
  const { key } = await ada.json<Added>('device', 'add', name, 'motor-1')
  await recordings.start()
  const count = async (channel: string) => {
    let found = 0
    for await (const value of recordings.values('motor-1', range())) if (value.channel === channel) found += 1
    return found
  }
  await waitUntil(
    'it is recorded',
    async () => {
      await sendValues(site.url, key, { beat: 1 })
      return (await count('beat')) > 0
    },
    PATIENCE,
  )
  for (const value of values) await sendValues(site.url, key, value)
  await waitUntil('all is stored', async () => (await count('speed')) === values.length, PATIENCE)
}

test('[CL-150][CL-151][CL-152] what a device has sent is read, exported and marked from a program', async () => {
  const workspace = await newWorkspace()
  const { recordings } = workspace
  expect((await recordings.state()).since).toBeNull()
  await recorded(workspace, [{ speed: 1.5 }, { speed: -2 }])
  expect((await recordings.state()).by?.handle).toBe('ada')
  const values = []
  for await (const { channel, value } of recordings.values('motor-1', { ...range(), channels: ['speed'] }))
    values.push([channel, value])
  expect(values).toEqual([
    ['speed', 1.5],
    ['speed', -2],
  ])
  await waitUntil(
    'its numbers are kept',
    async () => {
      const { series } = await recordings.history('motor-1', { ...range(), channels: ['speed'], points: 10 })
      const [, min, max] = series[0]?.points[0] ?? []
      return min === -2 && max === 1.5
    },
    PATIENCE,
  )
  const csv = await new Response(await recordings.export({ ...range(), format: 'csv' })).text()
  expect(csv).toContain(',motor-1,speed,1.5\r\n')
  const marker = await recordings.mark('It began to smoke')
  expect(await recordings.markers()).toEqual([marker])
  expect(await recordings.markers({ to: new Date(0) })).toEqual([])
  await recordings.unmark(marker.id)
  expect(await recordings.markers()).toEqual([])
  expect(await recordings.list('motor-1')).toEqual([])
  expect((await recordings.stop()).since).toBeNull()
})

test('[CLI-240] the numbers of a device are printed, a line for each point', async () => {
  const workspace = await newWorkspace()
  await recorded(workspace, [{ speed: 1.5 }])
  const { name } = workspace
  await waitUntil(
    'its numbers are kept',
    async () =>
      (await ada.run('device', 'history', name, 'motor-1', '--channel', 'speed')).stdout.includes('1.5'),
    PATIENCE,
  )
  const { stdout } = await ada.run('device', 'history', name, 'motor-1', '--from', '2h', '--points', '1')
  expect(stdout).toMatch(/^Each line is \d+ s: .*\n\S+Z {2}beat {3}1 {2}/)
  expect(await ada.run('device', 'history', name, 'motor-1', '--from', 'tomorrow')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"tomorrow" is no time.'),
  })
  expect(await ada.run('device', 'history', name, 'motor-1', '--from', '1h', '--to', '2h')).toMatchObject({
    code: 2,
  })
  expect(await ada.run('device', 'history', name, 'moter-1')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Did you mean motor-1?'),
  })
})

test('[CLI-241] what was recorded is written into a file that programs for MCAP read, or printed as CSV', async () => {
  const workspace = await newWorkspace()
  await recorded(workspace, [{ speed: 1.5 }])
  const { name } = workspace
  const file = ada.at('run.mcap')
  const written = await ada.run('device', 'export', name, 'motor-1', '-o', file)
  expect(written).toMatchObject({ code: 0, stdout: expect.stringContaining(`Wrote ${file}`) })
  const bytes = await readFile(file)
  const reader = await McapIndexedReader.Initialize({
    readable: {
      size: async () => BigInt(bytes.length),
      read: async (offset, size) => bytes.subarray(Number(offset), Number(offset + size)),
    },
    decompressHandlers: { zstd: (chunk) => zstdDecompressSync(chunk) },
  })
  expect(Array.from(reader.channelsById.values(), ({ topic }) => topic).toSorted()).toEqual([
    'motor-1/beat',
    'motor-1/speed',
  ])
  expect((await ada.run('device', 'export', name, '-o', file)).code).not.toBe(0)
  expect((await ada.run('device', 'export', name, '-o', file, '--force')).code).toBe(0)
  expect((await ada.run('device', 'export', name, '--format', 'csv')).stdout).toContain(',motor-1,speed,1.5')
})

test('[CLI-242] recording is started, stopped and asked about', async () => {
  const { name } = await newWorkspace()
  expect((await ada.run('device', 'record', name)).stdout).toContain(
    `The devices of ${name} are not recorded.`,
  )
  expect((await ada.run('device', 'record', name, '--start')).stdout).toMatch(
    /^Recording the devices of .* started by ada\./,
  )
  expect((await ada.run('device', 'record', name, '--stop')).stdout).toContain('are not recorded')
  expect((await ada.run('device', 'record', name, '--start', '--stop')).code).toBe(2)
})
