const DISPLAY_NAME_LENGTH = 80

/** An issuer's text as our sign-up takes it: nothing invisible, nothing that turns the reading direction, one line. */
export function displayNameFrom(text: string | undefined, fallback: string): string {
  const plain = (text ?? '')
    .slice(0, DISPLAY_NAME_LENGTH * 4)
    .toWellFormed()
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|[\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
    .replaceAll(/ +/g, ' ')
    .replace(/^[\p{M} ]+/u, '')
    .trimEnd()
  // By code points: half of a letter is no letter.
  const short = Array.from(plain).slice(0, DISPLAY_NAME_LENGTH).join('').trim()
  return short === '' ? fallback : short
}
