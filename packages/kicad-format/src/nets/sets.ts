/** Which of many things belong together, told pair by pair. */
export interface Sets {
  /** A new thing. */
  add(): number
  join(one: number, other: number): void
  /** The same for all that belong together. */
  find(one: number): number
}

export function createSets(): Sets {
  const parents: number[] = []
  const find = (one: number): number => {
    let at = one
    for (let up = parents[at] ?? at; up !== at; up = parents[at] ?? at) {
      parents[at] = parents[up] ?? up
      at = up
    }
    return at
  }
  return {
    add: () => parents.push(parents.length) - 1,
    join(one, other) {
      const [first, second] = [find(one), find(other)]
      // The older one stays in front, so that the order of things does not depend on how they were joined.
      parents[Math.max(first, second)] = Math.min(first, second)
    },
    find,
  }
}
