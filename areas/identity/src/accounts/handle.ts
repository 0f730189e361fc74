import { HANDLE_LENGTH } from '@patchbay/contracts/limits'
import { displayText } from '@patchbay/primitives/text'

const DISPLAY_NAME_LENGTH = 80

/** Words of our addresses, and names that would speak for the installation. */
const RESERVED: ReadonlySet<string> = new Set(
  `about abuse account accounts admin administrator api app approve assets auth billing blog components contact dashboard
  docs download downloads everyone false favicon gateway guest health help home host hostmaster info install internal
  invitations invite legal localhost login logout mail metrics nobody none new null official openapi operator orgs
  organizations organizations packages patchbay people postmaster privacy profile public ready reference register root
  search security server session sessions settings sign-in sign-out sign-up signin signout signup staff static status
  support system team terms test true undefined user-content users viewer watchdog webmaster welcome well-known workspaces
  www`.split(/\s+/),
)

export function isReservedHandle(handle: string): boolean {
  return RESERVED.has(handle)
}

/** Letters that Unicode does not take apart into a plain one and its mark. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  ð: 'd',
  ø: 'o',
  þ: 'th',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  œ: 'oe',
}
const FALLBACK = 'user'

/** The first of these texts that something can be made of, in the shape of a handle. */
export function handleFrom(texts: readonly (string | undefined)[]): string {
  for (const text of texts) {
    const handle = text === undefined ? '' : shapeHandle(text)
    if (handle !== '') return handle
  }
  return FALLBACK
}

function shapeHandle(text: string): string {
  const plain = text
    // Enough for any handle; an issuer's text has no length of its own.
    .slice(0, HANDLE_LENGTH * 4)
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{ASCII}]/gu, (letter) => PLAIN_LETTERS[letter] ?? ' ')
  return cut(plain.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, ''), HANDLE_LENGTH)
}

/** An issuer's text as our sign-up takes it. */
export function displayNameFrom(text: string | undefined, fallback: string): string {
  return displayText(text, DISPLAY_NAME_LENGTH) || fallback
}

/** The local part of an address, without what people add to sort their mail. */
export function mailName(address: string | undefined): string | undefined {
  return address?.split('@')[0]?.split('+')[0]
}

/** `ada`, `ada-2`, `ada-3` …, each of them short enough. */
export function numberedHandles(handle: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const ending = index === 0 ? '' : `-${index + 1}`
    return cut(handle, HANDLE_LENGTH - ending.length) + ending
  })
}

function cut(handle: string, length: number): string {
  return handle.slice(0, length).replace(/-$/, '')
}
