import { readFile, writeFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'

/** One area's measurement: what it runs, and what its document says about it. */
export interface Bench<Sizes, Figures> {
  readonly full: Sizes
  /** Seconds instead of minutes, to see that it runs. */
  readonly smoke: Sizes
  measure(sizes: Sizes): Promise<Figures>
  report(figures: Figures, sizes: Sizes): Report
}

export interface Report {
  /** What stands between `<!-- name -->` and `<!-- / -->` in the document. */
  readonly parts: Readonly<Record<string, string>>
  /** The same for its document of `docs/scale`. */
  readonly scale?: Readonly<Record<string, string>>
  /** Pictures by file name. */
  readonly plots?: Readonly<Record<string, string>>
}

const DOCS = new URL('../../docs/benchmarks/', import.meta.url)
const SCALE = new URL('../../docs/scale/', import.meta.url)

export async function runBench<S, F>(name: string, bench: Bench<S, F>, isSmoke: boolean): Promise<void> {
  const sizes = isSmoke ? bench.smoke : bench.full
  const loadBefore = loadOfNow()
  const { parts, scale, plots = {} } = bench.report(await bench.measure(sizes), sizes)
  const machine = `${describeMachine()} Load average before the run: ${loadBefore}, at its end: ${loadOfNow()}.`
  const documents = [
    { path: new URL(`${name}.md`, DOCS), parts },
    ...(scale === undefined ? [] : [{ path: new URL(`${name}.md`, SCALE), parts: scale }]),
  ]
  const filled: { readonly path: URL; readonly text: string }[] = []
  for (const { path, parts: figures } of documents) {
    const text = fillDocument(await readFile(path, 'utf8'), { machine, ...figures })
    console.log(`\n${text}`)
    filled.push({ path, text })
  }
  if (isSmoke) return
  for (const { path, text } of filled) await writeFile(path, text)
  for (const [file, svg] of Object.entries(plots)) await writeFile(new URL(file, DOCS), svg)
  console.log(`written to docs/benchmarks/${name}.md`)
}

/** Prose is written by hand and stays. A figure that has no place, or a place without a figure, would go stale unseen. */
export function fillDocument(document: string, parts: Readonly<Record<string, string>>): string {
  const left = new Set(Object.keys(parts))
  const filled = document.replaceAll(
    /(<!-- ([\w-]+) -->\s*)[^]*?(\s*<!-- \/ -->)/g,
    (_all, before: string, name: string, after: string) => {
      const part = parts[name]
      if (part === undefined) throw new Error(`the document names ${name}, which is not measured`)
      left.delete(name)
      return before + part + after
    },
  )
  if (left.size > 0) throw new Error(`the document has no place for ${[...left].join(', ')}`)
  return filled
}

/** Absolute numbers mean nothing without it; ratios travel better. */
function describeMachine(): string {
  const cores = cpus()
  const memory = Math.round(totalmem() / 1024 ** 3)
  const date = new Date().toISOString().slice(0, 10)
  return `Measured on ${date}: ${cores.length} cores (${cores[0]?.model ?? 'unknown'}), ${memory} GiB, Node ${process.versions.node}.`
}

const loadOfNow = () => (loadavg()[0] ?? Number.NaN).toFixed(1)

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).toSorted()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export type Rounds<Name extends string, Result> = readonly Readonly<Record<Name, Result>>[]

/** Measures everybody once per round. Who goes first changes, so that a machine that gets slower favors nobody. */
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

export interface Goal {
  readonly value: number
  readonly text: string
  isReached(value: number): boolean
}

export const atLeast = (goal: number): Goal => ({
  value: goal,
  text: `≥ ${goal}`,
  isReached: (value) => value >= goal,
})
export const atMost = (goal: number): Goal => ({
  value: goal,
  text: `≤ ${goal}`,
  isReached: (value) => value <= goal,
})

export const judge = (value: number, goal: Goal) =>
  `${goal.text}: ${goal.isReached(value) ? 'reached' : 'not reached'}`

/** The first sentence of what limits an area. */
export function missedGoals(values: readonly (readonly [name: string, value: number, goal: Goal])[]): string {
  const missed = values.filter(([, value, goal]) => !goal.isReached(value))
  if (missed.length === 0) return 'Every goal is reached.'
  const told = missed.map(([name, value, goal]) => `${name}, ${value.toFixed(2)} instead of ${goal.value}`)
  return `Not reached: ${told.join('; ')}.`
}

export type Show = (value: number) => string
export const count: Show = (value) => value.toFixed(0)
export const thousands: Show = (value) => Math.round(value).toLocaleString('en-US')
export const times: Show = (value) => value.toFixed(2)
export const milliseconds =
  (digits: number): Show =>
  (value) =>
    `${value.toFixed(digits)} ms`
export const microseconds: Show = (value) => `${value.toFixed(0)} µs`
export const kilobytes: Show = (value) => `${(value / 1024).toFixed(1)} KiB`
export const megabytes: Show = (value) => `${(value / 1024 ** 2).toFixed(0)} MiB`

/** One figure of every side over all rounds: a row of a table, or the bars of a plot. */
export interface Series<Name extends string> {
  readonly name: string
  readonly show: Show
  readonly goal?: Goal | undefined
  readonly values: (side: Name) => readonly number[]
  readonly median: (side: Name) => number
  readonly ratios: (ours: Name, theirs: Name) => readonly number[]
  /** The median of the ratios of neighboring measurements: a machine that slows down slows both. */
  readonly ratio: (ours: Name, theirs: Name) => number
}

export function series<Name extends string, Result>(
  name: string,
  rounds: Rounds<Name, Result>,
  pick: (result: Result) => number,
  show: Show,
  goal?: Goal,
): Series<Name> {
  const values = (side: Name) => rounds.map((round) => pick(round[side]))
  const ratios = (ours: Name, theirs: Name) => rounds.map((round) => pick(round[ours]) / pick(round[theirs]))
  return {
    name,
    show,
    goal,
    values,
    median: (side) => median(values(side)),
    ratios,
    ratio: (ours, theirs) => median(ratios(ours, theirs)),
  }
}

export type Column<Row> = readonly [heading: string, cell: (row: Row) => string]

/** A table in Markdown. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(columns.map(([heading]) => heading)).replace(/^\| {2}/, '| '),
    `|${'---|'.repeat(columns.length)}`,
    ...rows.map((row) => line(columns.map(([, cell]) => cell(row)))),
  ].join('\n')
}

export const named = ({ name }: { readonly name: string }) => name
const strong = (text: string) => `**${text}**`

/** Cells of a table of series. */
export const medianOf =
  <Name extends string>(side: Name) =>
  (row: Series<Name>) =>
    row.show(row.median(side))
export const ratioOf =
  <Name extends string>(ours: Name, theirs: Name) =>
  (row: Series<Name>) =>
    times(row.ratio(ours, theirs))
export const strongRatio =
  <Name extends string>(ours: Name, theirs: Name) =>
  (row: Series<Name>) =>
    strong(times(row.ratio(ours, theirs)))
/** The one that the goal is about stands out. */
export const goalRatio =
  <Name extends string>(ours: Name, theirs: Name) =>
  (row: Series<Name>) =>
    (row.goal === undefined ? String : strong)(times(row.ratio(ours, theirs)))
/** The least and the most of single rounds: how far one run may be off. */
export const spreadOf =
  <Name extends string>(ours: Name, theirs: Name) =>
  (row: Series<Name>) =>
    spread(row.ratios(ours, theirs))
/** Of several, the worst has to reach the goal, which is a highest one. */
export const verdictOf =
  <Name extends string>(theirs: Name, ...ours: readonly Name[]) =>
  (row: Series<Name>) =>
    row.goal === undefined ? '' : judge(Math.max(...ours.map((name) => row.ratio(name, theirs))), row.goal)

export function spread(values: readonly number[], show: Show = times): string {
  return `${Math.min(...values).toFixed(show === times ? 2 : 1)} to ${show(Math.max(...values))}`
}
