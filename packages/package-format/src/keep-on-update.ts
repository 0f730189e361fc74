import { RE2JS } from 're2js'

export interface KeepOnUpdate {
  /** Whether an installed file, such as `/plugins/com_x_y/config.ini`, survives an update. */
  keeps(path: string): boolean
}

export interface UnsafePattern {
  readonly pattern: string
  readonly reason: string
}

export interface KeepOnUpdateOptions {
  /** How long all calls of `keeps` together may take. */
  readonly budgetMs?: number
  /** Milliseconds of a clock that never goes back. Default: the machine's. */
  readonly now?: () => number
}

/** All calls together took longer than allowed: without this, patterns of strangers could hold up an update for hours. */
export class KeepOnUpdateTooSlow extends Error {
  override readonly name = 'KeepOnUpdateTooSlow'
}

const MAX_PATTERNS = 100
const MAX_LENGTH = 1000
/**
 * Steps of the compiled program. The engine takes time in proportion to steps and path: with the longest text of plain
 * letters that is a millisecond per path, but `.{0,999}` is short and has thousands.
 */
const MAX_STEPS = 1100
const MAX_STEPS_TOGETHER = 3000
const BUDGET_MS = 5000

/**
 * Compiles the patterns of a package. They come from strangers and run on other people's machines. One that cannot be
 * used throws a `TypeError`. The time of one path is bounded by the limits above, that of all paths by the budget.
 */
export function compileKeepOnUpdate(
  patterns: readonly string[],
  { budgetMs = BUDGET_MS, now = () => performance.now() }: KeepOnUpdateOptions = {},
): KeepOnUpdate {
  const compiled = compileAll(patterns).map((result) => {
    if (result instanceof RE2JS) return result
    const { pattern, reason } = result
    throw new TypeError(`keep_on_update ${JSON.stringify(pattern.slice(0, MAX_LENGTH))}: ${reason}`)
  })
  let spent = 0
  return {
    keeps(path) {
      const start = now()
      try {
        return compiled.some((pattern) => {
          if (spent + now() - start > budgetMs)
            throw new KeepOnUpdateTooSlow(`the patterns take more than ${budgetMs} ms`)
          return pattern.test(path)
        })
      } finally {
        spent += now() - start
      }
    },
  }
}

/** The patterns that cannot be used, each with the reason. */
export function findUnsafePatterns(patterns: readonly string[]): UnsafePattern[] {
  return compileAll(patterns).filter((result): result is UnsafePattern => !(result instanceof RE2JS))
}

function compileAll(patterns: readonly string[]): (RE2JS | UnsafePattern)[] {
  let steps = 0
  return patterns.map((pattern, index) => {
    if (index >= MAX_PATTERNS) return { pattern, reason: `there are more than ${MAX_PATTERNS} patterns` }
    if (pattern.length > MAX_LENGTH) return { pattern, reason: `it has more than ${MAX_LENGTH} characters` }
    // Not even compiled: that takes longer than matching, and a list of large ones would take seconds.
    if (steps > MAX_STEPS_TOGETHER) return { pattern, reason: 'the patterns before it are too much work' }
    const compiled = tryCompile(pattern)
    if (!(compiled instanceof RE2JS)) return compiled
    const size = compiled.programSize()
    steps += size
    if (size > MAX_STEPS) return { pattern, reason: 'it repeats too much: each file would take too long' }
    return steps > MAX_STEPS_TOGETHER
      ? { pattern, reason: 'together with those before it, it is too much work' }
      : compiled
  })
}

function tryCompile(pattern: string): RE2JS | UnsafePattern {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { pattern, reason: message.replace('error parsing regexp: ', '') }
  }
}
