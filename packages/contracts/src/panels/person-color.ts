/** How many colors people are told apart by; beside a color there is always a name. */
export const PERSON_COLORS = 8

/** The same person has the same color everywhere. By FNV-1a: with a simpler sum too many short handles are alike. */
export function personColor(handle: string): number {
  let hash = 0x81_1c_9d_c5
  for (const character of handle) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93)
  return ((hash ^ (hash >>> 16)) >>> 0) % PERSON_COLORS
}
