import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf } from '@patchbay/testkit/postgres-family'
import { type HeldMemory, measureHeld, readMemory, requireHeld, warmedUp } from '../memory.ts'
import { cpuOf, cpuOfPostgres, startWorker, type Worker, withCpu } from '../processes.ts'
import { inTurns, type Rounds } from '../report.ts'
import type { DeviceClients } from './device-clients.ts'
import { type Fleet, SIDES, type Side, type SideName, startSide } from './fleet.ts'

const CLIENTS = new URL('./device-clients.ts', import.meta.url)

/** A process may have 20,000 open files on the machines of the figures. */
function startClients(side: Side, fleet: Fleet) {
  const parts = new DisposableStack()
  const workers = [1, 2].map((): Worker<DeviceClients> => parts.use(startWorker<DeviceClients>(CLIENTS)))
  return {
    workers,
    async open(from: number, count: number): Promise<void> {
      const devices = fleet.devices.slice(from, from + count)
      await Promise.all(
        workers.map((worker, n) =>
          worker.ask('connect', {
            port: side.mqttPort,
            devices: devices.filter((_each, index) => index % workers.length === n),
          }),
        ),
      )
    },
    async held(): Promise<number> {
      const open = await Promise.all(workers.map((worker) => worker.ask('open')))
      return open.reduce((total, each) => total + each, 0)
    },
    [Symbol.dispose]: () => parts.dispose(),
  }
}

/** What a connected device costs, in turns and in fresh processes. */
export async function measureConnected(
  fleet: Fleet,
  { devices, rounds }: { readonly devices: number; readonly rounds: number },
): Promise<Rounds<SideName, HeldMemory>> {
  return await inTurns(SIDES, rounds, async (name) => {
    await using side = await startSide(name, fleet)
    using clients = startClients(side, fleet)
    return await measureHeld(side.node, {
      ...warmedUp(devices),
      async open(from, count) {
        await clients.open(from, count)
        await sleep(SETTLE_MS)
      },
      held: () => clients.held(),
    })
  })
}

/** What was begun for a device that has connected is over: rows are read and written. */
const SETTLE_MS = 3_000

/** Of one device, where nothing else is said. */
export interface LevelCost {
  readonly memory: number
  /** Of a second, in microseconds. */
  readonly cpu: number
}

export interface Level {
  readonly devices: number
  readonly connectSeconds: number
  /** Bare aedes with the same connections and messages. */
  readonly broker: LevelCost
  /** The node, its own broker included. */
  readonly node: LevelCost
  readonly postgres: LevelCost
  /** Of the whole node and the whole database, in bytes. */
  readonly nodeTotal: number
  readonly rowBytes: number
}

export interface SlopeSizes {
  readonly levels: readonly number[]
  /** Between two values of a device. */
  readonly everySeconds: number
  readonly seconds: number
}

/** How what a device costs changes with how many there are: each sends one value every so many seconds, and nobody watches. */
export async function measureSlope(fleet: Fleet, sizes: SlopeSizes): Promise<readonly Level[]> {
  const levels: Level[] = []
  for (const devices of sizes.levels) {
    const broker = await measureLevel(fleet, 'relay', devices, sizes)
    const server = await measureLevel(fleet, 'server', devices, sizes)
    levels.push({
      devices,
      connectSeconds: server.connectSeconds,
      broker: broker.node,
      node: server.node,
      postgres: server.postgres,
      nodeTotal: server.nodeTotal,
      rowBytes: server.rowBytes,
    })
  }
  return levels
}

async function measureLevel(
  fleet: Fleet,
  name: SideName,
  devices: number,
  { everySeconds, seconds }: SlopeSizes,
): Promise<Omit<Level, 'devices' | 'broker'>> {
  const { client, postgres } = fleet.database
  await client.query('truncate device_values, device_series, device_seconds')
  await client.query('vacuum full devices')
  await using side = await startSide(name, fleet)
  using clients = startClients(side, fleet)
  const { node } = side
  const postmaster = postgres.pid()
  const empty = await readMemory(node)
  const [emptyDatabase, emptyRows] = await Promise.all([memoryOf(postmaster), rowBytes(fleet)])
  const began = performance.now()
  await clients.open(0, devices)
  const connectSeconds = (performance.now() - began) / 1000
  await Promise.all(clients.workers.map((worker) => worker.ask('introduce', { channels: 1 })))
  await sleep(SETTLE_MS)
  const rate = devices / everySeconds / clients.workers.length
  const meters = { node: () => cpuOf(node.pid), postgres: () => cpuOfPostgres(postmaster) }
  const { cpu } = await withCpu(meters, async () => {
    const order = { rate, seconds, channels: 1, every: 1 }
    await Promise.all(clients.workers.map((worker) => worker.ask('publish', order)))
  })
  requireHeld(await clients.held(), devices)
  const full = await readMemory(node)
  const [fullDatabase, rows] = await Promise.all([memoryOf(postmaster), rowBytes(fleet)])
  return {
    connectSeconds,
    node: { memory: (full.rss - empty.rss) / devices, cpu: cpu.node / devices / seconds },
    postgres: { memory: (fullDatabase - emptyDatabase) / devices, cpu: cpu.postgres / devices / seconds },
    nodeTotal: full.rss,
    rowBytes: (rows - emptyRows) / devices,
  }
}

/** Of a database and its backends: what they share counts once. */
async function memoryOf(postmaster: number): Promise<number> {
  const sizes = await Promise.all(
    [postmaster, ...childrenOf(postmaster)].map(async (pid) => {
      const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
      return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) * 1024
    }),
  )
  return sizes.reduce((total, each) => total + each, 0)
}

/** What devices have in the database, indexes included. What is kept by the second grows with time, not with devices. */
async function rowBytes({ database }: Fleet): Promise<number> {
  const { rows } = await database.client.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(name::regclass)) as bytes
     from unnest(array['devices', 'device_places', 'device_values', 'device_series']) as name`,
  )
  return Number(rows[0]?.bytes ?? 0)
}
