import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { freePort } from '@patchbay/testkit/ports'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'
import { listens } from '../gateway/side.ts'
import { inTurns, type Rounds } from '../gateway/turns.ts'
import { startWorker, type Worker } from '../gateway/worker.ts'
import { openBrowsers } from '../identity/people.ts'
import { startServer } from '../identity/server.ts'
import type { ActionLoad, ActionOrder, ActionTimes } from './action-load.ts'
import type { PageClients } from './page-clients.ts'
import { makeKey, makePlaces, type Place } from './places.ts'
import type { Rig } from './rig.ts'

/** `statements`: the bare echo, with what an action reads and writes before it. */
export const SIDES = ['bare', 'statements', 'server'] as const
export type SideName = (typeof SIDES)[number]
export type TripRounds = Rounds<SideName, ActionTimes>

export interface TripSizes {
  readonly actions: number
  readonly rounds: number
  readonly crowd: number
}

export interface Trips {
  /** One at a time: what somebody waits for. */
  readonly alone: TripRounds
  /** Several at once. */
  readonly crowded: TripRounds
}

const BARE = fileURLToPath(new URL('./bare-echo.ts', import.meta.url))
const PAGES = new URL('./page-clients.ts', import.meta.url)
const LOAD = new URL('./action-load.ts', import.meta.url)
const POOL_SIZE = 10
const WARM_UP = 200

interface Side {
  readonly order: Omit<ActionOrder, 'actions' | 'together'>
  readonly pages: Worker<PageClients>
}

/** Actions arrive at one node, the page is at the other; both sides in turns on one Redis. */
export async function measureTrips(rig: Rig, { actions, rounds, crowd }: TripSizes): Promise<Trips> {
  await using parts = new AsyncDisposableStack()
  const { server, other } = await startNodes(rig, parts)
  const echo = { path: '/', headers: {}, panelId: crypto.randomUUID() }
  const sides: Readonly<Record<SideName, Side>> = {
    bare: await startBare(rig, parts, 'bare', echo),
    statements: await startBare(rig, parts, 'statements', other),
    server,
  }
  const load = parts.use(startWorker<ActionLoad>(LOAD))
  const measure = async (name: SideName, together: number): Promise<ActionTimes> => {
    const { order, pages } = sides[name]
    await load.ask('run', { ...order, actions: Math.min(WARM_UP, actions), together })
    const before = await pages.ask('counts', undefined)
    const times = await load.ask('run', { ...order, actions, together })
    const after = await pages.ask('counts', undefined)
    requireOnce(name, actions, after.done - before.done, after.repeated)
    return times
  }
  return {
    alone: await inTurns(SIDES, rounds, (name) => measure(name, 1)),
    crowded: await inTurns(SIDES, rounds, (name) => measure(name, crowd)),
  }
}

/** An answer without the page having acted, or an action that was carried out twice, would be no round trip. */
export function requireOnce(name: string, asked: number, done: number, repeated: number): void {
  if (done !== asked || repeated > 0)
    throw new Error(`${name} carried out ${done} of ${asked} actions, ${repeated} of them again`)
}

async function startBare(
  { redisUrl, databaseUrl }: Rig,
  parts: AsyncDisposableStack,
  side: Exclude<SideName, 'server'>,
  order: Omit<Side['order'], 'port'>,
): Promise<Side> {
  const [first, second] = await Promise.all([freePort(), freePort()])
  const nodes: readonly (readonly [number, string, string])[] = [
    [first, `${side}-a`, `${side}-b`],
    [second, `${side}-b`, `${side}-a`],
  ]
  for (const [port, name, other] of nodes) {
    const running = startProcess(process.execPath, [
      ...process.execArgv,
      BARE,
      `${port}`,
      redisUrl,
      name,
      other,
      ...(side === 'statements' ? [databaseUrl] : []),
    ])
    parts.defer(() => running.kill('SIGKILL'))
    await listensAt(running, port)
  }
  const pages = parts.use(startWorker<PageClients>(PAGES))
  await pages.ask('open', { port: second, isBare: true, places: [NOWHERE] })
  return { order: { ...order, port: first }, pages }
}

const NOWHERE: Place = { owner: '', repo: '', panelId: '', cookie: '', origin: '' }

/** The prototype answers every request through its page, so that only its port can tell that it is there. */
async function listensAt(running: RunningProcess, port: number): Promise<void> {
  await waitUntil('the prototype listens', async () => {
    if (running.child.exitCode !== null) throw new Error(`the prototype ended:\n${running.output()}`)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    return await promise.finally(() => socket.destroy())
  })
}

/** With a second workspace, for whoever writes past the server. */
async function startNodes(
  rig: Rig,
  parts: AsyncDisposableStack,
): Promise<{ readonly server: Side; readonly other: Omit<Side['order'], 'port'> }> {
  const { databaseUrl, redisUrl } = rig
  const start = { databaseUrl, redisUrl, poolSize: POOL_SIZE }
  const [first, second] = await Promise.all([startServer(start), startServer(start)])
  parts.use(first)
  parts.use(second)
  await listens(first.running, first.port)
  const [browser] = await openBrowsers(first.port)
  if (browser === undefined) throw new Error('nobody is there')
  const [place, otherPlace] = await makePlaces(first.port, [browser], 2)
  if (place === undefined || otherPlace === undefined) throw new Error('no workspaces were made')
  const key = await makeKey(first.port, browser, `panels:${place.owner}/*`)
  const orderOf = ({ owner, repo, panelId }: Place) => ({
    path: `/api/panels/webview/${owner}/${repo}`,
    headers: { 'x-api-key': key },
    panelId,
  })
  const pages = parts.use(startWorker<PageClients>(PAGES))
  const origin = `http://localhost:${second.port}`
  await pages.ask('open', { port: second.port, isBare: false, places: [{ ...place, origin }] })
  return { server: { order: { ...orderOf(place), port: first.port }, pages }, other: orderOf(otherPlace) }
}
