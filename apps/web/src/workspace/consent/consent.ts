import type { ActingParty } from '@patchbay/contracts'
import type { Asked } from '../commands/run-command.ts'

/** What is put to the person, and whom they have refused of late. */
export interface Consent {
  readonly shown: Asked | undefined
  readonly refused: readonly { readonly who: string; readonly at: number }[]
}

export type ConsentStep =
  | { readonly type: 'asked'; readonly request: Asked | undefined; readonly now: number }
  | { readonly type: 'refused'; readonly now: number }

export const NOTHING_ASKED: Consent = { shown: undefined, refused: [] }

/** "Not now" may mean "in a minute". Said so often, it means no: without this a script could keep the page behind a dialog. */
const REFUSED_OFTEN = 2
const QUIET_MS = 300_000
const REMEMBERED = 100

/** What is shown stays until it is answered: another request in its place could get the answer that was meant for it. */
export function consentAfter(consent: Consent, step: ConsentStep): Consent {
  const { shown } = consent
  const refused = consent.refused.filter(({ at }) => step.now - at < QUIET_MS)
  if (step.type === 'refused') {
    const more = shown === undefined ? [] : [{ who: whoIs(shown), at: step.now }]
    return { shown: undefined, refused: [...refused, ...more].slice(-REMEMBERED) }
  }
  const { request } = step
  if (request === undefined) return { shown: undefined, refused }
  const times = refused.filter(({ who }) => who === whoIs(request)).length
  return { shown: shown ?? (times < REFUSED_OFTEN ? request : undefined), refused }
}

export function isSameParty(one: ActingParty, other: ActingParty): boolean {
  return whoIs({ by: one }) === whoIs({ by: other })
}

function whoIs({ by: { kind, handle, name } }: Pick<Asked, 'by'>): string {
  return `${kind} ${handle} ${name}`
}
