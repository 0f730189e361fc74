/** Beyond this it is another word, not a slip. */
const MOST_SLIPS = 3

/** The word that somebody probably meant; `undefined` when none is near. Case does not matter. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase()
  let best: { readonly word: string; readonly slips: number } | undefined
  for (const each of known) {
    const slips = each.toLowerCase().endsWith(`.${wanted}`) ? 1 : countSlips(wanted, each.toLowerCase())
    if (slips <= Math.min(MOST_SLIPS, Math.ceil(word.length / 3)) && slips < (best?.slips ?? Infinity))
      best = { word: each, slips }
  }
  return best?.word
}

/** Letters that are wrong, missing, too many, or exchanged with their neighbour. */
function countSlips(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MOST_SLIPS) return Infinity
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const change = (row[j - 1] ?? 0) + (isSame ? 0 : 1)
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const exchange = isExchanged ? (before[j - 2] ?? Infinity) + 1 : Infinity
      next.push(Math.min(change, exchange, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    ;[before, row] = [row, next]
  }
  return row[b.length] ?? Infinity
}
