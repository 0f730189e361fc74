export interface Arrival {
  readonly key: string
  readonly epoch: string
  /** Whether the claim ended before the answer to it came. */
  ended: boolean
}

/**
 * Claims whose answers are under way. Another node may take such a claim, and this node hear of that, before the
 * answer is here: without this note it would then be counted, though nobody holds it.
 */
export class ClaimArrivals {
  readonly #arriving = new Map<string, Set<Arrival>>()

  begin(key: string, epoch: string): Arrival {
    const arrival = { key, epoch, ended: false }
    const others = this.#arriving.get(key)
    if (others === undefined) this.#arriving.set(key, new Set([arrival]))
    else others.add(arrival)
    return arrival
  }

  /** With an epoch, only the claim of that epoch. */
  end(key: string, epoch?: string): void {
    for (const arrival of this.#arriving.get(key) ?? []) {
      if (epoch === undefined || arrival.epoch === epoch) arrival.ended = true
    }
  }

  finish(arrival: Arrival): void {
    const arriving = this.#arriving.get(arrival.key)
    arriving?.delete(arrival)
    if (arriving?.size === 0) this.#arriving.delete(arrival.key)
  }
}
