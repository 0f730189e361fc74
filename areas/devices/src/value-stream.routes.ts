import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '@patchbay/contracts/core'
import { getDeviceValues, type LatestValue } from '@patchbay/contracts/devices'
import { DEVICE_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { eventText, type HttpApp, on, PING, STREAM_HEADERS, writeOrCut } from '@patchbay/kernel/http'
import type { DevicesDeps } from './deps.ts'
import { findDevice, type KnownDevice } from './device.store.ts'
import type { HeardValue, LiveDevices } from './live-devices.store.ts'

/** At once on this node: each holds a listener. */
const MOST_WATCHING = 1_000
const PING_MS = 15_000
const BATCH_MS = 33
/** So often a request that listens looks at what is stored meanwhile. */
const STORED_LOOKS = 4

export interface ValueReaders {
  readonly requireDevice: (at: WorkspaceRef, name: string) => Promise<KnownDevice>
  readonly latestOf: (device: number) => Promise<HeardValue[]>
}

/** The values of a device as events, for scripts. */
export function registerValueStream(
  app: HttpApp,
  { db, clock, broker, workspaces }: DevicesDeps,
  live: LiveDevices,
  { requireDevice, latestOf }: ValueReaders,
): void {
  let watching = 0

  app.route({
    ...on(getDeviceValues, { deadlineMs: 0 }),
    async handler(request, reply) {
      const at = request.params
      await workspaces.admit(request, at, 'read')
      const device = await requireDevice(at, at.device)
      if (!broker.isUp) throw new Problem('broker_unavailable')
      if (watching >= MOST_WATCHING) throw new Problem('too_many_waiting')
      watching += 1
      const { channel: only, seconds = DEVICE_LIMITS.watchSeconds, rate = 10 } = request.query
      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...STREAM_HEADERS })
      // At once, so that proxies and clients see that the stream is there.
      raw.write(PING)
      const next = new Map<string, HeardValue>()
      const sentAt = new Map<string, number>()
      const lastAt = new Map<string, number>()
      const take = (heard: HeardValue) => {
        if (only !== undefined && heard.channel !== only) return
        next.set(heard.channel, heard)
        lastAt.set(heard.channel, heard.at)
      }
      /** Where nodes share a broker, also what another one has heard just before this one began to. */
      const takeStored = async () => {
        for (const heard of await latestOf(device.id))
          if ((lastAt.get(heard.channel) ?? -Infinity) < heard.at) take(heard)
      }
      const flush = () => {
        const now = performance.now()
        for (const [channel, heard] of next) {
          if (now - (sentAt.get(channel) ?? 0) < 1000 / rate) continue
          sentAt.set(channel, now)
          next.delete(channel)
          writeOrCut(raw, eventText('value', asLatest(heard)))
        }
      }
      const listening = live.listen(device, take)
      const timers = [setInterval(flush, BATCH_MS), setInterval(() => writeOrCut(raw, PING), PING_MS)]
      try {
        await takeStored()
        flush()
        const until = performance.now() + seconds * 1000
        let looks = 0
        // Whoever lost the right to it, or the device itself, is out within two seconds.
        while (performance.now() < until && !raw.destroyed) {
          await Promise.race([
            sleep(Math.min(1_500, Math.max(0, until - performance.now())), undefined, { ref: false }),
            new Promise((resolve) => raw.once('close', resolve)),
          ])
          if (raw.destroyed) break
          const isStillThere = await mayStillWatch(request, at, device.id)
          if (!isStillThere) {
            writeOrCut(raw, eventText('gone'))
            break
          }
          looks += 1
          if (broker.isShared && looks <= STORED_LOOKS) await takeStored().catch(() => undefined)
        }
        flush()
      } finally {
        watching -= 1
        timers.forEach(clearInterval)
        listening[Symbol.dispose]()
        raw.end()
      }
      return reply
    },
  })

  async function mayStillWatch(
    request: Parameters<typeof workspaces.admit>[0],
    at: WorkspaceRef & { readonly device: string },
    id: number,
  ): Promise<boolean> {
    try {
      await workspaces.admit(request, at, 'read')
      return (await findDevice(db, at, at.device, clock.now()))?.id === id
    } catch (error) {
      // A database that is away for a moment ends nobody's access.
      return error instanceof Problem && error.status >= 429
    }
  }
}

export function asLatest({ channel, value, at }: HeardValue): LatestValue {
  return { channel, value, at: new Date(at).toISOString() }
}
