import { startRedis } from '@patchbay/testkit/redis'
import { insertPeople, insertSessions, openBrowsers } from '../identity/people.ts'
import { HOLDERS, MEASURED, measureHeld, warmedUp } from '../memory.ts'
import { startScript, startWorker, type Worker } from '../processes.ts'
import { inTurns, type Rounds } from '../report.ts'
import { startDatabase, startServer } from '../server.ts'
import type { ActionLoad, ActionOrder, ActionTimes } from './action-load.ts'
import type { PageClients } from './page-clients.ts'
import { makeKey, makePlaces, type Place } from './places.ts'

/** One PostgreSQL and one Redis for everybody, with people in it. */
interface Rig extends AsyncDisposable {
  readonly databaseUrl: string
  readonly redisUrl: string
}

export async function startRig(): Promise<Rig> {
  await using starting = new AsyncDisposableStack()
  const { url, client } = starting.use(await startDatabase())
  const redis = starting.use(await startRedis())
  // Makes the tables.
  await (await startServer({ databaseUrl: url }))[Symbol.asyncDispose]()
  await insertPeople(client)
  await insertSessions(client)
  const running = starting.move()
  return { databaseUrl: url, redisUrl: redis.url, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

/** `statements`: the bare echo, with what an action reads and writes before it. */
export const SIDES = ['bare', 'statements', 'server'] as const
export type SideName = (typeof SIDES)[number]
export type TripRounds = Rounds<SideName, ActionTimes>

export interface TripSizes {
  readonly actions: number
  readonly rounds: number
  readonly crowd: number
}

type Target = Omit<ActionOrder, 'port' | 'actions' | 'together'>

interface Side {
  readonly order: Omit<ActionOrder, 'actions' | 'together'>
  readonly pages: Worker<PageClients>
}

const BARE_ECHO = new URL('./bare-echo.ts', import.meta.url)
const BARE_WS = new URL('../kernel/bare-ws.ts', import.meta.url)
const PAGES = new URL('./page-clients.ts', import.meta.url)
const LOAD = new URL('./action-load.ts', import.meta.url)
const NOWHERE: Place = { owner: '', repo: '', panelId: '', cookie: '', origin: '' }
const WARM_UP = 200

/** Actions arrive at one node, the page is at the other; all sides in turns on one Redis. */
export async function measureTrips(rig: Rig, { actions, rounds, crowd }: TripSizes) {
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
    const before = await pages.ask('counts')
    const times = await load.ask('run', { ...order, actions, together })
    const after = await pages.ask('counts')
    requireOnce(name, actions, after.done - before.done, after.repeated)
    return times
  }
  return {
    /** One at a time: what somebody waits for. */
    alone: await inTurns(SIDES, rounds, (name) => measure(name, 1)),
    crowded: await inTurns(SIDES, rounds, (name) => measure(name, crowd)),
  }
}

/** An answer without the page having acted, or an action that was carried out twice, would be no round trip. */
export function requireOnce(name: string, asked: number, done: number, repeated: number): void {
  if (done !== asked || repeated > 0)
    throw new Error(`${name} carried out ${done} of ${asked} actions, ${repeated} of them again`)
}

async function openPages(
  parts: AsyncDisposableStack,
  port: number,
  isBare: boolean,
  places: readonly Place[],
) {
  const pages = parts.use(startWorker<PageClients>(PAGES))
  await pages.ask('open', { port, isBare, places: atPort(places, port) })
  return pages
}

const atPort = (places: readonly Place[], port: number) =>
  places.map((place) => ({ ...place, origin: `http://localhost:${port}` }))

async function startBare(
  { redisUrl, databaseUrl }: Rig,
  parts: AsyncDisposableStack,
  side: Exclude<SideName, 'server'>,
  target: Target,
): Promise<Side> {
  const database = side === 'statements' ? [databaseUrl] : []
  const start = async (name: string, other: string) =>
    parts.use(await startScript(BARE_ECHO, [redisUrl, `${side}-${name}`, `${side}-${other}`, ...database]))
  const [first, second] = await Promise.all([start('a', 'b'), start('b', 'a')])
  return {
    order: { ...target, port: first.port },
    pages: await openPages(parts, second.port, true, [NOWHERE]),
  }
}

/** With a second workspace, for whoever writes past the server. */
async function startNodes(rig: Rig, parts: AsyncDisposableStack): Promise<{ server: Side; other: Target }> {
  const [first, second] = await Promise.all([startServer(rig), startServer(rig)])
  parts.use(first)
  parts.use(second)
  const [browser] = await openBrowsers(first.port)
  if (browser === undefined) throw new Error('nobody is there')
  const [place, otherPlace] = await makePlaces(first.port, [browser], 2)
  if (place === undefined || otherPlace === undefined) throw new Error('no workspaces were made')
  const key = await makeKey(first.port, browser, `panels:${place.owner}/*`)
  const targetOf = ({ owner, repo, panelId }: Place): Target => ({
    path: `/api/panels/webview/${owner}/${repo}`,
    headers: { 'x-api-key': key },
    panelId,
  })
  const pages = await openPages(parts, second.port, false, [place])
  return { server: { order: { ...targetOf(place), port: first.port }, pages }, other: targetOf(otherPlace) }
}

/** What an open workspace costs a node: each of another workspace, so that no two share a room. */
export async function measureSocketMemory(
  { databaseUrl, redisUrl }: Rig,
  { workspaces, rounds }: { readonly workspaces: number; readonly rounds: number },
) {
  const places = await preparePlaces(databaseUrl, workspaces)
  return await inTurns(HOLDERS, rounds, async (name) => {
    await using parts = new AsyncDisposableStack()
    const isBare = name === 'bare'
    const server = {
      databaseUrl,
      redisUrl: name === 'on Redis' ? redisUrl : undefined,
      nodeArguments: MEASURED,
    }
    const node = await (isBare ? startScript(BARE_WS, [], MEASURED) : startServer(server))
    parts.defer(() => node.running.kill('SIGKILL'))
    const { port } = node
    const pages = await openPages(parts, port, isBare, [])
    return await measureHeld(node, {
      ...warmedUp(workspaces),
      open: (from, count) =>
        pages.ask('open', { port, isBare, places: atPort(places.slice(from, from + count), port) }),
      held: async () => (await pages.ask('counts')).open,
    })
  })
}

async function preparePlaces(databaseUrl: string, count: number): Promise<readonly Place[]> {
  await using server = await startServer({ databaseUrl })
  return await makePlaces(server.port, await openBrowsers(server.port), count)
}
