import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { roomOf } from '../access/workspace.ts'
import type { CommandOutcome, QueueRunner } from '../control.ts'
import type { PanelsDeps } from '../deps.ts'
import type { CommandMetrics } from './command-metrics.ts'
import type { CommandRouter } from './command-router.socket.ts'
import { TOPICS } from './command-transport.store.ts'
import type { Presence } from './presence.socket.ts'
import { type Connection, isSamePlace, type Room } from './room.ts'
import type { Rooms } from './rooms.socket.ts'
import { commandText } from './server-message.ts'

/** The browser stops code that takes too long; only a browser that cannot do even that is late. */
const GRACE_MS = 3_000
const TELL_WITHIN_MS = 1_000

interface CodeQueueDeps extends Pick<PanelsDeps, 'bus' | 'log'> {
  readonly rooms: Rooms
  readonly presence: Presence
  readonly router: CommandRouter
  readonly runner: QueueRunner
  readonly count: CommandMetrics
}

/** Has queued code run by the browser that acts. */
export class CodeQueue {
  readonly #deps: CodeQueueDeps

  constructor(deps: CodeQueueDeps) {
    this.#deps = deps
    deps.bus.channel.handle(TOPICS.queue, (envelope) => {
      const { owner, repo, tabId } = JSON.parse(envelope) as WorkspaceRef & { tabId: string }
      this.#runHere({ owner, repo }, tabId)
      return ''
    })
  }

  /** Code was queued: the node of the browser that acts shall look. */
  async tell(at: WorkspaceRef, tabId: string): Promise<void> {
    const { bus, router } = this.#deps
    const place = await router.choose(roomOf(at))
    if (place === undefined) return
    if (place.node === bus.node) {
      this.#runHere(at, tabId)
      return
    }
    const envelope = JSON.stringify({ owner: at.owner, repo: at.repo, tabId })
    await bus.channel.send(place.node, TOPICS.queue, envelope, TELL_WITHIN_MS)
  }

  /** It acts from now on. */
  runAll(connection: Connection): void {
    for (const tabId of connection.readyTabs) this.#run(connection, tabId)
  }

  /** Perhaps some waits, and nobody has said so. */
  runWaiting(room: Room): void {
    const connection = room.acting && this.#deps.presence.findHere(room, room.acting)
    if (connection) this.runAll(connection)
  }

  /** A frame of it can run code from now on. */
  runIfActing(connection: Connection, tabId: string): void {
    const { presence } = this.#deps
    const acting = connection.room?.acting
    if (acting && isSamePlace(acting, presence.placeHere(connection))) this.#run(connection, tabId)
  }

  #runHere(at: WorkspaceRef, tabId: string): void {
    const { rooms, presence } = this.#deps
    const room = rooms.get(roomOf(at))
    const connection = room?.acting && presence.findHere(room, room.acting)
    if (connection) this.#run(connection, tabId)
  }

  #run(connection: Connection, tabId: string): void {
    const { room } = connection
    if (room === undefined || !connection.readyTabs.includes(tabId)) return
    const { runner, log } = this.#deps
    runner
      .run(room.at, tabId, ({ id, code, timeoutMs }) => this.#execute(connection, tabId, id, code, timeoutMs))
      .catch((err: unknown) => log.error({ err }, 'failed to run queued code'))
  }

  async #execute(
    connection: Connection,
    tabId: string,
    id: string,
    code: string,
    timeoutMs: number,
  ): Promise<CommandOutcome> {
    // A line that never gets empty would stay with a browser that somebody has turned away from.
    if (this.#hasLostTurn(connection)) return { outcome: 'no_browser' }
    const deadlineMs = timeoutMs + GRACE_MS
    const text = commandText(id, deadlineMs, { kind: 'eval', tabId, code, timeoutMs })
    const ending = await this.#deps.router.runHere(connection, id, text, deadlineMs)
    const outcome: CommandOutcome =
      ending.outcome === 'gone' ? { outcome: ending.wasSent ? 'lost' : 'no_browser' } : ending
    this.#deps.count('eval', outcome.outcome)
    return outcome
  }

  #hasLostTurn(connection: Connection): boolean {
    const { presence } = this.#deps
    const acting = connection.room && presence.actingIn(connection.room)
    if (acting === undefined) return false
    return acting === null || !isSamePlace(acting, presence.placeHere(connection))
  }
}
