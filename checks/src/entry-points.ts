import type { SourceFile, Violation } from './workspace.ts'

interface Entry {
  readonly what: string
  readonly pattern: RegExp
  readonly allowed: RegExp
}

const DEVELOPMENT =
  'apps\\/dev\\/|packages\\/(?:testkit|dev-identity-provider)\\/|bench\\/|checks\\/|examples\\/'
/** A published library has no composition root above it: one file holds its defaults. */
const LIBRARY_DEFAULTS = 'packages\\/[^/]+\\/src\\/surroundings\\.ts$'
/** A composition root, where a process takes what it needs from its surroundings. */
const ROOTS = `(?:apps\\/[^/]+|release)\\/src\\/main\\.ts$|apps\\/web\\/src\\/(?:viewer|workspace)\\/main\\.tsx$|${LIBRARY_DEFAULTS}|${DEVELOPMENT}`

const ENTRIES: readonly Entry[] = [
  { what: 'the environment', pattern: /\bprocess\.env\b/, allowed: new RegExp(`^(?:${ROOTS})`) },
  {
    what: 'wall time',
    pattern: /\bDate\.now\(|\bnew Date\(\)/,
    // The clock itself, and the time stamp of a log line, which no lifetime depends on.
    allowed: new RegExp(`^(?:${ROOTS}|packages\\/kernel\\/src\\/(?:clock|log)\\/|apps\\/web\\/)`),
  },
  {
    what: 'randomness',
    pattern: /\bMath\.random\(|\brandomUUID\(|\brandomBytes\(/,
    // Names of temporary files and correlation ids are mechanics, not behavior that a test would fix.
    allowed: new RegExp(`^(?:${ROOTS}|packages\\/kernel\\/src\\/(?:bus|objects|websocket)\\/)`),
  },
  // The framework's own logger is off: what is written there is lost, and what it writes itself would hold addresses.
  { what: 'the log', pattern: /\b(?:request|reply|app|scope)\.log\b/, allowed: /^$/ },
]

/** Environment, time, randomness and the log are arguments everywhere but at the composition roots. */
export function checkEntryPoints(files: readonly SourceFile[]): Violation[] {
  return files.flatMap(({ path, text }) =>
    ENTRIES.filter(({ pattern, allowed }) => pattern.test(withoutComments(text)) && !allowed.test(path)).map(
      ({ what }) => ({
        file: path,
        message: `${what} must be passed in from a composition root`,
      }),
    ),
  )
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}
