const LONGEST = 100

/** Also what Unicode calls ignorable, and the empty Braille pattern: letters that are drawn as nothing. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * A name that a stranger chose, fit to be shown: one line, nothing invisible, nothing that turns or covers the text
 * around it. Still to be escaped. Undefined when nothing is left to see.
 */
export function displayName(text: string): string | undefined {
  const name = text
    // Before the rest, or the words on both sides of a line break would become one.
    .replace(/[[\s\u0085]--\ufeff]+/gv, ' ')
    .replace(UNSEEN, '')
    .normalize('NFC')
    .replace(/(\p{M}{3})\p{M}+/gu, '$1')
    .replace(/ +/g, ' ')
    .trim()
  if (name === '') return undefined
  const characters = Array.from(name)
  return characters.length <= LONGEST
    ? name
    : `${characters
        .slice(0, LONGEST - 1)
        .join('')
        .trimEnd()}…`
}
