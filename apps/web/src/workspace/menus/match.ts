/** The better the match, the lower. A word that begins with it, one that holds it, or one that has its letters in order. */
const [AT_START, AT_WORD, INSIDE, IN_ORDER] = [0, 1, 4, 12]

/**
 * How well a text fits what somebody typed: every word of it has to be found, there or as the beginning of one of the other
 * words for the same. The lower the better; `undefined` where it does not fit.
 */
export function fitOf(typed: string, text: string, otherWords = ''): number | undefined {
  const hay = text.toLowerCase()
  let sum = 0
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    // In a long list of words the letters of nearly everything stand in order.
    const isOther = otherWords.split(' ').some((other) => other.startsWith(word))
    const fit = isOther ? Math.min(AT_WORD, fitOfWord(word, hay) ?? AT_WORD) : fitOfWord(word, hay)
    if (fit === undefined) return undefined
    sum += fit
  }
  // Of two that fit as well, the shorter one has less that was not asked for.
  return sum + text.length / 1_000
}

function fitOfWord(word: string, hay: string): number | undefined {
  if (hay.startsWith(word)) return AT_START
  for (let at = hay.indexOf(word); at >= 0; at = hay.indexOf(word, at + 1))
    if (isWordStart(hay, at)) return AT_WORD
  if (hay.includes(word)) return INSIDE
  const gaps = gapsOf(word, hay)
  return gaps === undefined ? undefined : IN_ORDER + gaps
}

/** How often the letters are apart, from the first one that begins a word: `mjs` fits `main.js`, and not `team just`. */
function gapsOf(word: string, hay: string): number | undefined {
  let fewest: number | undefined
  for (let start = 0; start < hay.length; start += 1) {
    if (hay[start] !== word[0] || !isWordStart(hay, start)) continue
    let gaps = 0
    let last = start
    for (const letter of word.slice(1)) {
      const next = hay.indexOf(letter, last + 1)
      if (next < 0) return fewest
      if (next > last + 1) gaps += 1
      last = next
    }
    fewest = Math.min(fewest ?? gaps, gaps)
  }
  return fewest
}

function isWordStart(hay: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(hay[at - 1] ?? '')
}

/** The best of what fits, the best first; those that fit as well stay in their order. */
export function bestOf<Item>(
  typed: string,
  items: readonly Item[],
  textOf: (item: Item) => string,
  limit: number,
  otherWordsOf?: (item: Item) => string | undefined,
): { readonly items: readonly Item[]; readonly fit: number } {
  const fitting = items.flatMap((item) => {
    const fit = fitOf(typed, textOf(item), otherWordsOf?.(item))
    return fit === undefined ? [] : [{ item, fit }]
  })
  const best = typed.trim() === '' ? fitting : fitting.toSorted((one, other) => one.fit - other.fit)
  return { items: best.slice(0, limit).map(({ item }) => item), fit: best[0]?.fit ?? Infinity }
}
