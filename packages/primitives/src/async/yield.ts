/** Lets whatever else is ready run first: input that has arrived, timers that are due. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    // Browsers have no `setImmediate`.
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else setTimeout(resolve, 0)
  })
}

/** To be awaited between the steps of long work: yields once the work has had the event loop for so long. */
export function yieldEvery(ms: number): () => Promise<void> {
  let begunAt = performance.now()
  return async () => {
    if (performance.now() - begunAt < ms) return
    await yieldToEventLoop()
    begunAt = performance.now()
  }
}
