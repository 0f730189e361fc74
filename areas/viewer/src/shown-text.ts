/**
 * Text of strangers that people, agents and terminals get to see on one line: characters that show, with single blanks
 * between them. What is invisible could tell a model something that no person sees. `undefined` when nothing is left.
 */
export function shownText(text: string | null | undefined): string | undefined {
  const shown = text
    ?.replaceAll(/[\p{Default_Ignorable_Code_Point}\u2800]+/gu, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S}]+/gu, ' ')
    .trim()
  return shown === '' ? undefined : shown
}
