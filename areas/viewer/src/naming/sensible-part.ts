/** Where people and models put a name when they answer with JSON. */
const NAME_KEYS = ['name', 'filename', 'file_name', 'fileName', 'slug', 'title', 'answer']

const LINE_BREAKS = /[\r\n\v\f\u0085\u2028\u2029]+/
const LABEL = /^[^:]{0,80}\b(?:file ?name|name|slug|title|answer|suggestion)s?\b[^:]{0,40}:\s*(?=\S)/i
const OPENING =
  /^(?:this|the|it|here)\b[^.:]{0,40}?\b(?:shows|depicts|displays|contains|is)\s+(?:an?\s|the\s)?/i
const QUOTED = /["“`']([^"“”`']{3,100})["”`']/
const PICTURE_ENDING = /\.(?:png|jpe?g|webp|gif|bmp|avif)\b/i
const WITHOUT_WORD = /^[^\p{L}\p{N}]*$/u

/**
 * The part of a text that is most likely meant as a name. Models were asked for nothing but a name, and some add a
 * greeting, quotes, a code fence or JSON around it.
 */
export function sensiblePart(text: string): string {
  const lines = withoutMarkup(nameInJson(text) ?? text)
    .split(LINE_BREAKS)
    .map((line) => line.trim())
    .filter((line) => !line.startsWith('```') && !WITHOUT_WORD.test(line))
  // "Sure, here it is:" announces the line after it.
  const line = lines.find((candidate) => !/[:!]$/.test(candidate)) ?? lines[0] ?? ''
  return nameInLine(line)
}

function nameInLine(line: string): string {
  const unlabelled = line.replace(LABEL, '')
  const quoted = QUOTED.exec(unlabelled)?.[1]
  // Quotes inside a sentence of a person's interface are ordinary words; around a file name they are the answer.
  const isAnswer = quoted !== undefined && (/^[\w-]+(?:\.\w+)?$/.test(quoted) || unlabelled !== line)
  const name = isAnswer ? quoted : unlabelled.replace(OPENING, '')
  const ending = PICTURE_ENDING.exec(name)
  if (ending === null) return name
  // Of "Call it a-b.png, please" only the word with the ending is a name.
  return (
    name
      .slice(0, ending.index)
      .split(/\s+(?=[\w-]*-[\w-]*$)/)
      .at(-1) ?? name
  )
}

/** Undefined unless the whole text is JSON, with or without a code fence around it; empty where that holds no text. */
function nameInJson(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^```[a-z]{0,10}/i, '')
    .replace(/```$/, '')
    .trim()
  if (!/^[{["]/.test(bare)) return undefined
  try {
    return firstName(JSON.parse(bare), 0) ?? ''
  } catch {
    return undefined
  }
}

function firstName(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || depth > 3) return undefined
  const entries = Object.entries(value)
  const named = NAME_KEYS.flatMap((key) => entries.filter(([found]) => found === key))
  for (const [, inner] of [...named, ...entries]) {
    const name = firstName(inner, depth + 1)
    if (name !== undefined) return name
  }
  return undefined
}

/** Each pattern stops at the next opening character, so that a text of those alone is still read once. */
function withoutMarkup(text: string): string {
  return text.replaceAll(/<[^<>]*>/g, ' ').replaceAll(/&#?[a-z0-9]{1,10};/gi, ' ')
}
