import type { DirectoryOptions, Holder, Whereabouts } from './ports.ts'

/** What stands under a directory key: a claim, one that its holder let go of, or the tombstone of one. */
export type Entry =
  | {
      readonly kind: 'claim'
      readonly holder: Holder
      readonly expiresAt: number
      readonly seal: string | undefined
    }
  | { readonly kind: 'suspended'; readonly expiresAt: number; readonly seal: string }
  | { readonly kind: 'tombstone'; readonly endsAt: number }

export function isHeldBy(entry: Entry | undefined, holder: Holder, now: number): boolean {
  const held = holderOf(entry, now)
  return held !== undefined && held.node === holder.node && held.epoch === holder.epoch
}

export function holderOf(entry: Entry | undefined, now: number): Holder | undefined {
  return entry?.kind === 'claim' && entry.expiresAt > now ? entry.holder : undefined
}

export function whereaboutsOf(entry: Entry | undefined, now: number): Whereabouts {
  return entry?.kind === 'suspended' && entry.expiresAt > now ? 'suspended' : holderOf(entry, now)
}

/** When a claim that this seal can resume ends. */
export function resumableUntil(entry: Entry, seal: string, now: number): number | undefined {
  if (entry.kind === 'tombstone' || entry.expiresAt <= now || entry.seal !== seal) return undefined
  return entry.expiresAt
}

/** When the key can be claimed again. */
export function freeAt(entry: Entry): number {
  return entry.kind === 'tombstone' ? entry.endsAt : entry.expiresAt
}

/** Epoch and seal become parts of a stored line and of message headers: a space in them would pass for the end. */
export function checkEpoch(epoch: string): void {
  if (!/^[\w.-]{1,64}$/.test(epoch)) throw new TypeError('an epoch is 1 to 64 letters, digits, or _ . -')
}

export function checkSeal(seal: string): void {
  if (!/^[\w-]{1,32}$/.test(seal)) throw new TypeError('a seal is 1 to 32 letters, digits, or _ -')
}

export function checkDirectoryOptions(name: string, { ttlMs, tombstoneMs }: DirectoryOptions): void {
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new TypeError('a directory name is 1 to 64 letters, digits, or _ . -')
  for (const value of [ttlMs, tombstoneMs]) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`directory ${name}: lifetimes are whole milliseconds`)
  }
}
