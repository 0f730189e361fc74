import { WORKSPACE_MESSAGE_BYTES } from '@patchbay/contracts'
import { Echoes } from '../parts/echoes.ts'

/** As the schemas of panel states allow it. */
export const LONGEST_TEXT = 262_144
/** Room for the rest of the message that carries it. */
const ENVELOPE_BYTES = 4096

/** Editors have one kind of line end. */
export function withPlainLines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n')
}

export function isStorable(text: string): boolean {
  if (text.length > LONGEST_TEXT) return false
  // As JSON over the socket a character takes up to six bytes.
  if (text.length * 6 < WORKSPACE_MESSAGE_BYTES - ENVELOPE_BYTES) return true
  return new TextEncoder().encode(JSON.stringify(text)).length < WORKSPACE_MESSAGE_BYTES - ENVELOPE_BYTES
}

/** What to do with a text that was stored: nothing, show it, or ask, because this page has another. */
export type Arrival = 'known' | 'replace' | 'conflict'

/** Keeps apart what this page has stored and what somebody else has. */
export class StoredText {
  #stored: string
  /** The last that was sent or shown. */
  #latest: string
  readonly #echoes: Echoes

  constructor(stored: string, echoes = new Echoes()) {
    this.#stored = stored
    this.#latest = stored
    this.#echoes = echoes
  }

  /** Whether this text is to be sent; it counts as sent then. */
  send(text: string): boolean {
    if (text === this.#latest || !isStorable(text)) return false
    this.#latest = text
    this.#echoes.expect(text)
    return true
  }

  arrive(stored: string, shown: string): Arrival {
    if (stored === this.#stored) return 'known'
    this.#stored = stored
    if (this.#echoes.hears(stored)) return 'known'
    const isUnstored = shown !== this.#latest || this.#echoes.isAwaiting
    if (stored !== shown && isUnstored) return 'conflict'
    this.#latest = stored
    return stored === shown ? 'known' : 'replace'
  }
}
