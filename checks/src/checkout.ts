import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkArrows } from './arrows.ts'
import { checkCircles } from './circles.ts'
import { checkContract } from './contract.ts'
import { checkEntryPoints } from './entry-points.ts'
import { checkLayers } from './layers.ts'
import { checkManifests } from './manifests.ts'
import { checkRoles } from './roles.ts'
import { checkRules, type TextFile } from './rules.ts'
import { checkSizes } from './sizes.ts'
import { checkVersions } from './versions.ts'
import {
  listFiles,
  OTHER_LANGUAGES,
  readPackages,
  readSource,
  SOURCES,
  TESTS,
  type Violation,
} from './workspace.ts'

export interface Report {
  readonly packages: number
  readonly files: number
  readonly violations: readonly Violation[]
}

/** Each statement of the contract, with the rules and tests that prove it. */
export const CONTRACT = 'docs/reference/contract.md'

/** The tests that prove rules. Those of the checks cite rules of the trees that they plant. */
export function rulesTests(root: string): TextFile[] {
  return listFiles(root, [...TESTS, ...OTHER_LANGUAGES])
    .filter((path) => !path.startsWith('checks/'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** Runs every check over a checkout. */
export function checkCheckout(root: string): Report {
  const read = (path: string) => ({ path, text: readFileSync(join(root, path), 'utf8') })
  const specs = listFiles(root, ['**/SPEC.md']).map(read)
  const proofs = rulesTests(root)
  const packages = readPackages(root)
  const sources = listFiles(root, SOURCES).map((path) => readSource(root, path))
  const tests = listFiles(root, TESTS).map((path) => readSource(root, path))
  const others = listFiles(root, OTHER_LANGUAGES).map(read)
  return {
    packages: packages.length,
    files: sources.length + tests.length + others.length,
    violations: [
      ...checkArrows(packages),
      ...checkRoles([...sources, ...tests], packages),
      ...checkLayers(sources),
      ...checkCircles(sources),
      ...checkEntryPoints(sources),
      ...checkRules(specs, proofs),
      ...(existsSync(join(root, CONTRACT))
        ? checkContract(read(CONTRACT), specs, proofs)
        : [{ file: CONTRACT, message: 'is missing' }]),
      ...checkSizes([...sources, ...others]),
      ...checkVersions(root),
      ...checkManifests(root, packages),
    ],
  }
}
