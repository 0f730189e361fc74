import type { DirectoryOptions, Holder } from './ports.ts'

/** What stands under a directory key: a claim, or the tombstone of one. */
export type Entry =
  | { readonly kind: 'claim'; readonly holder: Holder; readonly expiresAt: number }
  | { readonly kind: 'tombstone'; readonly endsAt: number }

export function isHeldBy(entry: Entry | undefined, holder: Holder, now: number): boolean {
  const held = holderOf(entry, now)
  return held !== undefined && held.node === holder.node && held.epoch === holder.epoch
}

export function holderOf(entry: Entry | undefined, now: number): Holder | undefined {
  return entry?.kind === 'claim' && entry.expiresAt > now ? entry.holder : undefined
}

/** When the key can be claimed again: a claim that nobody took leaves a tombstone too. */
export function freeAt(entry: Entry, { tombstoneMs }: DirectoryOptions): number {
  return entry.kind === 'claim' ? entry.expiresAt + tombstoneMs : entry.endsAt
}

/** Without this, a claim of the epoch '' would be stored in a form that reads as a tombstone. */
export function checkEpoch(epoch: string): void {
  if (epoch === '') throw new TypeError('an epoch is not empty')
}

export function checkDirectoryOptions(name: string, { ttlMs, tombstoneMs }: DirectoryOptions): void {
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new TypeError('a directory name is 1 to 64 letters, digits, or _ . -')
  for (const value of [ttlMs, tombstoneMs]) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`directory ${name}: lifetimes are whole milliseconds`)
  }
}
