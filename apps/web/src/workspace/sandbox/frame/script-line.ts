import { get, later, matches } from './intrinsics.ts'

const NAME = 'patchbay-script'
/** Browsers call a script by it in the stacks of its errors. */
export const SOURCE_NAME = `\n//# sourceURL=${NAME}`
const PLACE = /patchbay-script:(\d{1,7})/
/** A function's body begins two lines below the head that its constructor writes. */
const HEAD_LINES = 2
const MOST_WAIT_MS = 200

/** The line of a script in which an error came up. */
export function lineOfError(error: unknown, isBody: boolean): number | undefined {
  try {
    const stack = typeof error === 'object' && error !== null ? get(error, 'stack') : undefined
    const found = typeof stack === 'string' ? (matches(PLACE, stack) as string[] | null) : null
    const line = found === null ? undefined : Number(found[1])
    return line === undefined || line < 1 ? undefined : isBody ? Math.max(1, line - HEAD_LINES) : line
  } catch {
    return undefined
  }
}

export interface SyntaxProbe {
  /** An error that nobody caught. Answers whether it was the one that was waited for. */
  take(event: ErrorEvent): boolean
  /** Tells in which line a text cannot be read: its error says so only where nobody catches it. */
  find(code: string, tell: (line: number | undefined) => void): void
}

export function createSyntaxProbe(): SyntaxProbe {
  let waiting: ((line: number | undefined) => void) | undefined
  return {
    take(event) {
      const tell = waiting
      if (tell === undefined) return false
      event.preventDefault()
      tell(event.lineno >= 1 ? event.lineno : undefined)
      return true
    },
    find(code, tell) {
      waiting = (line) => {
        waiting = undefined
        tell(line)
      }
      // Should it compile after all, it is not run a second time.
      later(`throw null;(async()=>{${code}\n})`, 0)
      later(() => waiting?.(undefined), MOST_WAIT_MS)
    },
  }
}
