/** What a recursive parser can be shown without fear for the stack. */
const MAX_PARSED_DEPTH = 500

/**
 * Where a text begins to nest too deeply for a recursive parser; its length when it never does. Brackets within texts
 * count as well, which only ends the look a little early.
 */
export function endOfShallow(text: string): number {
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth > MAX_PARSED_DEPTH) return index
  }
  return text.length
}
