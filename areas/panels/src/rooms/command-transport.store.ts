import type { NodeChannel, SendOutcome } from '@patchbay/kernel/bus'
import type { Log } from '@patchbay/kernel/log'
import type { NodeWatch } from './node-watch.store.ts'
import type { Ending } from './pending-commands.ts'
import type { Place } from './room.ts'

/** `accepted`: the ending follows on its own. */
export type Reply = Ending | { readonly outcome: 'accepted' }

/** A command on its way to the node of a browser. */
export interface CommandEnvelope {
  readonly from: string
  /** The workspace, as its room is called. */
  readonly room: string
  readonly to: Place
  readonly id: string
  readonly deadlineMs: number
  /** The finished message, which nobody on the way needs to read. */
  readonly text: string
}

function writeCommand({ text, ...head }: CommandEnvelope): string {
  return `${JSON.stringify(head)}\n${text}`
}

function readCommand(envelope: string): CommandEnvelope {
  const end = envelope.indexOf('\n')
  return {
    ...(JSON.parse(envelope.slice(0, end)) as Omit<CommandEnvelope, 'text'>),
    text: envelope.slice(end + 1),
  }
}

/** How a command ended that was accepted before. */
export interface ResultEnvelope {
  readonly from: string
  readonly id: string
  readonly ending: Ending
}

export const TOPICS = { command: 'panels.command', ending: 'panels.ending', queue: 'panels.queue' } as const

/** A node answers sooner than this, with the ending or with `accepted`. One that does not is known to be silent before. */
const ANSWER_WITHIN_MS = 1_500
/** Most commands end sooner than this, and then one message each way is all. */
const ACCEPT_AFTER_MS = 40
const REPORT_WITHIN_MS = 1_000
const REPORT_ATTEMPTS = 3
/** The ending may be on its way when the deadline is over. */
const GRACE_MS = 250

interface Awaited {
  readonly node: string
  /** Whether another browser can have it while this one may still be at it. */
  readonly canRepeat: boolean
  readonly settle: (ending: Ending) => void
}

interface CommandTransportOptions {
  readonly channel: NodeChannel
  readonly nodes: () => NodeWatch
  readonly log: Log
  /** A command for a browser of this node. */
  readonly onCommand: (envelope: CommandEnvelope) => Promise<Reply>
}

/** Commands between nodes. */
export class CommandTransport {
  readonly #options: CommandTransportOptions
  readonly #awaited = new Map<string, Awaited>()

  constructor(options: CommandTransportOptions) {
    this.#options = options
    options.channel.handle(TOPICS.command, (envelope) => this.#receive(readCommand(envelope)))
    options.channel.handle(TOPICS.ending, (envelope) => this.#settle(JSON.parse(envelope) as ResultEnvelope))
  }

  get size(): number {
    return this.#awaited.size
  }

  async send(
    envelope: CommandEnvelope,
    canRepeat: boolean,
  ): Promise<Exclude<Reply, { outcome: 'accepted' }>> {
    const { channel, nodes } = this.#options
    const { node } = envelope.to
    const key = keyOf(node, envelope.id)
    const { promise, resolve } = Promise.withResolvers<Ending>()
    this.#awaited.set(key, { node, canRepeat, settle: resolve })
    nodes().hold(node)
    const overdue = setTimeout(resolve, envelope.deadlineMs + GRACE_MS, { outcome: 'timeout' })
    try {
      const sending = channel.send(node, TOPICS.command, writeCommand(envelope), ANSWER_WITHIN_MS)
      const sent = await Promise.race([sending, promise.then(asAnswered)])
      if (sent.outcome === 'gone') return { outcome: 'gone', wasSent: false }
      // Whether its browser got it is not known, and never will be.
      if (sent.outcome === 'timeout') return { outcome: 'gone', wasSent: true }
      const reply = JSON.parse(sent.reply) as Reply
      return reply.outcome === 'accepted' ? await promise : reply
    } finally {
      clearTimeout(overdue)
      nodes().release(node)
      this.#awaited.delete(key)
    }
  }

  /** The node answers nothing: what can be repeated is better repeated elsewhere. */
  passOver(node: string): void {
    for (const awaited of this.#awaited.values())
      if (awaited.node === node && awaited.canRepeat) awaited.settle({ outcome: 'gone', wasSent: true })
  }

  /** The node will never answer. */
  giveUp(node: string): void {
    for (const awaited of this.#awaited.values())
      if (awaited.node === node) awaited.settle({ outcome: 'gone', wasSent: true })
  }

  stop(): void {
    for (const { settle } of this.#awaited.values()) settle({ outcome: 'gone', wasSent: true })
  }

  async #receive(envelope: CommandEnvelope): Promise<string> {
    const reply = this.#options.onCommand(envelope)
    const { promise: patience, resolve } = Promise.withResolvers<Reply>()
    const timer = setTimeout(resolve, ACCEPT_AFTER_MS, { outcome: 'accepted' })
    const first = await Promise.race([reply, patience])
    clearTimeout(timer)
    if (first.outcome === 'accepted') void reply.then((ending) => this.#report(envelope, ending as Ending))
    return JSON.stringify(first)
  }

  async #report({ from, id }: CommandEnvelope, ending: Ending): Promise<void> {
    const { channel, log } = this.#options
    const envelope: ResultEnvelope = { from: channel.node, id, ending }
    for (let attempt = 1; attempt <= REPORT_ATTEMPTS; attempt += 1) {
      try {
        const { outcome } = await channel.send(
          from,
          TOPICS.ending,
          JSON.stringify(envelope),
          REPORT_WITHIN_MS,
        )
        if (outcome !== 'timeout') return
      } catch (err) {
        log.debug({ err }, 'failed to report command result')
      }
    }
  }

  #settle({ from, id, ending }: ResultEnvelope): string {
    this.#awaited.get(keyOf(from, id))?.settle(ending)
    return ''
  }
}

function asAnswered(ending: Ending): SendOutcome {
  return { outcome: 'answered', reply: JSON.stringify(ending) }
}

function keyOf(node: string, id: string): string {
  return `${node} ${id}`
}
