import { Problem } from '@patchbay/contracts/core'

/** Shared by all connections of one address, so that a connection holds no string of its own. */
export interface Place {
  readonly address: string
  taken: number
}

export interface Caps {
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
}

const RETRY_AFTER_SECONDS = 10

export class ConnectionCaps {
  readonly #caps: Caps
  readonly #places = new Map<string, Place>()
  #taken = 0

  constructor(caps: Caps) {
    this.#caps = caps
  }

  get taken(): number {
    return this.#taken
  }

  /** Taken before authentication: otherwise a flood of slow handshakes would stay under every cap. */
  take(address: string): Place {
    const place = this.#places.get(address) ?? { address, taken: 0 }
    if (this.#taken >= this.#caps.maxConnections)
      throw refusal('This node holds as many connections as it can.')
    if (place.taken >= this.#caps.maxConnectionsPerAddress)
      throw refusal('This address holds too many connections.')
    this.#taken += 1
    place.taken += 1
    this.#places.set(address, place)
    return place
  }

  giveBack(place: Place): void {
    this.#taken -= 1
    place.taken -= 1
    if (place.taken === 0) this.#places.delete(place.address)
  }
}

function refusal(detail: string): Problem {
  return new Problem('rate_limited', {
    detail,
    extensions: { retry_after_seconds: RETRY_AFTER_SECONDS },
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  })
}
