import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { listFiles, readPackages, readSource, TESTS } from './workspace.ts'

export interface TestFile {
  /** From the root, such as `areas/identity/test/intent.test.ts`. */
  readonly path: string
  /** Neither it nor a helper that it imports starts an engine, a browser, a build or a process. */
  readonly isUnit: boolean
  /** Part of the deep run alone. */
  readonly isDeep: boolean
  /** The deep run counts more in it than the common one, or has tests in it that the common one has not. */
  readonly hasDeepForm: boolean
}

/** What a test or a helper of it imports when it depends on how far the run goes. */
const DEPTH = '@patchbay/testkit/depth'

/** What a test imports when it starts something beside its own process; pictures are decoded in one. */
const ENGINES =
  /^(?:(?:\.\.\/)+src\/image\/pictures\.store\.ts|node:(?:child_process|cluster|worker_threads)|playwright-core|vite|@patchbay\/testkit\/(?:chromium|nginx|postgres|radosgw|redis)|@patchbay\/dev-identity-provider|@patchbay\/web\/test\/build-app)$/

export function listTestFiles(root: string): TestFile[] {
  const imports = readImports(root)
  return listFiles(root, TESTS)
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => {
      // Only what belongs to tests is followed: a source may be able to start a process without being asked to.
      const specifiers = reachable(path, imports, isOfTests).flatMap((file) => imports(file).specifiers)
      const isDeep = path.endsWith('.deep.test.ts')
      return {
        path,
        isUnit: !specifiers.some((specifier) => ENGINES.test(specifier)),
        isDeep,
        hasDeepForm: isDeep || specifiers.includes(DEPTH),
      }
    })
}

const isOfTests = (path: string) => /\/test\//.test(path) || path.startsWith('packages/testkit/')

export interface Imports {
  readonly specifiers: readonly string[]
  /** The files of this checkout among them, from the root. */
  readonly files: readonly string[]
}

/** Reads what a file imports, each file once. */
export function readImports(root: string): (path: string) => Imports {
  const exportsOf = new Map(
    readPackages(root).map(({ name, folder }) => {
      const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
        exports?: Record<string, string>
      }
      return [
        name,
        new Map(Object.entries(manifest.exports ?? {}).map(([key, file]) => [key, posix.join(folder, file)])),
      ]
    }),
  )
  const resolve = (from: string, specifier: string): string | undefined => {
    if (specifier.startsWith('.')) {
      const path = posix.join(dirname(from), specifier)
      return existsSync(join(root, path)) ? path : undefined
    }
    const [, name = '', rest = ''] = /^(@patchbay\/[^/]+)(\/.*)?$/.exec(specifier) ?? []
    return exportsOf.get(name)?.get(`.${rest}`)
  }
  const known = new Map<string, Imports>()
  return (path) => {
    let found = known.get(path)
    if (found === undefined) {
      const specifiers = /\.[jt]sx?$/.test(path) ? readSource(root, path).imports : []
      found = { specifiers, files: specifiers.flatMap((specifier) => resolve(path, specifier) ?? []) }
      known.set(path, found)
    }
    return found
  }
}

/** The file itself and all that it imports, as far as `follow` says. */
export function reachable(
  start: string,
  imports: (path: string) => Imports,
  follow: (path: string) => boolean = () => true,
): string[] {
  const seen = new Set([start])
  // A set takes in what is added while it is walked.
  for (const path of seen) for (const file of imports(path).files) if (follow(file)) seen.add(file)
  return [...seen]
}
