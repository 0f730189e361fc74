import { randomBytes } from 'node:crypto'
import { SettableClock } from '@patchbay/testkit/clock'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { type Bus, createInProcessHub, createRedisBus } from '../../src/bus/index.ts'
import type { NodeId } from '../../src/bus/ports/bus.ts'

/** One test's nodes on some engine, with a clock that only the test moves. */
export interface Session extends AsyncDisposable {
  readonly clock: SettableClock
  connect(node?: NodeId): Promise<Bus>
  /** A node that can be killed without a word. It answers `echo`, is in the room and holds a claim of that name. */
  startVictim(room: string): Promise<{ readonly node: NodeId; kill(): Promise<void> }>
}

export type OpenSession = () => Promise<Session> | Session

/** Tests share engines: what each of them names must be its own. */
export function unique(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`
}

export function inProcessSession(): Session {
  const clock = new SettableClock()
  const hub = createInProcessHub({ clock })
  const opened = new AsyncDisposableStack()
  return {
    clock,
    connect: async (node = unique('node')) => opened.use(hub.connect(node)),
    async startVictim(room) {
      const node = unique('victim')
      const bus = hub.connect(node)
      await victimize(bus, room)
      return { node, kill: async () => hub.kill(node) }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

export const LIFETIMES = { ttlMs: 600_000, tombstoneMs: 120_000 }

/** One directory seen from two nodes. */
export async function twoNodes(session: Session) {
  const [first, second] = await Promise.all([session.connect(), session.connect()])
  const name = unique('directory')
  const [a, b] = [first.directory(name, LIFETIMES), second.directory(name, LIFETIMES)]
  return [a, b, first.node, second.node, second, first] as const
}

/** Patient, because a machine that is busy with other tests is not what these tests are about. */
export function redisSession(url: string, commandTimeoutMs = 10_000): Session {
  const clock = new SettableClock()
  const opened = new AsyncDisposableStack()
  return {
    clock,
    async connect(node = unique('node')) {
      const bus = opened.use(await createRedisBus({ url, node, clock, commandTimeoutMs }))
      // On a busy machine it may not have reached its engine yet when it is handed out.
      const isReached = async () => (await refusal(() => bus.ping())).code === 'none'
      await waitUntil('the bus has reached its engine', isReached, { intervalMs: 5 })
      return bus
    },
    async startVictim(room) {
      const node = unique('victim')
      const script = new URL('victim.ts', import.meta.url).pathname
      const victim = opened.use(startProcess(process.execPath, [script, url, node, room]))
      await waitUntil(`the victim is up: ${victim.output()}`, () => victim.output().includes('ready'))
      return { node, kill: () => victim.kill('SIGKILL') }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

export const VICTIM_LIFETIMES = { ttlMs: 600_000, tombstoneMs: 60_000 }

export async function victimize(bus: Bus, room: string): Promise<void> {
  bus.channel.handle('echo', (message) => message)
  await bus.presence.join(room, 'victim', '')
  await bus.directory('victims', VICTIM_LIFETIMES).claim(room, 'e')
}

/** The code of the problem that a call is rejected with, and how long that took. */
export async function refusal(
  call: () => Promise<unknown>,
): Promise<{ readonly code: string; readonly afterMs: number }> {
  const start = performance.now()
  try {
    await call()
    return { code: 'none', afterMs: performance.now() - start }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : `not a problem: ${error}`
    return { code, afterMs: performance.now() - start }
  }
}
