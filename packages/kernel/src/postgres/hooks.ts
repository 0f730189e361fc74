export interface DatabaseHooks {
  /** How long a caller waited for a connection, got or not. */
  readonly onAcquire?: (waitMs: number, failed: boolean) => void
  readonly onStatement?: (durationMs: number, failed: boolean) => void
}

export async function timed<T>(
  work: () => Promise<T>,
  report: ((milliseconds: number, failed: boolean) => void) | undefined,
): Promise<T> {
  if (report === undefined) return work()
  const start = performance.now()
  let failed = true
  try {
    const result = await work()
    failed = false
    return result
  } finally {
    try {
      report(performance.now() - start, failed)
    } catch {
      // A broken metric must not turn an answered statement into a failed one.
    }
  }
}
