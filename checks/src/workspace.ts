import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'

export interface Violation {
  readonly file: string
  readonly message: string
}

export interface WorkspacePackage {
  /** From the root, such as `areas/identity`. */
  readonly folder: string
  readonly name: string
  readonly dependencies: readonly string[]
  readonly devDependencies: readonly string[]
}

export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly imports: readonly string[]
  /** Those of them that are there at run time. */
  readonly valueImports: readonly string[]
}

const MANIFESTS = ['{packages,areas,apps,examples}/*/package.json', '{checks,e2e,bench,release}/package.json']
const EXCLUDE = ['**/node_modules/**', '**/dist/**']

export function readPackages(root: string): WorkspacePackage[] {
  return globSync(MANIFESTS, { cwd: root, exclude: EXCLUDE })
    .toSorted()
    .map((manifest) => {
      const {
        name,
        dependencies = {},
        devDependencies = {},
      } = JSON.parse(readFileSync(join(root, manifest), 'utf8')) as {
        name: string
        dependencies?: object
        devDependencies?: object
      }
      return {
        folder: dirname(manifest),
        name,
        dependencies: Object.keys(dependencies),
        devDependencies: Object.keys(devDependencies),
      }
    })
}

/** Paths from the root with forward slashes, sorted. */
export function listFiles(root: string, patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: root, exclude: EXCLUDE })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
}

export const SOURCES = [
  '{packages,areas,apps,examples}/*/src/**/*.{ts,tsx}',
  '{checks,bench,release}/src/**/*.ts',
]
export const TESTS = [
  '{packages,areas,apps,examples}/*/test/**/*.ts',
  '{checks,e2e,bench,release}/test/**/*.ts',
]

/** Sources and tests of clients in other languages. Their own tools read them; their size and the rules they prove are looked at here. */
export const OTHER_LANGUAGES = ['clients/*/**/*.py']

export function readSource(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8')
  const { module, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const specifiers = [
    ...module.staticImports.map((entry) => entry.moduleRequest.value),
    ...module.staticExports.flatMap((entry) => entry.entries.map((one) => one.moduleRequest?.value)),
    ...module.dynamicImports.map((entry) =>
      text.slice(entry.moduleRequest.start, entry.moduleRequest.end).slice(1, -1),
    ),
  ]
  const values = module.staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map((entry) => entry.moduleRequest.value)
  return {
    path,
    text,
    valueImports: values,
    imports: [...new Set(specifiers.filter((specifier) => specifier !== undefined))],
  }
}
