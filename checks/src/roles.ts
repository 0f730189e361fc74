import { posix } from 'node:path'
import type { SourceFile, Violation, WorkspacePackage } from './workspace.ts'

/** Lower may not import higher. A file without a suffix holds pure rules. */
const RANKS = { pure: 0, io: 1, store: 1, wire: 2, index: 3 } as const
type Role = keyof typeof RANKS

/** Disk, processes, threads and calls to elsewhere. */
const OUTSIDE =
  /^(node:(fs|fs\/promises|child_process|worker_threads|net|http|https|tls|dns|dgram)|sharp|tesseract\.js|openai|@anthropic-ai\/sdk|undici)$/
const ENGINES = /^(pg|kysely|ioredis|fastify|ws|@fastify\/.*|@aws-sdk\/.*)$/

function roleOf(path: string): Role {
  const name = posix.basename(path)
  if (name === 'index.ts') return 'index'
  if (/\.(routes|socket)\.ts$/.test(name)) return 'wire'
  if (name.endsWith('.io.ts')) return 'io'
  return name.endsWith('.store.ts') ? 'store' : 'pure'
}

/** The order of roles inside areas, and the borders of every package. */
export function checkRoles(files: readonly SourceFile[], packages: readonly WorkspacePackage[]): Violation[] {
  return files.flatMap((file) => {
    const home = packages.find(({ folder }) => file.path.startsWith(`${folder}/`))?.folder ?? ''
    // A test may look at any file of its area.
    const hasRole = home.startsWith('areas/') && file.path.startsWith(`${home}/src/`)
    return [...borderViolations(file, home), ...(hasRole ? roleViolations(file) : [])]
  })
}

function borderViolations({ path, imports }: SourceFile, home: string): Violation[] {
  const relative = imports.filter((specifier) => specifier.startsWith('.'))
  const outside = relative
    .map((specifier) => posix.join(posix.dirname(path), specifier))
    .filter((target) => !target.startsWith(`${home}/`))
    .map((target) => ({ file: path, message: `reaches into ${target}: import the package by its name` }))
  const areas = /^areas\/[^/]+$/.test(home)
    ? imports
        .filter((specifier) =>
          /^@patchbay\/(registry|gateway|watchdog|identity|panels|viewer)(\/|$)/.test(specifier),
        )
        .map((specifier) => ({ file: path, message: `an area must not import an area (${specifier})` }))
    : []
  return [...outside, ...areas]
}

function roleViolations({ path, imports, valueImports, text }: SourceFile): Violation[] {
  const role = roleOf(path)
  const violations = imports
    .filter((specifier) => specifier.startsWith('.') && specifier.endsWith('.ts'))
    .filter((specifier) => RANKS[roleOf(specifier)] > RANKS[role])
    .map((specifier) => ({ file: path, message: `a ${role} file must not import ${specifier}` }))
  const engines = imports.filter((specifier) => ENGINES.test(specifier))
  if ((role === 'pure' || role === 'io') && engines.length > 0) {
    violations.push({ file: path, message: `${role} files must not import ${engines.join(', ')}` })
  }
  const outside = valueImports.filter((specifier) => OUTSIDE.test(specifier))
  if (role !== 'io' && outside.length > 0) {
    violations.push({ file: path, message: `only an io file may import ${outside.join(', ')}` })
  }
  if (
    role === 'index' &&
    !/^(\s*export\s+(type\s+)?\{[^}]*\}\s+from\s+'[^']+';?\s*|\s*\/\*[\s\S]*?\*\/\s*|\s*\/\/.*\s*)*$/.test(
      text,
    )
  ) {
    violations.push({ file: path, message: 'an index holds named re-exports and nothing else' })
  }
  return violations
}
