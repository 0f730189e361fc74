/**
 * Text that a stranger chose, made fit for people, terminals, logs and pages. There is one policy of what is hidden, and
 * each function below applies it. Text for a page is still to be escaped as HTML.
 */

/**
 * What a person does not see, or a terminal or page acts on:
 * - `Cc`, control characters: ESC and U+009B begin sequences that move the cursor, clear the screen or rename a window; a
 *   line break forges a line of a log.
 * - `Cf`, format characters: overrides and isolates of the direction make `gpj.exe` read `exe.jpg`.
 * - `Zl`, `Zp`: line breaks to a browser and to some readers of logs.
 * - `Cs`, halves of surrogate pairs: they cannot be written as UTF-8, and some databases and parsers refuse the whole text.
 * - `Default_Ignorable_Code_Point`, drawn as nothing: two names that look alike differ by them, and tags and variation
 *   selectors spell words that a model reads and no person sees.
 */
const HIDDEN = String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]`

/** A letter of a script that is written with joiners: Persian and the scripts of India are misspelled without them. */
const JOINING_LETTER = String.raw`(?=[\p{L}\p{M}])(?!\p{Default_Ignorable_Code_Point})[${[
  'Arabic',
  'Bengali',
  'Devanagari',
  'Gujarati',
  'Gurmukhi',
  'Kannada',
  'Khmer',
  'Malayalam',
  'Mongolian',
  'Myanmar',
  'Nko',
  'Oriya',
  'Sinhala',
  'Syriac',
  'Tamil',
  'Telugu',
]
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('')}]`

/**
 * Hidden characters that a text is wrong without: one joiner after a letter of those scripts, and what joins and colors
 * emoji. Anywhere else they stay hidden: between Latin letters they make look-alikes, and rows of them spell messages.
 */
const NEEDED = String.raw`(?<=${JOINING_LETTER})[\u200c\u200d]|(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d|(?<=\p{Extended_Pictographic})\ufe0f`

const HIDDEN_IN_TEXT = new RegExp(`(?!${NEEDED})${HIDDEN}`, 'gu')

/** The text without what is hidden. Line breaks are hidden too: give it one line at a time. */
export function stripHidden(text: string): string {
  return text.replaceAll(HIDDEN_IN_TEXT, '')
}

/** The text with what is hidden as `\u{202e}`, for whoever has to find out what somebody wrote. */
export function escapeHidden(text: string): string {
  return text.replaceAll(
    HIDDEN_IN_TEXT,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}}`,
  )
}

/** The text in quotes for a message, so that its end can be seen: `escapeHidden` of its JSON form, cut to `maxLength`. */
export function quote(text: string, maxLength = 120): string {
  return escapeHidden(JSON.stringify(truncate(text, maxLength)))
}

/**
 * A name or title for people: one line of letters, marks, digits, punctuation and symbols with single blanks between them.
 * Empty when nothing is left to see.
 *
 * It keeps no joiners at all, nor U+2800, a blank that is none: people tell names apart by what they see, and the
 * contracts refuse both in names. No letter keeps more than three marks, and none begins the text: stacked marks are
 * drawn over what is around them.
 */
export function displayText(text: string | null | undefined, maxLength = Infinity): string {
  const shown = (text ?? '')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\u2800]|[^\p{L}\p{M}\p{N}\p{P}\p{S}\s\u0085]/gu, '')
    .replaceAll(/[\s\u0085]+/g, ' ')
    .normalize('NFC')
    .replaceAll(/(\p{M}{3})\p{M}+/gu, '$1')
    .replace(/^[\p{M} ]+/u, '')
    .trimEnd()
  return truncate(shown, maxLength)
}

/** At most `maxLength` code points, as JSON Schema counts; a text that is cut ends in an ellipsis, never in half a character. */
export function truncate(text: string, maxLength: number): string {
  // A code point is two units at most, so this prefix is the whole text or too long; the rest, however long, is not read.
  const characters = Array.from(text.slice(0, maxLength * 2 + 1))
  if (characters.length <= maxLength) return text
  return `${characters
    .slice(0, maxLength - 1)
    .join('')
    .trimEnd()}…`
}
