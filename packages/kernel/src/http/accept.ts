/** How much `Accept`, or `Accept-Encoding`, wants of what it names, from 0 for not at all to 1. What it does not name is absent. */
export function acceptWeights(accept: string | undefined): ReadonlyMap<string, number> {
  return new Map(
    (accept ?? '').split(',').map((part) => {
      const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = parameters.find((text) => text.startsWith('q='))
      return [type, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
    }),
  )
}
