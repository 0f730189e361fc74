import { createValueStore, type ValueStore } from '../../parts/value-store.ts'
import { partyKey } from '../acting-party.ts'
import type { Asked } from './run-command.ts'

/** The requests to share that are put to the person, one at a time. */
export interface Consent {
  readonly shown: ValueStore<Asked | undefined>
  /**
   * Puts a request to the person, unless another one is shown: in its place it could get the answer that was meant for
   * that. Answers with how many seconds whoever asks is not put to them, because they said "Not now"; else with 0.
   */
  ask(request: Asked): number
  /** "Not now" to what is shown. */
  decline(): void
  /** What is shown is not needed anymore. */
  settle(): void
}

/** "Not now" may mean "in a minute". Said again, it means no: without this a script could keep the page behind a dialog. */
const QUIET_MS = { once: 60_000, again: 300_000 }
const REMEMBERED = 100

export function createConsent(now: () => number): Consent {
  const shown = createValueStore<Asked | undefined>(undefined)
  let declined: readonly { readonly who: string; readonly at: number }[] = []

  function quietMs(request: Asked): number {
    const times = declined.filter(({ who }) => who === partyKey(request.by))
    const last = times.at(-1)
    if (last === undefined) return 0
    return Math.max(0, last.at + (times.length === 1 ? QUIET_MS.once : QUIET_MS.again) - now())
  }

  return {
    shown,
    ask(request) {
      declined = declined.filter(({ at }) => now() - at < QUIET_MS.again)
      const quiet = quietMs(request)
      if (quiet === 0 && shown.get() === undefined) shown.set(request)
      return Math.ceil(quiet / 1000)
    },
    decline() {
      const request = shown.get()
      if (request !== undefined)
        declined = [...declined, { who: partyKey(request.by), at: now() }].slice(-REMEMBERED)
      shown.set(undefined)
    },
    settle: () => shown.set(undefined),
  }
}
