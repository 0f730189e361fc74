import { Readable } from 'node:stream'
import { Problem } from '@patchbay/contracts/core'
import {
  deleteMarker,
  deleteRecorder,
  getDeviceExport,
  getDeviceHistory,
  getMarkers,
  getRecordedValues,
  getRecorder,
  getRecordings,
  postMarker,
  putRecorder,
  type RecordedValue,
  type Recorder as RecorderState,
} from '@patchbay/contracts/devices'
import { RECORDING_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { type HttpApp, on, sendStream } from '@patchbay/kernel/http'
import { observeGauge } from '@patchbay/kernel/metrics'
import { inTransaction } from '@patchbay/kernel/postgres'
import { Semaphore } from '@patchbay/primitives/async'
import type { DevicesDeps } from './deps.ts'
import { findDevice, type KnownDevice, listDevices } from './device.store.ts'
import { exportCsv, exportMcap } from './export-recording.ts'
import type { LiveDevices } from './live-devices.store.ts'
import { insertMarker, listMarkers, deleteMarker as removeMarker } from './marker.store.ts'
import { createRecorder } from './recorder.store.ts'
import {
  dropOldFiles,
  dropUnknownFiles,
  listFiles,
  type ReadWish,
  readRecorded,
  writeDueFiles,
} from './recording.store.ts'
import { dropRemovedSeries, makeRollups, readHistory } from './rollup.store.ts'
import { MINUTE_MS } from './rollup.ts'

export interface Recording {
  start(): void
  stop(): Promise<void>
}

const ROLLUP_MS = 10_000
const FILES_MS = 15_000
const SWEEP_MS = 60_000

/** What devices have sent: kept, read, replayed and exported. */
export function registerRecording(app: HttpApp, deps: DevicesDeps, live: LiveDevices): Recording {
  const { db, clock, createSecret, workspaces, settings, log } = deps
  const recorder = createRecorder({ ...deps, node: deps.bus.node })
  const reads = new Semaphore({
    total: RECORDING_LIMITS.readsAtOnce,
    refuse: () => new Problem('too_many_waiting'),
  })
  const timers: NodeJS.Timeout[] = []
  let underWay: Promise<unknown> = Promise.resolve()
  let lastListed: string | undefined
  live.onKeeping((heard) => recorder.hear(heard))
  observeGauge(deps.metrics, {
    name: 'patchbay_devices_connected',
    help: 'Connected devices that this node has heard of',
    read: () => live.connectedCount,
  })
  observeGauge(deps.metrics, {
    name: 'patchbay_devices_unstored_seconds',
    help: 'For how long this node could not store what devices say',
    read: () => recorder.behindMs / 1_000,
  })

  async function requireDevice(at: WorkspaceRef, name: string): Promise<KnownDevice> {
    const device = await findDevice(db, at, name, clock.now())
    if (device === undefined) throw new Problem('device_not_found')
    return device
  }

  function timesOf({ from, to }: { readonly from: string; readonly to: string }) {
    const times = { from: Date.parse(from), to: Date.parse(to) }
    if (!(times.from < times.to))
      throw new Problem('invalid_request', { detail: '`from` must be before `to`.' })
    return times
  }

  async function stateOf({ owner, repo }: WorkspaceRef): Promise<RecorderState> {
    const [row, storage] = await Promise.all([
      db
        .selectFrom('device_recorders')
        .selectAll()
        .where('owner', '=', owner)
        .where('repo', '=', repo)
        .executeTakeFirst(),
      db.selectFrom('device_storage').select('bytes').where('owner', '=', owner).executeTakeFirst(),
    ])
    return {
      since: row?.since.toISOString() ?? null,
      by: row === undefined ? null : { kind: row.actor_kind, name: row.actor_name, handle: row.actor_handle },
      bytes: storage?.bytes ?? 0,
      maxBytes: settings.recording.ownerBytes,
    }
  }

  app.route({
    ...on(getDeviceHistory),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const at = request.params
      await workspaces.admit(request, at, 'read')
      const device = await requireDevice(at, at.device)
      const { points = 500, channels } = request.query
      const wish = { ...timesOf(request.query), points, channels: namesIn(channels) }
      return await readHistory(db, device.id, wish, settings.recording, clock.now().getTime())
    },
  })

  app.route({
    ...on(getRecordedValues),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const at = request.params
      await workspaces.admit(request, at, 'read')
      const device = await requireDevice(at, at.device)
      const { channels, withBefore = false, stepMs, cursor, limit = 1_000 } = request.query
      const times = timesOf(request.query)
      const wish = { ...times, channels: namesIn(channels), stepMs }
      using _ = reads.acquireNow()
      if (cursor === undefined) {
        const before = withBefore ? await lastBefore(device.id, wish) : []
        const page = await readPage(device.id, wish, { at: times.from, skip: 0 }, limit)
        return { ...page, items: [...before, ...page.items] }
      }
      return await readPage(device.id, wish, positionOf(cursor, times), limit)
    },
  })

  /** What each channel was when the time begins, as far as it was heard in the minute before. */
  async function lastBefore(device: number, { from, channels }: ReadWish): Promise<RecordedValue[]> {
    const last = new Map<string, RecordedValue>()
    const wish = { from: from - MINUTE_MS, to: from, channels }
    for await (const value of readRecorded(deps, device, wish)) last.set(value.channel, value)
    return [...last.values()]
  }

  async function readPage(
    device: number,
    { stepMs, ...wish }: ReadWish & { readonly stepMs: number | undefined },
    position: Position,
    limit: number,
  ) {
    const items: RecordedValue[] = []
    let next: Position | null = null
    let { at, skip } = position
    let passed = 0
    const all = readRecorded(deps, device, { ...wish, from: position.at })
    for await (const value of stepMs === undefined ? all : lastOfEach(all, stepMs)) {
      if (value.at === position.at && passed < position.skip) {
        passed += 1
        continue
      }
      if (items.length === limit) {
        next = { at, skip }
        break
      }
      skip = value.at === at ? skip + 1 : 1
      at = value.at
      items.push(value)
    }
    return { items, nextCursor: next === null ? null : `${next.at}.${next.skip}` }
  }

  app.route({
    ...on(getDeviceExport, { deadlineMs: 0 }),
    async handler(request, reply) {
      const at = request.params
      await workspaces.admit(request, at, 'read')
      const times = timesOf(request.query)
      const names = namesIn(request.query.devices)
      const devices =
        names === undefined
          ? await listDevices(db, at, clock.now())
          : await Promise.all([...new Set(names)].map((name) => requireDevice(at, name)))
      const permit = reads.acquireNow()
      const exported = devices.map(({ id, shown }) => ({
        name: shown.name,
        values: readRecorded(deps, id, times),
      }))
      const isCsv = request.query.format === 'csv'
      const stream = Readable.from(isCsv ? exportCsv(exported) : exportMcap(exported), { objectMode: false })
      stream.once('close', () => permit[Symbol.dispose]())
      const name = `${at.repo}-${new Date(times.from).toISOString().slice(0, 19).replaceAll(':', '')}`
      reply.headers({
        'cache-control': 'no-store',
        'content-type': isCsv ? 'text/csv; charset=utf-8' : 'application/octet-stream',
        'content-disposition': `attachment; filename="${name}.${isCsv ? 'csv' : 'mcap'}"`,
        'x-content-type-options': 'nosniff',
      })
      return sendStream(reply, stream)
    },
  })

  app.route({
    ...on(getRecordings),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const at = request.params
      await workspaces.admit(request, at, 'read')
      const { device, cursor, limit = 100 } = request.query
      const devices =
        device === undefined ? await listDevices(db, at, clock.now()) : [await requireDevice(at, device)]
      const names = new Map(devices.map(({ id, shown }) => [id, shown.name]))
      const before = cursor === undefined ? undefined : wholeNumber(cursor)
      const files = await listFiles(db, [...names.keys()], { before, limit: limit + 1 })
      const shown = files.slice(0, limit)
      return {
        items: shown.map(({ deviceId, file }) => ({ device: names.get(deviceId) ?? '', ...file })),
        nextCursor: files.length > limit ? String(shown.at(-1)?.id) : null,
      }
    },
  })

  app.route({
    ...on(getRecorder),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      await workspaces.admit(request, request.params, 'read')
      return await stateOf(request.params)
    },
  })

  app.route({
    ...on(putRecorder),
    async handler(request) {
      const at = request.params
      const who = await workspaces.admit(request, at, 'manage')
      const { kind, name, handle } = who.party
      await inTransaction(db, async (tx) => {
        const note = await who.lock(tx)
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto('device_recorders')
          .values({
            owner: at.owner,
            repo: at.repo,
            since: clock.now(),
            actor_kind: kind,
            actor_name: name,
            actor_handle: handle,
          })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
        if (numInsertedOrUpdatedRows === 1n) await note('start recording devices', undefined)
      })
      workspaces.notify(at)
      return await stateOf(at)
    },
  })

  app.route({
    ...on(deleteRecorder),
    async handler(request) {
      const at = request.params
      const who = await workspaces.admit(request, at, 'manage')
      await inTransaction(db, async (tx) => {
        const note = await who.lock(tx)
        const { numDeletedRows } = await tx
          .deleteFrom('device_recorders')
          .where('owner', '=', at.owner)
          .where('repo', '=', at.repo)
          .executeTakeFirst()
        if (numDeletedRows === 1n) await note('stop recording devices', undefined)
      })
      workspaces.notify(at)
      return await stateOf(at)
    },
  })

  app.route({
    ...on(getMarkers),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const at = request.params
      await workspaces.admit(request, at, 'read')
      const { from, to, cursor, limit = 200 } = request.query
      const [time = '', id = ''] = cursor?.split(' ') ?? []
      if (cursor !== undefined && Number.isNaN(Date.parse(time))) throw new Problem('invalid_request')
      const found = await listMarkers(db, at, {
        from: from === undefined ? undefined : new Date(from),
        to: to === undefined ? undefined : new Date(to),
        after: cursor === undefined ? undefined : { at: new Date(time), id },
        limit: limit + 1,
      })
      const items = found.slice(0, limit)
      const last = items.at(-1)
      return {
        items,
        nextCursor: found.length > limit && last !== undefined ? `${last.at} ${last.id}` : null,
      }
    },
  })

  app.route({
    ...on(postMarker),
    async handler(request, reply) {
      const at = request.params
      const who = await workspaces.admit(request, at, 'command')
      const { label, at: time = clock.now().toISOString() } = request.body
      const marker = {
        id: createSecret().slice(0, 12),
        at: new Date(time).toISOString(),
        label,
        by: who.party,
      }
      await inTransaction(db, async (tx) => {
        const note = await who.lock(tx)
        if (!(await insertMarker(tx, at, marker)))
          throw new Problem('limit_reached', {
            detail: `A workspace has at most ${RECORDING_LIMITS.markers} markers. Remove one to add another.`,
          })
        await note(`mark ${label}`, undefined)
      })
      workspaces.notify(at)
      return reply.code(201).send(marker)
    },
  })

  app.route({
    ...on(deleteMarker),
    async handler(request, reply) {
      const at = request.params
      const who = await workspaces.admit(request, at, 'command')
      await inTransaction(db, async (tx) => {
        const note = await who.lock(tx)
        if (await removeMarker(tx, at, at.marker)) await note('remove a marker', undefined)
      })
      workspaces.notify(at)
      return reply.code(204).send(null)
    },
  })

  async function sweep(): Promise<void> {
    await dropRemovedSeries(db)
    await dropOldFiles(deps, settings.recording.fileDays)
    lastListed = await dropUnknownFiles(deps, lastListed)
  }

  /** One after the other: each is a few statements, and none is urgent. */
  function every(ms: number, work: () => Promise<unknown>): void {
    const timer = setInterval(() => {
      underWay = underWay
        .then(work)
        .catch((err: unknown) => log.debug({ err }, 'failed to keep recordings, retrying'))
    }, ms)
    timers.push(timer.unref())
  }

  return {
    start() {
      if (timers.length > 0) return
      recorder.start()
      every(ROLLUP_MS, () => makeRollups(db, clock.now()))
      every(FILES_MS, () => writeDueFiles(deps, recorder))
      every(SWEEP_MS, sweep)
    },
    async stop() {
      timers.forEach(clearInterval)
      await underWay
      await recorder.stop()
    },
  }
}

/** Of each channel the last value of each stretch of time, in the order of time. */
async function* lastOfEach(
  values: AsyncIterable<RecordedValue>,
  stepMs: number,
): AsyncGenerator<RecordedValue, void, undefined> {
  const last = new Map<string, RecordedValue>()
  let stretch = 0
  for await (const value of values) {
    const now = Math.floor(value.at / stepMs)
    if (now !== stretch) {
      yield* last.values()
      last.clear()
      stretch = now
    }
    // Behind those of the other channels: a page goes on by the time of its last value.
    last.delete(value.channel)
    last.set(value.channel, value)
  }
  yield* last.values()
}

interface Position {
  readonly at: number
  /** How many values of this moment were in the pages before. */
  readonly skip: number
}

function positionOf(cursor: string, { from, to }: { readonly from: number; readonly to: number }): Position {
  const [, at, skip] = /^(\d{1,15})\.(\d{1,9})$/.exec(cursor) ?? []
  const position = { at: Number(at), skip: Number(skip) }
  if (!(position.at >= from && position.at < to)) throw new Problem('invalid_request')
  return position
}

function wholeNumber(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw new Problem('invalid_request')
  return Number(cursor)
}

function namesIn(text: string | undefined): string[] | undefined {
  return text?.split(',').filter((name) => name !== '')
}
