import { createContext, Script } from 'node:vm'

export interface SkippedPattern {
  readonly pattern: string
  readonly reason: string
}

export interface BoundedPatterns {
  matches(path: string): boolean
  /** Those that cannot be run, and so far those that took too long. */
  readonly skipped: readonly SkippedPattern[]
}

const MOST_PATTERNS = 100
const LONGEST_PATTERN = 1000
const PER_FILE_MS = 250
const TOGETHER_MS = 5000

const TEST = new Script('pattern.test(path)')

/**
 * Look-around and back-references, run by the platform's own engine. It backtracks, and a pattern of a stranger could hold
 * it for years: the timeout of a script ends it, which nothing else in the process can. One that takes too long for a file
 * is not run again.
 */
export function createBoundedPatterns(
  patterns: readonly string[],
  { perFileMs = PER_FILE_MS, togetherMs = TOGETHER_MS } = {},
): BoundedPatterns {
  const skipped: SkippedPattern[] = []
  const running = new Map<string, RegExp>()
  for (const pattern of patterns) {
    const compiled = running.size < MOST_PATTERNS ? tryCompile(pattern) : 'there are too many patterns'
    if (typeof compiled === 'string') skipped.push({ pattern, reason: compiled })
    else running.set(pattern, compiled)
  }
  const asked = createContext({ pattern: /(?:)/, path: '' })
  let left = togetherMs
  return {
    skipped,
    matches(path) {
      for (const [name, pattern] of running) {
        const start = performance.now()
        const timeout = Math.ceil(Math.min(perFileMs, left))
        try {
          if (timeout > 0) {
            Object.assign(asked, { pattern, path })
            if (TEST.runInContext(asked, { timeout }) === true) return true
            continue
          }
        } catch {
          // Its time is over, or the memory of the engine is. Timers are early by a fraction of a millisecond.
          left -= Math.max(0, timeout - (performance.now() - start))
        } finally {
          left -= performance.now() - start
        }
        running.delete(name)
        skipped.push({ pattern: name, reason: 'it takes too long for the files that are there' })
      }
      return false
    },
  }
}

/** With `u`, what the engine does not know is an error; without it `\A` would be the letter. */
function tryCompile(pattern: string): RegExp | string {
  if (pattern.length > LONGEST_PATTERN) return `it has more than ${LONGEST_PATTERN} characters`
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return 'it is no regular expression that is known here'
  }
}
