import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DeviceConnection } from '@patchbay/contracts/devices'
import { readInfo } from '@patchbay/device-kit'
import { createBench } from '@patchbay/device-kit/simulation'
import { type SimulationRun, startSimulation } from '@patchbay/device-simulator'
import type { ServerDeps } from '@patchbay/server'

type Simulation = NonNullable<ServerDeps['simulation']>

interface Surroundings {
  readonly now: () => number
  readonly random: () => number
}

type Started = Parameters<Simulation['start']>[0][number]

export interface DevelopmentSimulation extends Simulation {
  /** Connects what was connected when it ended last, with the keys of then; the broker may be elsewhere by now. */
  resume(broker: Pick<DeviceConnection, 'host' | 'port' | 'isTls'>): Promise<void>
  close(): Promise<void>
}

/** So often in a row a key is refused before its device is given up: a database may be away for a while. */
const MOST_REFUSALS = 6
/** Of 20 benches. The oldest are not connected again. */
const MOST_KEPT = 420

/** The benches that people have asked for. With a file, they are there again after a restart. */
export function createSimulation(surroundings: Surroundings, file?: string): DevelopmentSimulation {
  const running = new Map<string, { readonly run: SimulationRun; readonly started: Started }>()
  let isClosing = false
  let keeping = Promise.resolve()

  function keep(): void {
    if (file === undefined || isClosing) return
    const kept = [...running.values()].map(({ started }) => started).slice(-MOST_KEPT)
    // Keys, as hardware has them: for this person alone.
    keeping = keeping
      .then(() => mkdir(dirname(file), { recursive: true }))
      .then(() => writeFile(file, JSON.stringify(kept), { mode: 0o600 }))
      // Then somebody has to press once more after a restart.
      .catch(() => undefined)
  }

  async function end(topic: string): Promise<void> {
    const ended = running.get(topic)
    running.delete(topic)
    await ended?.run.close()
  }

  function start(devices: readonly Started[]): void {
    const bench = new Map(
      createBench(Math.floor(surroundings.random() * 2 ** 31)).map((device) => [device.name, device]),
    )
    for (const started of devices) {
      const { name, key, connection } = started
      const device = bench.get(name)
      if (device === undefined) continue
      const { topic } = connection
      void end(topic)
      let refusals = 0
      const run = startSimulation({
        device,
        connection,
        key,
        surroundings,
        onEvent(event) {
          if (event.type === 'online') refusals = 0
          if (event.type !== 'offline' || event.failure.kind !== 'refused') return
          refusals += 1
          if (refusals !== MOST_REFUSALS || running.get(topic)?.run !== run) return
          void end(topic)
          keep()
        },
      })
      running.set(topic, { run, started })
    }
    keep()
  }

  return {
    devices: createBench(0).map(({ name, info }) => {
      const { title, manufacturer, model } = readInfo(JSON.stringify(info)) ?? {}
      return {
        name,
        title: `${title ?? name} (simulated)`,
        manufacturer: manufacturer ?? '',
        model: model ?? '',
      }
    }),
    start,
    async resume({ host, port, isTls }) {
      const kept = file === undefined ? [] : await readKept(file)
      start(
        kept.map(({ connection, ...device }) => ({
          ...device,
          connection: { ...connection, host, port, isTls },
        })),
      )
    },
    async close() {
      isClosing = true
      await Promise.all([...running.keys()].map(end))
      await keeping
    },
  }
}

/** Nothing, where a killed process has left half of it. */
async function readKept(file: string): Promise<readonly Started[]> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as readonly Started[]
  } catch {
    return []
  }
}
