/** How many colors people are told apart by; beside a color there is always a name. */
export const PERSON_COLORS = 6

/** The same person has the same color everywhere. */
export function personColor(handle: string): number {
  let sum = 0
  for (const character of handle) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return sum % PERSON_COLORS
}
