import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserCommand, WorkspaceRef } from '@patchbay/contracts'
import type { PanelsDeps } from '../deps.ts'
import { newId } from '../new-id.ts'
import { roomOf } from '../workspaces/workspace.ts'
import type { Attendance } from './attendance.socket.ts'
import { CommandDesk, type Ending } from './command-desk.ts'
import type { CommandMail, Reply } from './command-mail.ts'
import { Hints } from './hints.ts'
import { MailRoom } from './mail-room.store.ts'
import type { NodeWatch } from './node-watch.store.ts'
import { type Connection, isSamePlace, type Place, placeOf } from './open-workspace.ts'
import type { CommandOutcome } from './ports.ts'
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
  message: 'This node has as many commands under way as it may have.',
}

interface CourierDeps extends Pick<PanelsDeps, 'bus' | 'log' | 'createSecret'> {
  readonly rooms: Rooms
  readonly attendance: Attendance
  readonly nodes: () => NodeWatch
  readonly takenWithinMs: number
}

export interface SendOptions {
  readonly deadlineMs: number
  readonly canRepeat: boolean
}

interface Choice {
  readonly place: Place
  readonly isHint: boolean
}

/** Brings commands to the browser that acts. */
export class Courier {
  readonly #deps: CourierDeps
  readonly #mail: MailRoom
  readonly #hints = new Hints()
  #underWay = 0
  #isStopped = false

  constructor(deps: CourierDeps) {
    this.#deps = deps
    const { bus, nodes, log } = deps
    this.#mail = new MailRoom({
      channel: bus.channel,
      nodes,
      log,
      onCommand: (mail) => this.#receive(mail),
    })
  }

  /** Commands that this node has under way, its own and those of its browsers. */
  get size(): number {
    return this.#underWay
  }

  noteSilence(node: string): void {
    this.#mail.passOver(node)
  }

  noteEnd(node: string): void {
    this.#mail.giveUp(node)
  }

  /** Somebody has looked who acts. */
  hint(at: WorkspaceRef, place: Place): void {
    this.#hints.set(roomOf(at), place)
  }

  /** Whether a command would be on its way without looking. */
  knows(at: WorkspaceRef): boolean {
    return this.#recall(roomOf(at)) != null
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
    connection.desk ??= new CommandDesk({
      line: peer,
      takenWithinMs: this.#deps.takenWithinMs,
      isCongested: () => connection.isCongested,
    })
    return peer.isOpen
      ? connection.desk.run(id, text, deadlineMs)
      : Promise.resolve({ outcome: 'gone', wasSent: false })
  }

  /** The one that acts, by what is known here, or by looking. */
  async choose(
    room: string,
    { mustLook, passedOver }: { readonly mustLook: boolean; readonly passedOver: readonly Place[] },
  ): Promise<Choice | undefined> {
    const nodes = this.#deps.nodes()
    const isFree = (place: Place) => !passedOver.some((other) => isSamePlace(place, other))
    const known = mustLook ? undefined : this.#recall(room)
    if (known && isFree(known) && !nodes.isSilent(known.node)) return { place: known, isHint: true }
    const present = await this.#deps.attendance.list(room)
    const able = present.filter((one) => one.mayAct && isFree(one))
    const chosen = able.find(({ node }) => !nodes.isSilent(node)) ?? able[0]
    if (chosen === undefined) return undefined
    const place = placeOf(chosen)
    this.#hints.set(room, place)
    return { place, isHint: false }
  }

  stop(): void {
    this.#isStopped = true
    this.#mail.stop()
  }

  async #send(
    room: string,
    command: BrowserCommand,
    { deadlineMs, canRepeat }: SendOptions,
  ): Promise<CommandOutcome> {
    const id = newId(this.#deps.createSecret)
    const endsAt = performance.now() + deadlineMs
    let passedOver: readonly Place[] = []
    let mustLook = false
    let lastGoneAt = Number.NEGATIVE_INFINITY
    for (let attempt = 0; attempt < MOST_ATTEMPTS && !this.#isStopped; attempt += 1) {
      const leftMs = Math.ceil(endsAt - performance.now())
      if (leftMs <= 0) return { outcome: 'timeout' }
      const choice = await this.choose(room, { mustLook, passedOver })
      if (choice === undefined) {
        if (performance.now() - lastGoneAt > RETURN_WITHIN_MS) return { outcome: 'no_browser' }
        await sleep(Math.min(LOOK_AGAIN_MS, leftMs))
        passedOver = []
        continue
      }
      const text = commandText(id, leftMs, command)
      const reply = await this.#bring(room, choice, { id, text, deadlineMs: leftMs, canRepeat })
      if (reply.outcome !== 'gone' && reply.outcome !== 'elsewhere') return reply
      mustLook = true
      if (reply.outcome === 'elsewhere') continue
      if (reply.wasSent && !canRepeat) return { outcome: 'lost' }
      lastGoneAt = performance.now()
      passedOver = [...passedOver, choice.place]
    }
    return { outcome: this.#isStopped ? 'no_browser' : 'timeout' }
  }

  #recall(room: string): Place | null | undefined {
    const here = this.#deps.rooms.get(room)
    return (here && this.#deps.attendance.actingIn(here)) ?? this.#hints.get(room)
  }

  async #bring(
    room: string,
    { place, isHint }: Choice,
    command: { id: string; text: string; deadlineMs: number; canRepeat: boolean },
  ): Promise<Exclude<Reply, { outcome: 'accepted' }>> {
    const { bus } = this.#deps
    const { id, text, deadlineMs, canRepeat } = command
    const mail = { from: bus.node, room, to: place, id, deadlineMs, isHint, text }
    return place.node === bus.node ? await this.#deliver(mail) : await this.#mail.carry({ mail, canRepeat })
  }

  async #receive(mail: CommandMail): Promise<Reply> {
    if (this.#underWay >= CONTROL_CAPS.commandsOfNode) return TOO_MANY
    this.#underWay += 1
    try {
      return await this.#deliver(mail)
    } finally {
      this.#underWay -= 1
    }
  }

  async #deliver({
    room,
    to,
    id,
    text,
    deadlineMs,
    isHint,
  }: CommandMail): Promise<Ending | { outcome: 'elsewhere' }> {
    const { rooms, attendance } = this.#deps
    const here = rooms.get(room)
    const connection = here && attendance.findHere(here, to)
    if (here === undefined || connection === undefined) return { outcome: 'gone', wasSent: false }
    if (isHint && !this.#acts(connection)) return { outcome: 'elsewhere' }
    return await this.runHere(connection, id, text, deadlineMs)
  }

  #acts(connection: Connection): boolean {
    const { attendance } = this.#deps
    const acting = connection.room && attendance.actingIn(connection.room)
    // Not known at this moment: whoever chose it knew as much as there is to know.
    if (acting === undefined) return connection.mayChange
    return acting !== null && isSamePlace(acting, attendance.placeHere(connection))
  }
}
