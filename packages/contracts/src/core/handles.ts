import { Type } from 'typebox'
import { HANDLE_LENGTH } from './limits.ts'

/** Lower-case letters, digits, and single hyphens between them: it is part of addresses and of package names. */
export const HANDLE_PATTERN = '^[a-z0-9]+(?:-[a-z0-9]+)*$'

export const handle = Type.String({
  minLength: 1,
  maxLength: HANDLE_LENGTH,
  pattern: HANDLE_PATTERN,
  description: 'Names a person or an organization: the `owner` of workspaces and packages.',
})

/** A character that shows: no control character, none that is invisible or turns the reading direction. */
const SHOWN = '(?![\\p{Default_Ignorable_Code_Point}\\u2800])[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}]'

// A mark at the beginning would hang on whatever stands before it on the page.
const SHOWN_TEXT = `(?!\\p{M})${SHOWN}(?: ?${SHOWN})*`

/** Text that a stranger chose and a person will read: characters that show, and single plain blanks between them. */
export const shownText = (maxLength: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: `^${SHOWN_TEXT}$`,
    description,
  })

/** The same, or nothing at all. */
export const shownTextOrNone = (maxLength: number, description: string) =>
  Type.String({ maxLength, pattern: `^(?:${SHOWN_TEXT})?$`, description })

export const quarantineReason = shownText(500, 'For everybody to read.')
