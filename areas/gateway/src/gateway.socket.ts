import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GatewayErrorReason, RegisterMessage } from '@patchbay/contracts/gateway'
import { LIMITS } from '@patchbay/contracts/limits'
import type { Bus, Directory } from '@patchbay/kernel/bus'
import type { Clock } from '@patchbay/kernel/clock'
import type { Log } from '@patchbay/kernel/log'
import type { Endpoint, Peer } from '@patchbay/kernel/websocket'
import { readClientMessage } from './client-message.ts'
import { GONE, TAKEN, TOPICS, wakeKey } from './delivery-router.store.ts'
import { errorFrame, registeredFrame } from './gateway-frame.ts'
import {
  type Registration,
  type RegistrationCaps,
  type RegistrationEvent,
  Registrations,
} from './registration.ts'
import { RegistrationRate } from './registration-rate.ts'
import { UnregisteredConnections } from './unregistered-connections.ts'

/** 96 bits, kept short because every pending registration carries it in Redis. Guessing is online and once per try. */
const SEAL_LENGTH = 16

/** What the directory keeps of a resume challenge: enough to recognize the secret, not enough to know it. */
function sealOfChallenge(challenge: string): string {
  return challenge.slice(0, SEAL_LENGTH)
}

function sealOfVerifier(verifier: string): string {
  return sealOfChallenge(hash('sha256', verifier, 'base64url'))
}

export interface SocketDeps {
  readonly bus: Bus
  readonly directory: Directory
  readonly clock: Clock
  readonly log: Log
  readonly caps: RegistrationCaps
  readonly registerWithinMs: number
  readonly count: (event: RegistrationEvent) => void
}

type Client = Peer
type Held = Registration<Client>

const SWEEP_MS = 1_000
const SUPERSEDE_DEADLINE_MS = 2_000
/** As long as a delivery may take. */
const LAST_DELIVERY_MS = 2_000
const LOOK_MS = 10
const SEND_WITHIN_MS = 2_000
/** A minute, of one address, however few registrations it may hold at once. */
const FEWEST_REGISTERS = 120

/** The connections of this node and the states they hold. */
export class GatewaySockets {
  readonly #deps: SocketDeps
  readonly #book: Registrations<Client>
  readonly #waiting: UnregisteredConnections<Client>
  readonly #sweep: NodeJS.Timeout
  /** Connections that have not taken all of their messages yet: how many, and since when none was taken. */
  readonly #sending = new Map<Client, { count: number; since: number }>()
  /** Connections that draining is about to close. */
  readonly #leaving = new WeakSet<Client>()
  readonly #pace: RegistrationRate
  /** Claims that are being given up; the bus must not close before. */
  readonly #farewells = new Set<Promise<unknown>>()

  constructor(deps: SocketDeps) {
    this.#deps = deps
    this.#book = new Registrations(deps.caps)
    this.#waiting = new UnregisteredConnections(deps.registerWithinMs)
    this.#pace = new RegistrationRate(Math.max(FEWEST_REGISTERS, 2 * deps.caps.perAddress))
    this.#sweep = setInterval(() => this.sweep(), SWEEP_MS).unref()
    deps.directory.onDelivery((epoch, frame) => this.#pass(epoch, frame))
    deps.bus.channel.handle(TOPICS.introduce, (epoch) => this.#introduce(epoch))
    deps.bus.channel.handle(TOPICS.superseded, (epoch) => this.#supersede(epoch))
  }

  endpoint(): Endpoint {
    return {
      // The contract names no path.
      path: ['/ws', '/'],
      maxMessageBytes: LIMITS.gatewayMessageBytes,
      rate: { perSecond: 20, burst: 60 },
      onOpen: (peer) => this.#waiting.enter(peer, this.#now()),
      onMessage: (peer, text) => this.#receive(peer, text),
      onClose: (peer) => this.#leave(peer),
      onGoingAway: (peer) => this.#sendAway(peer),
    }
  }

  /** Ends what has expired and sends away who has nothing to wait for. */
  sweep(): void {
    const now = this.#now()
    for (const held of this.#book.expire(now)) {
      this.#deps.count('expired')
      this.#refuse(held.owner, held.state, 'expired')
      this.#restIfIdle(held.owner)
    }
    for (const peer of this.#waiting.overdue(now)) peer.end('nothing_registered')
    // A connection that does not read would hold up a handler of the bus for each message that waits for it.
    for (const [peer, { since }] of this.#sending) {
      if (performance.now() - since > SEND_WITHIN_MS) peer.drop('slow_consumer')
    }
    this.#pace.forget(now)
  }

  async stop(): Promise<void> {
    clearInterval(this.#sweep)
    await Promise.allSettled(this.#farewells)
  }

  #receive(peer: Client, text: string): Promise<void> | void {
    const reading = readClientMessage(text)
    if ('wrong' in reading) return this.#refuse(peer, reading.state, 'invalid_message', reading.wrong)
    const { message } = reading
    return message.type === 'register' ? this.#register(peer, message) : this.#unregister(peer, message.state)
  }

  async #register(peer: Client, message: RegisterMessage): Promise<void> {
    const { state } = message
    if (this.#leaving.has(peer)) return this.#refuse(peer, state, 'unavailable')
    if (!this.#pace.allows(peer.address, this.#now()))
      return this.#refuse(peer, state, 'too_many_registrations')
    const known = this.#book.find(peer, state)
    if (known !== undefined && known.standing !== 'uncertain') return this.#refuse(peer, state, 'state_taken')
    // A claim whose answer was lost may stand: only the same epoch can claim it again.
    const held = known ?? this.#enter(peer, message) ?? this.#enterInstead(peer, message)
    if (held === undefined) return this.#refuse(peer, state, 'too_many_registrations')
    if (known !== undefined) this.#book.endAt(known, this.#now() + LIMITS.gatewayRegistrationLifetimeMs)
    held.standing = 'claiming'
    this.#waiting.leave(peer)
    try {
      const expiresAt = await this.#claim(held, message)
      if (expiresAt === undefined) this.#drop(held, 'state_taken')
      else this.#confirm(held, expiresAt, message.resumeVerifier === undefined ? 'registered' : 'resumed')
    } catch {
      this.#doubt(held)
    }
  }

  #enter(peer: Client, { state, provider, label }: RegisterMessage): Held | undefined {
    return this.#book.add({
      state,
      provider,
      label,
      owner: peer,
      address: peer.address,
      expiresAt: this.#now() + LIMITS.gatewayRegistrationLifetimeMs,
    })
  }

  /** In the place of one that the directory never confirmed: a client may try a fresh state each time. */
  #enterInstead(peer: Client, message: RegisterMessage): Held | undefined {
    const doubtful = this.#book.ownedBy(peer).find(({ standing }) => standing === 'uncertain')
    if (doubtful === undefined) return undefined
    this.#book.remove(doubtful)
    void this.#follow(this.#deps.directory.release(doubtful.state, doubtful.epoch))
    return this.#enter(peer, message)
  }

  /** When the claim ends; `undefined` when somebody else has the state. */
  async #claim(held: Held, message: RegisterMessage): Promise<number | undefined> {
    const { directory, bus } = this.#deps
    const { state, epoch } = held
    const { resumeChallenge, resumeVerifier } = message
    if (resumeVerifier === undefined) {
      const seal = resumeChallenge === undefined ? undefined : sealOfChallenge(resumeChallenge)
      return (await directory.claim(state, epoch, seal)) === 'claimed' ? held.expiresAt : undefined
    }
    const resumed = await directory.resume(state, epoch, sealOfVerifier(resumeVerifier))
    if (resumed === undefined) return undefined
    const { previous, expiresAt } = resumed
    if (previous === undefined) await bus.wakeups.notify(wakeKey(state)).catch(() => undefined)
    else this.#tell(previous.node, previous.epoch)
    return expiresAt
  }

  #confirm(held: Held, expiresAt: number, event: 'registered' | 'resumed'): void {
    // Delivered, or its connection lost, while the directory was answering.
    if (this.#book.get(held.epoch) !== held) return
    if (!held.owner.isOpen) {
      void this.#giveUp(held)
      return
    }
    this.#book.endAt(held, expiresAt)
    this.#announce(held)
    this.#deps.count(event)
  }

  #announce(held: Held): void {
    if (held.standing === 'held') return
    held.standing = 'held'
    held.owner.offer(registeredFrame(held.state, held.expiresAt - this.#now()))
  }

  #drop(held: Held, reason: GatewayErrorReason): void {
    // Given up or delivered meanwhile: whatever this is about, it is over.
    if (!this.#book.remove(held)) return
    this.#refuse(held.owner, held.state, reason)
    this.#restIfIdle(held.owner)
  }

  #doubt(held: Held): void {
    if (this.#book.get(held.epoch) !== held) return
    held.standing = 'uncertain'
    this.#refuse(held.owner, held.state, 'unavailable')
  }

  async #unregister(peer: Client, state: string): Promise<void> {
    const held = this.#book.find(peer, state)
    if (held === undefined) return this.#refuse(peer, state, 'not_registered')
    this.#book.remove(held)
    this.#restIfIdle(peer)
    this.#deps.count('unregistered')
    // Without the directory it ends by itself: this node no longer knows the epoch, so nothing can be delivered.
    await this.#follow(this.#deps.directory.release(state, held.epoch))
  }

  async #leave(peer: Client): Promise<void> {
    this.#waiting.leave(peer)
    await Promise.all(this.#book.ownedBy(peer).map((held) => this.#giveUp(held)))
  }

  /** Settles once callbacks find the states suspended, not held by a connection that is closing. */
  async #sendAway(peer: Client): Promise<void> {
    this.#leaving.add(peer)
    await Promise.all(this.#book.ownedBy(peer).map((held) => this.#handBack(held)))
  }

  /** The connection goes on taking deliveries until the directory has the state back: one may be on its way. */
  async #handBack(held: Held): Promise<void> {
    const { directory, count } = this.#deps
    const isSuspended = await directory.suspend(held.state, held.epoch).catch(() => true)
    if (!isSuspended) await this.#delivered(held)
    if (this.#book.remove(held)) count('disconnected')
  }

  /** Somebody took the state before it could be given back, so its message is coming. */
  async #delivered(held: Held): Promise<void> {
    const end = performance.now() + LAST_DELIVERY_MS
    while (this.#book.get(held.epoch) === held && held.owner.isOpen && performance.now() < end) {
      await sleep(LOOK_MS)
    }
  }

  async #giveUp(held: Held): Promise<void> {
    if (!this.#book.remove(held)) return
    this.#deps.count('disconnected')
    await this.#follow(this.#deps.directory.suspend(held.state, held.epoch))
  }

  /** A delivery: the state is taken by now, so it goes to this connection or to nobody. */
  async #pass(epoch: string, frame: string): Promise<string> {
    const held = this.#book.get(epoch)
    if (held === undefined) return GONE
    this.#announce(held)
    this.#book.remove(held)
    this.#restIfIdle(held.owner)
    const taken = await this.#send(held.owner, frame)
    if (taken) this.#deps.count('delivered')
    return taken ? TAKEN : GONE
  }

  async #send(peer: Client, frame: string): Promise<boolean> {
    const open = this.#sending.get(peer) ?? { count: 0, since: performance.now() }
    this.#sending.set(peer, open)
    open.count += 1
    const taken = await peer.send(frame)
    open.count -= 1
    open.since = performance.now()
    if (open.count === 0) this.#sending.delete(peer)
    return taken
  }

  #introduce(epoch: string): string {
    const held = this.#book.get(epoch)
    if (held === undefined || !held.owner.isOpen) return GONE
    return JSON.stringify({ provider: held.provider, label: held.label })
  }

  #supersede(epoch: string): string {
    const held = this.#book.get(epoch)
    if (held === undefined) return GONE
    this.#deps.directory.settle(held.state, held.epoch)
    this.#drop(held, 'superseded')
    return TAKEN
  }

  #tell(node: string, epoch: string): void {
    const { channel } = this.#deps.bus
    void this.#follow(channel.send(node, TOPICS.superseded, epoch, SUPERSEDE_DEADLINE_MS))
  }

  #restIfIdle(peer: Client): void {
    if (peer.isOpen && !this.#book.has(peer)) this.#waiting.enter(peer, this.#now())
  }

  #refuse(peer: Client, state: string, reason: GatewayErrorReason, text?: string): void {
    if (reason !== 'expired') this.#deps.count('refused')
    peer.offer(errorFrame(state, reason, text))
  }

  async #follow(work: Promise<unknown>): Promise<void> {
    const settled = work.catch((error: unknown) => {
      this.#deps.log.debug({ err: error }, 'failed to publish the end of a registration')
    })
    this.#farewells.add(settled)
    await settled
    this.#farewells.delete(settled)
  }

  #now(): number {
    return this.#deps.clock.now().getTime()
  }
}
