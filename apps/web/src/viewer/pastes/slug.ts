import { PASTE_LIMITS } from '@patchbay/contracts/limits'

/** What does not fall apart into a letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  µ: 'u',
  ı: 'i',
}

/** The name nearest to what somebody typed that fits `PASTE_NAME_PATTERN`; empty if nothing of it can be kept. */
export function slugOf(typed: string): string {
  return typed
    .toLowerCase()
    .replaceAll(/[ßæœøđłµı]/g, (letter) => LETTERS[letter] ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, PASTE_LIMITS.nameLength)
    .replace(/-$/, '')
}
