import { createHash } from 'node:crypto'
import { Problem } from '@patchbay/contracts/core'
import {
  type DeviceConnection,
  deleteDevice,
  deleteDeviceGrant,
  getDevice,
  getDevices,
  postDevice,
  postDeviceKey,
  postDeviceValues,
  putDeviceGrant,
} from '@patchbay/contracts/devices'
import { COMMAND_LIMITS, DEVICE_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import { inTransaction } from '@patchbay/kernel/postgres'
import type { BrokerPolicy } from './broker.ts'
import { registerBrokerAccess } from './broker-access.routes.ts'
import { registerCommands } from './command.routes.ts'
import { deleteOldCommands, findStop } from './command.store.ts'
import type { DevicesDeps } from './deps.ts'
import {
  countDevices,
  deletePlace,
  findByKey,
  findByUsername,
  findDevice,
  insertDevice,
  insertPlace,
  type KnownDevice,
  listDevices,
  listGrants,
  listPlaces,
  listValues,
  deleteDevice as removeDevice,
  replaceKey,
} from './device.store.ts'
import { createDeviceSocket, type DeviceSocket, devicesKey } from './devices.socket.ts'
import { createLiveDevices, type HeardValue } from './live-devices.store.ts'
import { registerRecording } from './recording.routes.ts'
import { createCommands } from './send-command.store.ts'
import { registerSimulation } from './simulation.routes.ts'
import { asLatest, registerValueStream } from './value-stream.routes.ts'

const SWEEP_MS = 60_000
const DELETED_AT_ONCE = 1_000

export interface Devices {
  readonly socket: DeviceSocket
  start(): void
  stop(): Promise<void>
}

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')

/** Every route of the area, and what its devices and pages say. */
export function registerDevices(app: HttpApp, deps: DevicesDeps): Devices {
  const { db, clock, createSecret, workspaces, bus, broker, settings, log } = deps
  const announce = (at: WorkspaceRef) => void bus.wakeups.notify(devicesKey(at)).catch(() => undefined)
  const announceDevices = (ids: readonly number[]) => {
    listPlaces(db, ids)
      .then((places) => places.forEach(announce))
      .catch((err: unknown) => log.debug({ err }, 'failed to announce devices'))
  }
  const live = createLiveDevices(deps, announceDevices)
  const commands = createCommands(deps, live)
  const socket = createDeviceSocket(deps, live)
  let sweeping: NodeJS.Timeout | undefined
  let repeating: Disposable | undefined

  const policy: BrokerPolicy = {
    authenticate: (username, key) => findByKey(db, hashOf(key), username),
    find: (username) => findByUsername(db, username),
    connected(device) {
      live.connected(device)
      if (broker.isShared) commands.repeatStopSoonTo(device.id)
    },
    subscribed: (device) => commands.repeatStopTo(device.id),
    disconnected: (device) => live.disconnected(device),
  }
  broker.setPolicy(policy)
  if (settings.brokerSecret !== undefined)
    void registerBrokerAccess(app, { bus, policy, secret: settings.brokerSecret })

  // 120 random bits, short enough for the packets of microcontrollers.
  const createKey = () => `pbd_${createSecret().slice(0, 20)}`
  const createUsername = () => `d${createSecret().slice(0, 10)}`

  function connectionOf({
    username,
    topic,
  }: Pick<KnownDevice, 'username' | 'topic'>): DeviceConnection | null {
    return settings.mqtt === undefined ? null : { ...settings.mqtt, username, topic }
  }

  async function requireDevice(at: WorkspaceRef, name: string): Promise<KnownDevice> {
    const device = await findDevice(db, at, name, clock.now())
    if (device === undefined) throw new Problem('device_not_found')
    return device
  }

  /** What is about the device itself is done where it was added. */
  async function requireOwn(at: WorkspaceRef, name: string): Promise<KnownDevice> {
    const device = await requireDevice(at, name)
    if (!device.isHome)
      throw new Problem('not_permitted', {
        detail: `This device belongs to ${device.shown.owner}/${device.shown.repo}. Change it there.`,
      })
    return device
  }

  /** What was heard in the last second is not stored yet, and what was heard before a restart is stored alone. */
  async function latestOf(id: number): Promise<HeardValue[]> {
    const stored = await listValues(db, id)
    const known = stored.map(({ channel, value, at }) => ({ device: id, channel, value, at: Date.parse(at) }))
    const heard = live.latestOf(id)
    const isNewer = new Set(heard.map(({ channel }) => channel))
    return [...known.filter(({ channel }) => !isNewer.has(channel)), ...heard]
  }

  async function requireRoom(tx: DevicesDeps['db'], at: WorkspaceRef): Promise<void> {
    if ((await countDevices(tx, at)) >= DEVICE_LIMITS.devices)
      throw new Problem('limit_reached', {
        detail: `A workspace has at most ${DEVICE_LIMITS.devices} devices. Remove one to add another.`,
      })
  }

  app.route({
    ...on(getDevices),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const at = request.params
      await workspaces.admit(request, at, 'read')
      const { cursor = '', limit = DEVICE_LIMITS.devices } = request.query
      const [devices, stop] = await Promise.all([
        listDevices(db, at, clock.now(), { after: cursor, limit: limit + 1 }),
        findStop(db, at),
      ])
      const items = devices.slice(0, limit).map(({ shown }) => shown)
      const nextCursor = devices.length > limit ? (items.at(-1)?.name ?? null) : null
      return { items, nextCursor, stop, ...(deps.simulation !== undefined && { canSimulate: true as const }) }
    },
  })

  app.route({
    ...on(postDevice),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const at = request.params
      const who = await workspaces.admit(request, at, 'manage')
      const { name, title = name } = request.body
      const key = createKey()
      const made = { name, title, username: createUsername(), keyHash: hashOf(key), by: who.party }
      await inTransaction(db, async (tx) => {
        const note = await who.lock(tx)
        await requireRoom(tx, at)
        if (!(await insertDevice(tx, at, made, clock.now()))) throw new Problem('device_exists')
        await note(`add device ${name}`, undefined)
      })
      workspaces.notify(at)
      announce(at)
      const device = await requireDevice(at, name)
      return reply.code(201).send({ device: device.shown, key, connection: connectionOf(device) })
    },
  })

  app.route({
    ...on(getDevice),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const at = request.params
      await workspaces.admit(request, at, 'read')
      const device = await requireDevice(at, at.device)
      const [values, grants] = await Promise.all([latestOf(device.id), listGrants(db, device.id)])
      return {
        device: device.shown,
        connection: connectionOf(device),
        values: values.map(asLatest),
        grants: device.isHome ? grants : [],
      }
    },
  })

  app.route({
    ...on(deleteDevice),
    async handler(request, reply) {
      const at = request.params
      const who = await workspaces.admit(request, at, 'manage')
      const device = await requireOwn(at, at.device)
      const places = await listPlaces(db, [device.id])
      await inTransaction(db, async (tx) => {
        const note = await who.lock(tx)
        await removeDevice(tx, device.id)
        await note(`remove device ${at.device}`, undefined)
      })
      broker.disconnect(device)
      live.forget(device)
      workspaces.notify(at)
      places.forEach(announce)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...on(postDeviceKey),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const at = request.params
      const who = await workspaces.admit(request, at, 'manage')
      const device = await requireOwn(at, at.device)
      const key = createKey()
      await inTransaction(db, async (tx) => {
        const note = await who.lock(tx)
        await replaceKey(tx, device.id, hashOf(key))
        await note(`replace key of device ${at.device}`, undefined)
      })
      broker.disconnect(device)
      workspaces.notify(at)
      return { key, connection: connectionOf(device) }
    },
  })

  app.route({
    ...on(putDeviceGrant),
    async handler(request, reply) {
      const { toOwner, toRepo, ...at } = request.params
      const to = { owner: toOwner, repo: toRepo }
      const who = await workspaces.admit(request, at, 'manage')
      const there = await workspaces.admit(request, to, 'manage')
      const device = await requireOwn(at, at.device)
      if ((await listGrants(db, device.id)).length >= DEVICE_LIMITS.grants)
        throw new Problem('limit_reached', {
          detail: `A device can be granted to ${DEVICE_LIMITS.grants} workspaces.`,
        })
      await inTransaction(db, async (tx) => {
        const note = await there.lock(tx)
        await requireRoom(tx, to)
        if (!(await insertPlace(tx, device.id, to, at.device, false))) throw new Problem('device_exists')
        await note(`add device ${at.device} of ${at.owner}/${at.repo}`, undefined)
      })
      await inTransaction(db, async (tx) =>
        (await who.lock(tx))(`grant device ${at.device} to ${toOwner}/${toRepo}`, undefined),
      )
      for (const each of [at, to]) {
        workspaces.notify(each)
        announce(each)
      }
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...on(deleteDeviceGrant),
    async handler(request, reply) {
      const { toOwner, toRepo, ...at } = request.params
      const to = { owner: toOwner, repo: toRepo }
      const who = await workspaces.admit(request, at, 'manage')
      const device = await requireOwn(at, at.device)
      await inTransaction(db, async (tx) => {
        const note = await who.lock(tx)
        await deletePlace(tx, device.id, to)
        await note(`revoke device ${at.device} from ${toOwner}/${toRepo}`, undefined)
      })
      workspaces.notify(at)
      announce(at)
      announce(to)
      return reply.code(204).send(null)
    },
  })

  registerValueStream(app, deps, live, { requireDevice, latestOf })

  registerCommands(app, deps, commands, { requireDevice, announce })

  app.route({
    ...on(postDeviceValues),
    async handler(request, reply) {
      const key = request.headers['x-device-key']
      const device = await findByKey(db, hashOf(key))
      if (device === undefined) throw new Problem('credential_invalid')
      const { allowed, retryAfterMs } = await bus.rateLimit.hit(`device:${device.id}`, {
        max: DEVICE_LIMITS.messagesPerSecond * 10,
        windowMs: 10_000,
      })
      if (!allowed) {
        const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
        throw new Problem('rate_limited', {
          extensions: { retry_after_seconds: seconds },
          headers: { 'retry-after': String(seconds) },
        })
      }
      if (!(await live.hear(device, request.body)))
        throw new Problem('limit_reached', {
          detail: `A device has at most ${DEVICE_LIMITS.channels} channels.`,
        })
      return reply.code(204).send(null)
    },
  })

  const recording = registerRecording(app, deps, live)
  registerSimulation(app, deps, { createKey, createUsername, hashOf, connectionOf, requireRoom, announce })

  async function sweep(): Promise<void> {
    const before = new Date(clock.now().getTime() - COMMAND_LIMITS.keptMs)
    await deleteOldCommands(db, before, DELETED_AT_ONCE)
  }

  return {
    socket,
    start() {
      void live.start()
      recording.start()
      socket.start()
      sweeping ??= setInterval(
        () => void sweep().catch((err: unknown) => log.debug({ err }, 'failed to delete old commands')),
        SWEEP_MS,
      ).unref()
      repeating ??= commands.repeatStops()
    },
    async stop() {
      clearInterval(sweeping)
      repeating?.[Symbol.dispose]()
      await socket.stop()
      await live.stop()
      await recording.stop()
    },
  }
}
