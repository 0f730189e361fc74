import type { ActingParty } from '@patchbay/contracts/panels'

export function isSameParty(one: ActingParty, other: ActingParty): boolean {
  return partyKey(one) === partyKey(other)
}

export function partyKey({ kind, handle, name }: ActingParty): string {
  return `${kind} ${handle} ${name}`
}
