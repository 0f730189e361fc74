import type { NodeChannel, SendOutcome } from '@patchbay/kernel/bus'
import type { Log } from '@patchbay/kernel/log'
import type { Ending } from './command-desk.ts'
import {
  type CommandMail,
  type EndingMail,
  readCommandMail,
  type Reply,
  TOPICS,
  writeCommandMail,
} from './command-mail.ts'
import type { NodeWatch } from './node-watch.store.ts'

/** A node answers sooner than this, with the ending or with `accepted`. One that does not is known to be silent before. */
const ANSWER_WITHIN_MS = 1_500
/** Most commands end sooner than this, and then one message each way is all. */
const ACCEPT_AFTER_MS = 40
const TELL_WITHIN_MS = 1_000
const TELL_ATTEMPTS = 3
/** The ending may be on its way when the deadline is over. */
const GRACE_MS = 250

export interface Carried {
  readonly mail: CommandMail
  /** Whether another browser can have it while this one may still be at it. */
  readonly canRepeat: boolean
}

interface Awaited {
  readonly node: string
  readonly canRepeat: boolean
  readonly settle: (ending: Ending) => void
}

interface MailRoomOptions {
  readonly channel: NodeChannel
  readonly nodes: () => NodeWatch
  readonly log: Log
  /** A command for a browser of this node. */
  readonly onCommand: (mail: CommandMail) => Promise<Reply>
}

/** Commands between nodes. */
export class MailRoom {
  readonly #options: MailRoomOptions
  readonly #awaited = new Map<string, Awaited>()

  constructor(options: MailRoomOptions) {
    this.#options = options
    options.channel.handle(TOPICS.command, (mail) => this.#receive(readCommandMail(mail)))
    options.channel.handle(TOPICS.ending, (mail) => this.#hear(JSON.parse(mail) as EndingMail))
  }

  get size(): number {
    return this.#awaited.size
  }

  async carry({ mail, canRepeat }: Carried): Promise<Exclude<Reply, { outcome: 'accepted' }>> {
    const { channel, nodes } = this.#options
    const { node } = mail.to
    const key = keyOf(node, mail.id)
    const { promise, resolve } = Promise.withResolvers<Ending>()
    this.#awaited.set(key, { node, canRepeat, settle: resolve })
    nodes().hold(node)
    const overdue = setTimeout(resolve, mail.deadlineMs + GRACE_MS, { outcome: 'timeout' })
    try {
      const sending = channel.send(node, TOPICS.command, writeCommandMail(mail), ANSWER_WITHIN_MS)
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

  async #receive(mail: CommandMail): Promise<string> {
    const reply = this.#options.onCommand(mail)
    const { promise: patience, resolve } = Promise.withResolvers<Reply>()
    const timer = setTimeout(resolve, ACCEPT_AFTER_MS, { outcome: 'accepted' })
    const first = await Promise.race([reply, patience])
    clearTimeout(timer)
    if (first.outcome === 'accepted') void reply.then((ending) => this.#tell(mail, ending as Ending))
    return JSON.stringify(first)
  }

  async #tell({ from, id }: CommandMail, ending: Ending): Promise<void> {
    const { channel, log } = this.#options
    const mail: EndingMail = { from: channel.node, id, ending }
    for (let attempt = 1; attempt <= TELL_ATTEMPTS; attempt += 1) {
      try {
        const { outcome } = await channel.send(from, TOPICS.ending, JSON.stringify(mail), TELL_WITHIN_MS)
        if (outcome !== 'timeout') return
      } catch (err) {
        log.debug({ err }, 'how a command ended could not be told')
      }
    }
  }

  #hear({ from, id, ending }: EndingMail): string {
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
