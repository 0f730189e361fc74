import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles, type Violation } from './workspace.ts'

export interface TextFile {
  readonly path: string
  readonly text: string
}

export const RULE = /^- \*\*([A-Z]+-\d+)\*\*/gm
/** At the start of a name, so that a comment about a rule does not count as its test. */
export const CITATION = /(?<=['"`\]])\[([A-Z]+-\d+)\]/g

/** All rules that a checkout has written down. */
export function listRules(root: string): string[] {
  return listFiles(root, ['**/SPEC.md']).flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(RULE)].map(([, rule = '']) => rule),
  )
}

/** The rules that a test proves, by its full name. */
export function citedRules(name: string): string[] {
  return [...name.matchAll(/\[([A-Z]+-\d+)\]/g)].map(([, rule = '']) => rule)
}

/**
 * Every rule has a test in the common run whose name cites it; every citation names a rule; no rule is written twice.
 * Single deep tests in other files are found after a run, by the names of the tests that it had.
 */
export function checkRules(specs: readonly TextFile[], tests: readonly TextFile[]): Violation[] {
  const home = new Map<string, string>()
  const violations: Violation[] = []
  for (const { path, text } of specs) {
    for (const [, rule = ''] of text.matchAll(RULE)) {
      const other = home.get(rule)
      if (other !== undefined)
        violations.push({ file: path, message: `${rule} is written in ${other} already` })
      home.set(rule, path)
    }
  }
  const cited = new Set<string>()
  for (const { path, text } of tests) {
    for (const [, rule = ''] of text.matchAll(CITATION)) {
      if (!path.endsWith('.deep.test.ts')) cited.add(rule)
      if (!home.has(rule)) violations.push({ file: path, message: `cites ${rule}, which no SPEC.md has` })
    }
  }
  for (const [rule, path] of home) {
    if (!cited.has(rule)) violations.push({ file: path, message: `${rule} has no test in the common run` })
  }
  return violations
}
