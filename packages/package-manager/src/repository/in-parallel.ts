/** Does the work for every item, a bounded number at a time. The first failure stops what has not begun. */
export async function inParallel<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  let hasFailed = false
  const lanes = Array.from({ length: Math.min(concurrency, items.length) }, async () => {
    for (const item of queue) {
      if (hasFailed) return
      await work(item).catch((error: unknown) => {
        hasFailed = true
        throw error
      })
    }
  })
  await Promise.all(lanes)
}
