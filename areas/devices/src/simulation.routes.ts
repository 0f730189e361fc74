import { Problem } from '@patchbay/contracts/core'
import { type DeviceConnection, putSimulatedBench } from '@patchbay/contracts/devices'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import { inTransaction } from '@patchbay/kernel/postgres'
import type { DevicesDeps, Simulation } from './deps.ts'
import { findDevice, insertDevice, type KnownDevice, replaceKey } from './device.store.ts'

interface Keys {
  createKey(): string
  createUsername(): string
  hashOf(key: string): string
  connectionOf(device: Pick<KnownDevice, 'username' | 'topic'>): DeviceConnection | null
  requireRoom(tx: DevicesDeps['db'], at: WorkspaceRef): Promise<void>
  announce(at: WorkspaceRef): void
}

/** On servers for development: "Add a simulated bench". */
export function registerSimulation(
  app: HttpApp,
  { db, clock, broker, workspaces, simulation }: DevicesDeps,
  keys: Keys,
): void {
  if (simulation === undefined) return
  app.route({
    ...on(putSimulatedBench),
    async handler(request) {
      const at = request.params
      const who = await workspaces.admit(request, at, 'manage')
      const names = simulation.devices.map(({ name }) => name)
      const key = new Map(names.map((name) => [name, keys.createKey()]))
      const hashFor = (name: string) => keys.hashOf(key.get(name) ?? '')
      await inTransaction(db, async (tx) => {
        const note = await who.lock(tx)
        for (const simulated of simulation.devices) {
          const { name, title } = simulated
          const found = await findDevice(tx, at, name, clock.now())
          if (found !== undefined) {
            requireSimulated(found, simulated)
            await replaceKey(tx, found.id, hashFor(name))
            continue
          }
          await keys.requireRoom(tx, at)
          const made = { name, title, username: keys.createUsername(), keyHash: hashFor(name), by: who.party }
          if (!(await insertDevice(tx, at, made, clock.now()))) throw new Problem('device_exists')
        }
        await note('add simulated bench', undefined)
      })
      workspaces.notify(at)
      keys.announce(at)
      const found = await Promise.all(names.map((name) => findDevice(db, at, name, clock.now())))
      const started = found.flatMap((device) => {
        const connection = device === undefined ? null : keys.connectionOf(device)
        if (device === undefined || connection === null) return []
        // Those of before have keys that are no longer theirs.
        broker.disconnect(device)
        return [{ name: device.shown.name, key: key.get(device.shown.name) ?? '', connection }]
      })
      simulation.start(started)
      return { devices: started.length }
    },
  })
}

/** A device of somebody's own must not lose its key to a simulation. */
function requireSimulated(
  { isHome, shown }: KnownDevice,
  { name, title, manufacturer, model }: Simulation['devices'][number],
): void {
  const isOwn = shown.manufacturer === manufacturer && shown.model === model
  const isUnused = shown.status === 'never' && shown.title === title
  if (!isHome || !(isOwn || isUnused))
    throw new Problem('device_exists', {
      detail: `The workspace has a device "${name}" that is not a simulated one. Remove it, or simulate in another workspace.`,
    })
}
