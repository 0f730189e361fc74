import {
  type BoardJob,
  deleteBoardJob,
  getBoardEngine,
  getBoardJob,
  getBoardJobs,
  getBoardResult,
  postBoardJob,
} from '@patchbay/contracts/boards'
import { normalizePath, pathFault } from '@patchbay/contracts/content'
import { Problem } from '@patchbay/contracts/core'
import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { type HttpApp, on, READ, sendObject } from '@patchbay/kernel/http'
import { observeGauge } from '@patchbay/kernel/metrics'
import { createCollection } from './collection.store.ts'
import type { BoardsDeps } from './deps.ts'
import {
  askJob,
  findEngine,
  findJob,
  forgetJob,
  listJobs,
  noteUse,
  presentEngine,
  withdrawJob,
} from './job.store.ts'
import { keyOf, questionOf, READ_BY_KICAD, targetOf } from './job.ts'
import { createJobWatch } from './job-watch.store.ts'
import { registerLibraries } from './library.routes.ts'
import { findLibraryInputs } from './library.store.ts'
import { readQueue } from './queue.store.ts'
import { registerSymbols } from './symbols.routes.ts'

/** With what the database may take besides. */
const DEADLINE_MS = (BOARD_LIMITS.waitSeconds + 15) * 1_000

/** Nothing in a file of somebody is to run in a browser: an SVG is a document that can hold scripts. */
const INERT = {
  'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, max-age=31536000, immutable',
}

export interface Boards {
  start(): void
  stop(): Promise<void>
}

export function registerBoards(app: HttpApp, deps: BoardsDeps): Boards {
  const { db, clock, log, results, files, tracing } = deps
  const watch = createJobWatch(db, log)
  const collection = createCollection(deps)
  observeQueue(deps)
  registerLibraries(app, deps)
  registerSymbols(app, deps)

  async function requireJob(at: WorkspaceRef, id: string): Promise<BoardJob> {
    const job = await findJob(db, at, id, clock.now())
    if (job === undefined) throw new Problem('board_job_not_found')
    return job
  }

  const isOpen = ({ state }: BoardJob) => state === 'queued' || state === 'running'

  app.route({
    ...on(postBoardJob, { deadlineMs: DEADLINE_MS }),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { owner, repo } = request.params
      const at = { owner, repo }
      const { by } = await files.admit(request, at, 'ask')
      const { operation, isRetry = false } = request.body
      const options = { ...request.body.options }
      const path = requirePath(request.body.path)
      const target = targetOf(operation, path)
      const there = await files.list(at, READ_BY_KICAD, request.body.revision)
      if (!there.files.some((file) => file.path === target))
        throw new Problem('file_not_found', { extensions: { path: target } })
      const libraries = await findLibraryInputs(db, at)
      const question = questionOf(operation, options, target, there.files, libraries)
      const { engine, seenAt } = await findEngine(db, clock.now())
      const key = engine === null ? undefined : keyOf(question, engine)
      if (engine === null || key === undefined) throw new Problem('board_engine_missing')
      if (!isAwaited(seenAt, clock.now())) await requireDone(key)
      const { revision } = there
      const asked = {
        at,
        by,
        key,
        engine,
        question,
        path,
        revision,
        isRetry,
        now: clock.now(),
        traceparent: tracing?.current?.traceparent ?? null,
      }
      const outcome = await askJob(db, asked)
      const { wait = 0 } = request.query
      if (wait > 0 && isOpen(await requireJob(at, key))) await watch.wait(key, wait * 1_000)
      return reply.code(outcome === 'queued' ? 201 : 200).send(await requireJob(at, key))
    },
  })

  /** Without a worker, what is done can be had nevertheless. */
  async function requireDone(key: string): Promise<void> {
    const row = await db.selectFrom('board_jobs').select('state').where('key', '=', key).executeTakeFirst()
    if (row?.state !== 'done') throw new Problem('board_engine_missing')
  }

  app.route({
    ...on(getBoardJobs),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { owner, repo } = request.params
      await files.admit(request, request.params, 'read')
      const { path: given, cursor, limit = 50 } = request.query
      const path = given === undefined ? undefined : requirePath(given)
      const { items, next } = await listJobs(db, { owner, repo }, path, {
        after: readCursor(cursor),
        limit,
        now: clock.now(),
      })
      return { items: [...items], nextCursor: next }
    },
  })

  app.route({
    ...on(getBoardJob, { deadlineMs: DEADLINE_MS }),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { id, ...at } = request.params
      await files.admit(request, at, 'read')
      const job = await requireJob(at, id)
      const { wait = 0 } = request.query
      if (wait === 0 || !isOpen(job)) return job
      await watch.wait(id, wait * 1_000)
      // Whoever waited may have lost the right to know.
      await files.admit(request, at, 'read')
      return await requireJob(at, id)
    },
  })

  app.route({
    ...on(deleteBoardJob),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { id, ...at } = request.params
      const { by } = await files.admit(request, at, 'ask')
      await withdrawJob(db, at, id, by, clock.now())
      return await requireJob(at, id)
    },
  })

  app.route({
    ...on(getBoardResult, { deadlineMs: 0 }),
    method: READ,
    async handler(request, reply) {
      const { id, name, ...at } = request.params
      await files.admit(request, at, 'read')
      const job = await requireJob(at, id)
      const result = job.results.find((each) => each.name === name)
      if (result === undefined) throw new Problem('board_result_not_found')
      await noteUse(db, id, clock.now())
      const { sha256, bytes: size, mediaType } = result
      const sent = { sha256, size, mediaType, etag: `"${sha256}"` }
      return await sendObject(request, reply, results, sent, INERT, async () => {
        await forgetJob(db, id)
        return new Problem('board_job_not_found', {
          detail: 'The result is no longer kept. Ask for it again.',
        })
      })
    },
  })

  app.route({
    ...on(getBoardEngine),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      await files.admit(request, request.params, 'read')
      return presentEngine(await findEngine(db, clock.now()))
    },
  })

  return {
    start: () => collection.start(),
    async stop() {
      watch.stop()
      await collection.stop()
    },
  }
}

const isAwaited = (seenAt: Date | null, now: Date): boolean =>
  seenAt !== null && seenAt.getTime() > now.getTime() - BOARD_LIMITS.workerAwaitedMs

function requirePath(text: string): string {
  const fault = pathFault(text)
  if (fault !== undefined) throw new Problem('path_refused', { detail: fault })
  return normalizePath(text)
}

function readCursor(cursor: string | undefined): { readonly at: Date; readonly key: string } | undefined {
  if (cursor === undefined) return undefined
  const [, ms = '', key = ''] = /^(\d{1,15})\.([0-9a-f]{64})$/.exec(cursor) ?? []
  if (key === '') throw new Problem('invalid_request', { detail: '`cursor` is none that was given.' })
  return { at: new Date(Number(ms)), key }
}

/** What an operator watches: every node shows the one queue of the installation. */
function observeQueue({ db, clock, metrics }: BoardsDeps): void {
  let underWay: ReturnType<typeof readQueue> | undefined
  /** One statement for a scrape, which asks for all of it at once. */
  const read = () => {
    underWay ??= readQueue(db, clock.now()).finally(() => {
      underWay = undefined
    })
    return underWay
  }
  observeGauge(metrics, {
    name: 'patchbay_board_jobs',
    help: 'Board jobs of the installation that have not ended, by state',
    label: 'state',
    async read() {
      const { queued, running } = await read()
      return { queued, running }
    },
  })
  observeGauge(metrics, {
    name: 'patchbay_board_oldest_job_seconds',
    help: 'For how long the oldest queued board job waits, 0 when none does',
    read: async () => (await read()).oldestSeconds,
  })
  observeGauge(metrics, {
    name: 'patchbay_board_workers',
    help: 'Workers that run KiCad for the installation',
    read: async () => (await read()).workers,
  })
}
