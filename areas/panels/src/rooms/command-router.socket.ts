import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserCommand, WorkspaceRef } from '@patchbay/contracts/panels'
import { roomOf } from '../access/workspace.ts'
import type { CommandOutcome } from '../control.ts'
import type { PanelsDeps } from '../deps.ts'
import { newId } from '../new-id.ts'
import type { CommandEnvelope, Reply } from './command-transport.store.ts'
import { CommandTransport } from './command-transport.store.ts'
import type { NodeWatch } from './node-watch.store.ts'
import { type Ending, PendingCommands } from './pending-commands.ts'
import type { Presence } from './presence.socket.ts'
import { type Connection, isSamePlace, type Place, placeOf } from './room.ts'
import type { Rooms } from './rooms.socket.ts'
import { commandText } from './server-message.ts'
import { CONTROL_CAPS } from './timings.ts'

/** How long a command waits for a browser that has just gone to come back. */
const RETURN_WITHIN_MS = 2_000
const LOOK_AGAIN_MS = 100
/** However often browsers come and go. */
const MOST_ATTEMPTS = 200

const TOO_MANY: CommandOutcome = {
  outcome: 'failed',
  code: 'not_ready',
  message: `Limit reached: this node already has ${CONTROL_CAPS.commandsOfNode} commands in progress. Try again shortly.`,
}

interface CommandRouterDeps extends Pick<PanelsDeps, 'bus' | 'log' | 'createSecret'> {
  readonly rooms: Rooms
  readonly presence: Presence
  readonly nodes: () => NodeWatch
  readonly takenWithinMs: number
}

export interface SendOptions {
  readonly deadlineMs: number
  readonly canRepeat: boolean
}

/** Routes commands to the browser that acts, on whatever node it is. */
export class CommandRouter {
  readonly #deps: CommandRouterDeps
  readonly #transport: CommandTransport
  #underWay = 0
  #isStopped = false

  constructor(deps: CommandRouterDeps) {
    this.#deps = deps
    const { bus, nodes, log } = deps
    this.#transport = new CommandTransport({
      channel: bus.channel,
      nodes,
      log,
      onCommand: (envelope) => this.#receive(envelope),
    })
  }

  /** Commands that this node has under way, its own and those of its browsers. */
  get size(): number {
    return this.#underWay
  }

  noteSilence(node: string): void {
    this.#transport.passOver(node)
  }

  noteEnd(node: string): void {
    this.#transport.giveUp(node)
  }

  async send(at: WorkspaceRef, command: BrowserCommand, options: SendOptions): Promise<CommandOutcome> {
    if (this.#underWay >= CONTROL_CAPS.commandsOfNode) return TOO_MANY
    this.#underWay += 1
    try {
      return await this.#send(roomOf(at), command, options)
    } finally {
      this.#underWay -= 1
    }
  }

  /** To this browser of this node and no other. */
  runHere(connection: Connection, id: string, text: string, deadlineMs: number): Promise<Ending> {
    const { peer } = connection
    connection.pending ??= new PendingCommands({
      line: peer,
      takenWithinMs: this.#deps.takenWithinMs,
      isCongested: () => connection.isCongested,
    })
    return peer.isOpen
      ? connection.pending.run(id, text, deadlineMs)
      : Promise.resolve({ outcome: 'gone', wasSent: false })
  }

  /** The one that acts. */
  async choose(room: string, passedOver: readonly Place[] = []): Promise<Place | undefined> {
    const nodes = this.#deps.nodes()
    const isFree = (place: Place) => !passedOver.some((other) => isSamePlace(place, other))
    const present = await this.#deps.presence.list(room)
    const able = present.filter((one) => one.mayAct && isFree(one))
    const chosen = able.find(({ node }) => !nodes.isSilent(node)) ?? able[0]
    return chosen && placeOf(chosen)
  }

  stop(): void {
    this.#isStopped = true
    this.#transport.stop()
  }

  async #send(
    room: string,
    command: BrowserCommand,
    { deadlineMs, canRepeat }: SendOptions,
  ): Promise<CommandOutcome> {
    const id = newId(this.#deps.createSecret)
    const endsAt = performance.now() + deadlineMs
    let passedOver: readonly Place[] = []
    let lastGoneAt = Number.NEGATIVE_INFINITY
    for (let attempt = 0; attempt < MOST_ATTEMPTS && !this.#isStopped; attempt += 1) {
      const leftMs = Math.ceil(endsAt - performance.now())
      if (leftMs <= 0) return { outcome: 'timeout' }
      const place = await this.choose(room, passedOver)
      if (place === undefined) {
        if (performance.now() - lastGoneAt > RETURN_WITHIN_MS) return { outcome: 'no_browser' }
        await sleep(Math.min(LOOK_AGAIN_MS, leftMs))
        passedOver = []
        continue
      }
      const text = commandText(id, leftMs, command)
      const reply = await this.#route(room, place, { id, text, deadlineMs: leftMs, canRepeat })
      if (reply.outcome !== 'gone') return reply
      if (reply.wasSent && !canRepeat) return { outcome: 'lost' }
      lastGoneAt = performance.now()
      passedOver = [...passedOver, place]
    }
    return { outcome: this.#isStopped ? 'no_browser' : 'timeout' }
  }

  async #route(
    room: string,
    place: Place,
    command: { id: string; text: string; deadlineMs: number; canRepeat: boolean },
  ): Promise<Exclude<Reply, { outcome: 'accepted' }>> {
    const { bus } = this.#deps
    const { id, text, deadlineMs, canRepeat } = command
    const envelope = { from: bus.node, room, to: place, id, deadlineMs, text }
    return place.node === bus.node
      ? await this.#deliver(envelope)
      : await this.#transport.send(envelope, canRepeat)
  }

  async #receive(envelope: CommandEnvelope): Promise<Reply> {
    if (this.#underWay >= CONTROL_CAPS.commandsOfNode) return TOO_MANY
    this.#underWay += 1
    try {
      return await this.#deliver(envelope)
    } finally {
      this.#underWay -= 1
    }
  }

  async #deliver({ room, to, id, text, deadlineMs }: CommandEnvelope): Promise<Ending> {
    const { rooms, presence } = this.#deps
    const here = rooms.get(room)
    const connection = here && presence.findHere(here, to)
    if (here === undefined || connection === undefined) return { outcome: 'gone', wasSent: false }
    return await this.runHere(connection, id, text, deadlineMs)
  }
}
