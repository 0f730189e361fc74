import type { CallbackOutcome } from '@patchbay/contracts/gateway'
import type { Bus, DeliverOutcome, Directory, Holder } from '@patchbay/kernel/bus'
import type { ProviderAnswer } from './provider-answer.ts'

/** What the holder of a registration says about it on the page that asks the person. */
export interface Introduction {
  readonly provider: string
  readonly label: string | undefined
}

export type Located = { readonly holder: Holder } | { readonly outcome: CallbackOutcome }

export type Introduced = { readonly introduction: Introduction } | { readonly outcome: CallbackOutcome }

/** What a holder answers to a delivery. */
export const TAKEN = 'taken'
export const GONE = 'gone'

export const TOPICS = { introduce: 'gateway.introduce', superseded: 'gateway.superseded' } as const

export interface DeliveryRouterOptions {
  readonly bus: Bus
  readonly directory: Directory
  /** How long the owner's connection may take to accept a message. */
  readonly deliverWithinMs: number
  /** How long a callback waits for a client that is changing nodes. */
  readonly resumeWithinMs: number
  /** Both together: a proxy that waits longer for an answer asks another node. */
  readonly answerWithinMs: number
}

export function wakeKey(state: string): string {
  return `gateway ${state}`
}

/** From a callback on this node to the connection on whatever node. */
export class DeliveryRouter {
  readonly #options: DeliveryRouterOptions

  constructor(options: DeliveryRouterOptions) {
    this.#options = options
  }

  /** Delivers at most once: whoever loses the race finds the state unknown. */
  deliver({ state, frame, outcome }: ProviderAnswer): Promise<CallbackOutcome> {
    // Without `async`, and so for what it calls: thousands of people a second come this way.
    return this.#deliver(state, frame).then(
      // A refusal of the provider is the news, whether or not somebody is there to hear it.
      (delivered) => (delivered === 'done' || outcome !== 'done' ? outcome : delivered),
      () => (outcome === 'done' ? 'gateway-unavailable' : outcome),
    )
  }

  /** Where the state is held, without taking it. */
  async locate(state: string): Promise<Located> {
    try {
      const found = await this.#whenHeld(
        state,
        (seen) => seen === 'suspended',
        () => this.#options.directory.find(state),
      )
      if (found === undefined) return { outcome: 'unknown-state' }
      return found === 'suspended' ? { outcome: 'client-gone' } : { holder: found }
    } catch {
      return { outcome: 'gateway-unavailable' }
    }
  }

  /** Asks the node that holds the state who wants the answer. */
  async introduce(state: string): Promise<Introduced> {
    const begun = performance.now()
    const located = await this.locate(state)
    if ('outcome' in located) return located
    const { node, epoch } = located.holder
    const asked = await this.#options.bus.channel
      .send(node, TOPICS.introduce, epoch, this.#deliverWithin(begun))
      .catch(() => undefined)
    if (asked === undefined) return { outcome: 'gateway-unavailable' }
    if (asked.outcome === 'timeout') return { outcome: 'client-silent' }
    if (asked.outcome === 'gone' || asked.reply === GONE) return { outcome: 'client-gone' }
    return { introduction: JSON.parse(asked.reply) as Introduction }
  }

  #deliver(state: string, frame: string): Promise<CallbackOutcome> {
    const { directory } = this.#options
    const begun = performance.now()
    return this.#whenHeld(
      state,
      ({ outcome }) => outcome === 'suspended',
      () => directory.deliver(state, frame, this.#deliverWithin(begun)),
    ).then((result) =>
      result.outcome === 'answered' && result.reply === TAKEN ? 'done' : UNDELIVERED[result.outcome],
    )
  }

  /** Whoever had to wait for the client has less time left for it to take the message. */
  #deliverWithin(begun: number): number {
    const { deliverWithinMs, answerWithinMs } = this.#options
    return Math.min(deliverWithinMs, Math.max(1, answerWithinMs - (performance.now() - begun)))
  }

  /** Tries again when the state is resumed, until it is no longer suspended or the wait is over. */
  #whenHeld<Answer>(
    state: string,
    isSuspended: (answer: Answer) => boolean,
    attempt: () => Promise<Answer>,
  ): Promise<Answer> {
    return attempt().then((first) =>
      isSuspended(first) ? this.#whenResumed(state, isSuspended, attempt) : first,
    )
  }

  async #whenResumed<Answer>(
    state: string,
    isSuspended: (answer: Answer) => boolean,
    attempt: () => Promise<Answer>,
  ): Promise<Answer> {
    const { bus, resumeWithinMs } = this.#options
    const end = performance.now() + resumeWithinMs
    const waiter = await bus.wakeups.listen(wakeKey(state))
    try {
      for (;;) {
        // Tried again before each wait: the client may have come back before anybody listened.
        const answer = await attempt()
        const left = end - performance.now()
        if (!isSuspended(answer) || left <= 0) return answer
        await waiter.next(left)
      }
    } finally {
      await waiter[Symbol.asyncDispose]()
    }
  }
}

/** An answer that is not `TAKEN` comes from a node whose connection went at the last moment. */
const UNDELIVERED: Readonly<Record<DeliverOutcome['outcome'], CallbackOutcome>> = {
  answered: 'client-gone',
  gone: 'client-gone',
  suspended: 'client-gone',
  timeout: 'client-silent',
  absent: 'unknown-state',
}
