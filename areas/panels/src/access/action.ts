import type { ActingParty } from '@patchbay/contracts/panels'
import type { Caller } from '../deps.ts'

/** Of one workspace; older ones go. */
export const ACTIONS_KEPT = 200

/** Something that somebody did to a panel, for the person who watches. */
export interface NewAction {
  readonly caller: Caller
  /** `null` where it is about the workspace as a whole. */
  readonly tabId: string | null
  /** Such as `webview navigate`. */
  readonly action: string
  readonly reason?: string | undefined
}

export function partyOf({ credential, handle }: Caller): ActingParty {
  return { kind: credential.kind, name: credential.label ?? handle, handle }
}

/** With the revision of the workspace that came with it. */
export interface NotedAction {
  readonly revision: number
  readonly action: NewAction
}

/** Somebody who acts from outside, with what they did in one go. */
export interface ActorInBrief extends ActingParty {
  readonly credentialId: string
  readonly lastAction: string
  readonly actions: number
}

/** Each credential once. A person in their browser is no actor from outside: nobody needs to end their own access. */
export function actorsOf(noted: readonly NotedAction[]): ActorInBrief[] {
  const actors = new Map<string, ActorInBrief>()
  for (const { action } of noted) {
    const { kind, id } = action.caller.credential
    if (kind === 'browser') continue
    const actions = (actors.get(id)?.actions ?? 0) + 1
    actors.set(id, { ...partyOf(action.caller), credentialId: id, lastAction: action.action, actions })
  }
  return [...actors.values()]
}
