import { Problem } from '@patchbay/contracts/core'
import {
  deleteDeviceArming,
  deleteEmergencyStop,
  postDeviceCommand,
  putDeviceArming,
  putEmergencyStop,
} from '@patchbay/contracts/devices'
import { COMMAND_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import { inTransaction } from '@patchbay/kernel/postgres'
import { findStop, isStopped, storeArming } from './command.store.ts'
import type { DevicesDeps } from './deps.ts'
import type { KnownDevice } from './device.store.ts'
import type { Commands } from './send-command.store.ts'

interface DevicesOfWorkspaces {
  readonly requireDevice: (at: WorkspaceRef, name: string) => Promise<KnownDevice>
  readonly announce: (at: WorkspaceRef) => void
}

/** What devices are told to do, who has armed them, and the emergency stop. */
export function registerCommands(
  app: HttpApp,
  { db, clock, createSecret, workspaces }: DevicesDeps,
  commands: Commands,
  { requireDevice, announce }: DevicesOfWorkspaces,
): void {
  app.route({
    ...on(postDeviceCommand, { deadlineMs: COMMAND_LIMITS.maxTimeoutMs + 10_000 }),
    async handler(request) {
      const at = request.params
      const who = await workspaces.admit(request, at, 'command')
      const device = await requireDevice(at, at.device)
      const {
        id = createSecret().slice(0, 16),
        timeoutMs = COMMAND_LIMITS.timeoutMs,
        reason,
        ...wish
      } = request.body
      return await commands.send(at, device, who, { ...wish, id, timeoutMs, reason })
    },
  })

  app.route({
    ...on(putDeviceArming),
    async handler(request) {
      const at = request.params
      const who = await workspaces.admitPerson(request, at)
      const device = await requireDevice(at, at.device)
      const { seconds, isForAgents = false } = request.body
      const until = new Date(clock.now().getTime() + seconds * 1000)
      await inTransaction(db, async (tx) => {
        const note = await who.lock(tx)
        if (await isStopped(tx, device.id)) throw new Problem('devices_stopped')
        await storeArming(tx, device.id, at, { until, by: who.party, isForAgents })
        await note(`arm device ${at.device}${isForAgents ? ' for agents' : ''}`, undefined)
      })
      workspaces.notify(at)
      announce(at)
      return { until: until.toISOString(), by: who.party, isForAgents }
    },
  })

  app.route({
    ...on(deleteDeviceArming),
    async handler(request, reply) {
      const at = request.params
      const who = await workspaces.admit(request, at, 'stop')
      const device = await requireDevice(at, at.device)
      await inTransaction(db, async (tx) => {
        const note = await who.lock(tx)
        await storeArming(tx, device.id, at, null)
        await note(`disarm device ${at.device}`, undefined)
      })
      workspaces.notify(at)
      announce(at)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...on(putEmergencyStop),
    async handler(request) {
      const at = request.params
      const who = await workspaces.admit(request, at, 'stop')
      const told = await commands.stop(at, who, request.body?.reason)
      announce(at)
      const stop = await findStop(db, at)
      // Released in the same moment by somebody else: it was stopped all the same.
      return {
        stop: stop ?? { since: clock.now().toISOString(), by: who.party, reason: null },
        devices: told,
      }
    },
  })

  app.route({
    ...on(deleteEmergencyStop),
    async handler(request, reply) {
      const at = request.params
      const who = await workspaces.admitPerson(request, at)
      await commands.release(at, who)
      announce(at)
      return reply.code(204).send(null)
    },
  })
}
