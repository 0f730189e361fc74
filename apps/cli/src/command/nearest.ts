import { distance } from 'fastest-levenshtein'

/** Beyond this it is another word, not a slip. */
const MOST_SLIPS = 3

/** The word that somebody probably meant; `undefined` when none is near. Case does not matter. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase()
  let best: { readonly word: string; readonly slips: number } | undefined
  for (const each of known) {
    const slips = each.toLowerCase().endsWith(`.${wanted}`) ? 1 : distance(wanted, each.toLowerCase())
    if (slips <= Math.min(MOST_SLIPS, Math.ceil(word.length / 3)) && slips < (best?.slips ?? Infinity))
      best = { word: each, slips }
  }
  return best?.word
}
