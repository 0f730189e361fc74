import type { CallbackQuery, ClientMessage, GatewayErrorReason } from '@patchbay/contracts/gateway'
import { OAuthFlowError } from './flow-error.ts'
import type { FlowTimes } from './flow-options.ts'
import { GatewayLink, type Loss } from './gateway-link.ts'
import { type Incoming, readMessage } from './gateway-message.ts'
import { comesFromIssuer, type IssuerRule } from './issuer.ts'
import { challengeOf } from './pkce.ts'
import { providerError } from './provider-error.ts'

export interface PendingFlowOptions extends FlowTimes, IssuerRule {
  readonly socketUrl: string
  readonly state: string
  /** With this, and nothing less, a lost registration is taken over again. */
  readonly resumeSecret: string
  readonly provider: string
  readonly label?: string
  readonly signal?: AbortSignal
  readonly random: () => number
}

export interface CallbackAnswer {
  readonly code: string
  readonly query: CallbackQuery
}

/** One state, from its registration to its only answer. */
export class PendingFlow {
  /** Settles with what the gateway first answered: how long the registration lasts, if it said so. */
  readonly registered: Promise<number | undefined>
  readonly answer: Promise<CallbackAnswer>
  readonly #options: PendingFlowOptions
  readonly #registered: Settled<number | undefined> = createSettled()
  readonly #answer: Settled<CallbackAnswer> = createSettled()
  readonly #link: GatewayLink
  readonly #timers: readonly NodeJS.Timeout[]
  #lastLoss: Loss | undefined
  #isRegistered = false
  #isOver = false

  constructor(options: PendingFlowOptions) {
    this.#options = options
    this.registered = this.#registered.promise
    this.answer = this.#answer.promise
    this.#link = new GatewayLink({
      url: options.socketUrl,
      pingIntervalMs: options.pingIntervalMs,
      random: options.random,
      onOpen: (attempt) => this.#register(attempt > 0),
      onText: (text) => this.#receive(readMessage(text, options.state)),
      onLoss: (loss) => this.#lose(loss),
    })
    this.#timers = [
      setTimeout(() => this.#giveUp(new OAuthFlowError('timeout')), options.timeoutMs),
      setTimeout(() => this.#stillUnreachable(), options.connectTimeoutMs),
    ]
    options.signal?.addEventListener('abort', this.abort, { once: true })
    if (options.signal?.aborted === true) this.abort()
  }

  readonly abort = (): void => this.#giveUp(new OAuthFlowError('aborted'))

  #register(isAgain: boolean): void {
    const { state, provider, label, resumeSecret } = this.#options
    this.#say({
      type: 'register',
      state,
      provider,
      ...(label === undefined ? {} : { label }),
      resumeChallenge: challengeOf(resumeSecret),
      // The first register may have arrived although its answer did not: without proof it would look taken.
      ...(isAgain ? { resumeVerifier: resumeSecret } : {}),
    })
  }

  #receive(message: Incoming): void {
    switch (message.type) {
      case 'registered':
        this.#isRegistered = true
        this.#link.settle()
        this.#registered.resolve(message.expiresInMs)
        return
      case 'callback':
        return this.#finish(message)
      case 'error':
        return this.#refused(message)
      case 'malformed':
        return this.#fail(new OAuthFlowError('gateway_error', { detail: 'it sent a malformed message' }))
      case 'other':
        return
    }
  }

  #finish({ code, query }: CallbackAnswer): void {
    if (!comesFromIssuer(this.#options, query)) return this.#fail(new OAuthFlowError('issuer_mismatch'))
    // A gateway may deliver without having answered the registration that a resumed connection repeated.
    this.#registered.resolve(undefined)
    this.#answer.resolve({ code, query })
    this.#end()
  }

  #refused(message: Incoming & { type: 'error' }): void {
    const { reason, error, query } = message
    switch (reason) {
      case 'not_registered':
        return
      case 'unavailable':
        return this.#link.renew()
      case 'too_many_registrations':
        // Ours is one of them until the gateway has noticed that its connection is gone.
        return this.#isRegistered ? this.#link.renew() : this.#fail(refusal(reason))
      case 'state_taken':
        return this.#fail(
          new OAuthFlowError(this.#isRegistered ? 'registration_lost' : 'state_taken', { reason }),
        )
      case 'expired':
      case 'declined':
        return this.#fail(new OAuthFlowError(reason, { reason }))
      case 'provider_error':
        // RFC 9207: an error may come from the wrong issuer as well, and then says nothing about the right one.
        if (!comesFromIssuer(this.#options, query)) return this.#fail(new OAuthFlowError('issuer_mismatch'))
        return this.#fail(providerError(error, query))
      case 'invalid_message':
      case 'superseded':
      case undefined:
        return this.#fail(refusal(reason))
    }
  }

  #lose(loss: Loss): void {
    this.#lastLoss = loss
    if (loss.isProtocolFault) {
      this.#fail(
        new OAuthFlowError('gateway_error', { detail: 'it broke the WebSocket protocol', cause: loss.cause }),
      )
    } else if (!this.#isRegistered && loss.status !== undefined && isFinal(loss.status)) {
      this.#fail(unreachable(loss))
    }
  }

  #stillUnreachable(): void {
    if (!this.#isRegistered) this.#giveUp(unreachable(this.#lastLoss))
  }

  /** Ends what the gateway still holds. */
  #giveUp(error: OAuthFlowError): void {
    if (!this.#isOver) this.#say({ type: 'unregister', state: this.#options.state })
    this.#fail(error)
  }

  #fail(error: OAuthFlowError): void {
    this.#registered.reject(error)
    this.#answer.reject(error)
    this.#end()
  }

  #end(): void {
    this.#isOver = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#options.signal?.removeEventListener('abort', this.abort)
    this.#link.close()
  }

  #say(message: ClientMessage): void {
    this.#link.send(JSON.stringify(message))
  }
}

function refusal(reason: GatewayErrorReason | undefined): OAuthFlowError {
  return new OAuthFlowError('gateway_error', reason === undefined ? {} : { reason, detail: reason })
}

function unreachable(loss: Loss | undefined): OAuthFlowError {
  return new OAuthFlowError('gateway_unreachable', {
    ...(loss?.status === undefined
      ? {}
      : { detail: `it answered ${loss.status} instead of opening a WebSocket` }),
    cause: loss?.cause,
  })
}

/** Trying again does not help against a wrong address; it does against a busy or restarting gateway. */
function isFinal(status: number): boolean {
  return status < 500 && status !== 408 && status !== 425 && status !== 429
}

interface Settled<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(error: Error): void
}

/**
 * `Promise.withResolvers` for Node 20. A rejection that nobody waits for must not end the process: a service may have
 * sent the person away and never ask for the code.
 */
function createSettled<T>(): Settled<T> {
  let resolve: (value: T) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue
    reject = onError
  })
  promise.catch(() => undefined)
  return { promise, resolve: (value) => resolve(value), reject: (error) => reject(error) }
}
