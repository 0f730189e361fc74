import { ENDINGS, type Ending } from './endings.ts'

const KEY = 'patchbay.decided'
const OUTCOMES = ['approved', 'declined', 'approved-or-used', ...ENDINGS] as const
export type Outcome = 'approved' | 'declined' | 'approved-or-used' | Ending

export function isOutcome(state: string | null): state is Outcome {
  return (OUTCOMES as readonly (string | null)[]).includes(state)
}

/** How the last request of this tab ended, without its token: a reload tells it again instead of finding nothing. */
export function readOutcome(): Outcome | undefined {
  try {
    const kept = sessionStorage.getItem(KEY)
    return isOutcome(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

export function keepOutcome(outcome: Outcome): void {
  try {
    sessionStorage.setItem(KEY, outcome)
  } catch {
    // Refused: after a reload the page says that there is nothing to approve.
  }
}
