import { median } from '../median.ts'

export type Rounds<Name extends string, Result> = readonly Readonly<Record<Name, Result>>[]

/** Measures everybody once per round. Who goes first changes, so that a machine that gets slower favours nobody. */
export async function inTurns<Name extends string, Result>(
  names: readonly Name[],
  rounds: number,
  measure: (name: Name) => Promise<Result>,
): Promise<Rounds<Name, Result>> {
  const results: Record<Name, Result>[] = []
  for (let round = 0; round < rounds; round += 1) {
    const shift = round % names.length
    const entries: [Name, Result][] = []
    for (const name of [...names.slice(shift), ...names.slice(0, shift)])
      entries.push([name, await measure(name)])
    results.push(Object.fromEntries(entries) as Record<Name, Result>)
  }
  return results
}

export function middle<Name extends string, Result>(
  rounds: Rounds<Name, Result>,
  name: Name,
  pick: (result: Result) => number,
): number {
  return median(rounds.map((round) => pick(round[name])))
}

/** The median of the ratios of neighbouring measurements: a machine that slows down slows both. */
export function ratio<Name extends string, Result>(
  rounds: Rounds<Name, Result>,
  ours: Name,
  theirs: Name,
  pick: (result: Result) => number,
): number {
  return median(rounds.map((round) => pick(round[ours]) / pick(round[theirs])))
}
