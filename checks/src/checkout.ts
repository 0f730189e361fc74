import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkArrows } from './arrows.ts'
import { checkEntryPoints } from './entry-points.ts'
import { checkRoles } from './roles.ts'
import { checkRules } from './rules.ts'
import { checkSizes } from './sizes.ts'
import { listFiles, readPackages, readSource, SOURCES, TESTS, type Violation } from './workspace.ts'

export interface Report {
  readonly packages: number
  readonly files: number
  readonly violations: readonly Violation[]
}

/** Runs every check over a checkout. */
export function checkCheckout(root: string): Report {
  const read = (path: string) => ({ path, text: readFileSync(join(root, path), 'utf8') })
  const packages = readPackages(root)
  const sources = listFiles(root, SOURCES).map((path) => readSource(root, path))
  const tests = listFiles(root, TESTS).map((path) => readSource(root, path))
  return {
    packages: packages.length,
    files: sources.length + tests.length,
    violations: [
      ...checkArrows(packages),
      ...checkRoles([...sources, ...tests], packages),
      ...checkEntryPoints(sources),
      // The checks' own tests cite rules of the trees that they plant.
      ...checkRules(
        listFiles(root, ['**/SPEC.md']).map(read),
        tests.filter(({ path }) => !path.startsWith('checks/')),
      ),
      ...checkSizes(sources),
    ],
  }
}
