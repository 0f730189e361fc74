import { PHRASE_WORDS } from './phrase-words.ts'

const WORDS_IN_A_PHRASE = 3

/**
 * Three words that a person compares between the application they use and the page that asks them to confirm.
 * Derived from the state alone, so that nothing has to be sent for both to show the same ones.
 */
export async function phraseOf(state: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(state))
  return wordsOf(new Uint8Array(digest, 0, WORDS_IN_A_PHRASE))
}

/** A word for each byte. */
export function wordsOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => PHRASE_WORDS[byte]).join(' ')
}
