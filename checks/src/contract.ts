import { CITATION, RULE, type TextFile } from './rules.ts'
import type { Violation } from './workspace.ts'

/** One statement of the contract, and what proves it. */
interface Statement {
  readonly number: string
  readonly text: string
  readonly rules: readonly string[]
  /** The cells of its row, as they stand in the file. */
  readonly cells: readonly string[]
}

const ROW = /^\| CT-/
const NUMBER = /^CT-[A-EX]-\d+$/

/**
 * Every statement of the table has rules that exist, each with a test in the common run; the last column names these
 * tests, so that the table cannot say what is no longer so.
 */
export function checkContract(
  table: TextFile,
  specs: readonly TextFile[],
  tests: readonly TextFile[],
): Violation[] {
  const written = new Set(specs.flatMap(({ text }) => [...text.matchAll(RULE)].map(([, rule = '']) => rule)))
  const proofs = proofsOf(tests)
  const seen = new Set<string>()
  const fault = (message: string) => ({ file: table.path, message })
  return statementsOf(table.text).flatMap(({ number, text, rules, cells }) => {
    const faults = [
      ...(NUMBER.test(number) && text !== '' && cells.length === 4 ? [] : [`${number} is no whole row`]),
      ...(seen.has(number) ? [`${number} stands twice`] : []),
      ...(rules.length > 0 ? [] : [`${number} has no rule`]),
      ...rules
        .filter((rule) => !written.has(rule))
        .map((rule) => `${number} names ${rule}, which no SPEC.md has`),
      ...rules
        .filter((rule) => written.has(rule) && !proofs.has(rule))
        .map((rule) => `${number} names ${rule}, which no test cites`),
    ]
    seen.add(number)
    if (faults.length > 0) return faults.map(fault)
    return cells[3] === testsCell(rules, proofs)
      ? []
      : [fault(`the tests of ${number} have changed; run "pnpm contract"`)]
  })
}

/** The table with the tests that cite its rules now. */
export function withTests(text: string, tests: readonly TextFile[]): string {
  const proofs = proofsOf(tests)
  return text
    .split('\n')
    .map((line) => {
      const [statement] = statementsOf(line)
      if (statement === undefined) return line
      const [number, words, rules] = statement.cells
      return `| ${number} | ${words} | ${rules} | ${testsCell(statement.rules, proofs)} |`
    })
    .join('\n')
}

function statementsOf(text: string): Statement[] {
  return text
    .split('\n')
    .filter((line) => ROW.test(line))
    .map((line) => {
      const cells = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
      const [number = '', words = '', rules = ''] = cells
      return { number, text: words, rules: rules.match(/[A-Z]+-\d+/g) ?? [], cells }
    })
}

/** For each rule the files of the common run whose tests cite it. */
function proofsOf(tests: readonly TextFile[]): ReadonlyMap<string, readonly string[]> {
  const proofs = new Map<string, string[]>()
  for (const { path, text } of tests.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    if (path.endsWith('.deep.test.ts')) continue
    for (const rule of new Set([...text.matchAll(CITATION)].map(([, each = '']) => each)))
      proofs.set(rule, [...(proofs.get(rule) ?? []), path])
  }
  return proofs
}

/** One file for each rule is enough to find the others by. */
function testsCell(rules: readonly string[], proofs: ReadonlyMap<string, readonly string[]>): string {
  const files = rules.flatMap((rule) => proofs.get(rule)?.[0] ?? [])
  return [...new Set(files)].map((file) => `\`${file}\``).join(' ')
}
