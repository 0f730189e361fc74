import type { Violation } from './workspace.ts'

export interface TextFile {
  readonly path: string
  readonly text: string
}

const RULE = /^- \*\*([A-Z]+-\d+)\*\*/gm
/** At the start of a name, so that a comment about a rule does not count as its test. */
const CITATION = /(?<=['"`\]])\[([A-Z]+-\d+)\]/g

/** Every rule has a test whose name cites it; every citation names a rule; no rule is written twice. */
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
      cited.add(rule)
      if (!home.has(rule)) violations.push({ file: path, message: `cites ${rule}, which no SPEC.md has` })
    }
  }
  for (const [rule, path] of home) {
    if (!cited.has(rule)) violations.push({ file: path, message: `${rule} has no test` })
  }
  return violations
}
