/**
 * Control characters, those that turn the reading direction, those that do not show, and halves of characters. The two
 * joiners stay: names in some scripts, and some emoji, are wrong without them.
 */
const ACTED_ON = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu

/** Text of a stranger for a person: one line, with nothing in it that a terminal or a page would act on. */
export function plainText(text: string): string {
  return text.replaceAll(
    ACTED_ON,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}}`,
  )
}
