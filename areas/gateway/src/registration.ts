/** What became of a registration, for whoever counts. */
export type RegistrationEvent =
  | 'registered'
  | 'resumed'
  | 'refused'
  | 'unregistered'
  | 'disconnected'
  | 'delivered'
  | 'expired'

/** One state bound to one connection of this node. */
export interface Registration<Owner> {
  readonly state: string
  /** Names this holding of the state on this node. */
  readonly epoch: string
  readonly owner: Owner
  readonly address: string
  /** How many its address holds, shared by all of them. */
  readonly ofAddress: { count: number }
  readonly provider: string
  readonly label: string | undefined
  expiresAt: number
  /** `claiming`: the directory has not answered. `uncertain`: it may have the claim, but could not say so. */
  standing: 'claiming' | 'held' | 'uncertain'
}

export interface RegistrationCaps {
  readonly perConnection: number
  readonly perAddress: number
}

type NewRegistration<Owner> = Omit<Registration<Owner>, 'epoch' | 'standing' | 'ofAddress'>

/** The registrations of one node: by epoch for deliveries, by owner for disconnects, by end for expiry. */
export class Registrations<Owner> {
  readonly #caps: RegistrationCaps
  readonly #byEpoch = new Map<string, Registration<Owner>>()
  readonly #byOwner = new Map<Owner, Registration<Owner>[]>()
  readonly #byAddress = new Map<string, { count: number }>()
  /** By the second in which they end: a resumed registration ends before those that came earlier. */
  readonly #bySecond = new Map<number, Set<Registration<Owner>>>()
  #made = 0

  constructor(caps: RegistrationCaps) {
    this.#caps = caps
  }

  get size(): number {
    return this.#byEpoch.size
  }

  /** `undefined` when the owner or its address has as many as it may. */
  add(fields: NewRegistration<Owner>): Registration<Owner> | undefined {
    const held = this.#byOwner.get(fields.owner)
    const ofAddress = this.#byAddress.get(fields.address) ?? { count: 0 }
    if ((held?.length ?? 0) >= this.#caps.perConnection || ofAddress.count >= this.#caps.perAddress)
      return undefined
    this.#made += 1
    const registration: Registration<Owner> = {
      ...fields,
      ofAddress,
      epoch: this.#made.toString(36),
      standing: 'claiming',
    }
    this.#byEpoch.set(registration.epoch, registration)
    if (held === undefined) this.#byOwner.set(fields.owner, [registration])
    else held.push(registration)
    ofAddress.count += 1
    if (ofAddress.count === 1) this.#byAddress.set(fields.address, ofAddress)
    this.#schedule(registration)
    return registration
  }

  /** `false` when it was gone already. */
  remove(registration: Registration<Owner>): boolean {
    if (!this.#byEpoch.delete(registration.epoch)) return false
    const held = this.#byOwner.get(registration.owner) ?? []
    if (held.length <= 1) this.#byOwner.delete(registration.owner)
    else held.splice(held.indexOf(registration), 1)
    registration.ofAddress.count -= 1
    if (registration.ofAddress.count === 0) this.#byAddress.delete(registration.address)
    this.#unschedule(registration)
    return true
  }

  /** A resumed registration ends when it would have without the interruption. */
  endAt(registration: Registration<Owner>, expiresAt: number): void {
    this.#unschedule(registration)
    registration.expiresAt = expiresAt
    this.#schedule(registration)
  }

  get(epoch: string): Registration<Owner> | undefined {
    return this.#byEpoch.get(epoch)
  }

  find(owner: Owner, state: string): Registration<Owner> | undefined {
    return this.#byOwner.get(owner)?.find((registration) => registration.state === state)
  }

  /** A copy: whoever walks through it may remove them on the way. */
  ownedBy(owner: Owner): readonly Registration<Owner>[] {
    return [...(this.#byOwner.get(owner) ?? [])]
  }

  has(owner: Owner): boolean {
    return this.#byOwner.has(owner)
  }

  /** Removes and returns what has ended by now. */
  expire(now: number): Registration<Owner>[] {
    const ended: Registration<Owner>[] = []
    // At most as many seconds as a registration lasts.
    for (const [second, due] of this.#bySecond) {
      if (second > secondOf(now)) continue
      for (const registration of due) if (registration.expiresAt <= now) ended.push(registration)
    }
    for (const registration of ended) this.remove(registration)
    return ended
  }

  #schedule(registration: Registration<Owner>): void {
    const second = secondOf(registration.expiresAt)
    const due = this.#bySecond.get(second) ?? new Set()
    this.#bySecond.set(second, due.add(registration))
  }

  #unschedule(registration: Registration<Owner>): void {
    const second = secondOf(registration.expiresAt)
    const due = this.#bySecond.get(second)
    due?.delete(registration)
    if (due?.size === 0) this.#bySecond.delete(second)
  }
}

function secondOf(time: number): number {
  return Math.floor(time / 1000)
}
