import { readInfo } from '@patchbay/device-kit'
import { createBench } from '@patchbay/device-kit/simulation'
import { type SimulationRun, startSimulation } from '@patchbay/device-simulator'
import type { ServerDeps } from '@patchbay/server'

type Simulation = NonNullable<ServerDeps['simulation']>

interface Surroundings {
  readonly now: () => number
  readonly random: () => number
}

/** So often in a row a key is refused before its device is given up: a database may be away for a while. */
const MOST_REFUSALS = 6

/** The benches that people have asked for. */
export function createSimulation(surroundings: Surroundings): Simulation & { close(): Promise<void> } {
  const running = new Map<string, SimulationRun>()
  const end = async (topic: string) => {
    const run = running.get(topic)
    running.delete(topic)
    await run?.close()
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
    start(devices) {
      const bench = new Map(
        createBench(Math.floor(surroundings.random() * 2 ** 31)).map((device) => [device.name, device]),
      )
      for (const { name, key, connection } of devices) {
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
            if (refusals === MOST_REFUSALS && running.get(topic) === run) void end(topic)
          },
        })
        running.set(topic, run)
      }
    },
    async close() {
      await Promise.all([...running.keys()].map(end))
    },
  }
}
