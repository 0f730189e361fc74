/**
 * Does the work for every item, a bounded number at a time. The first failure stops what has not begun. Unlike a
 * semaphore it keeps nothing for an item that waits: there may be very many.
 */
export async function forEachConcurrent<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  let hasFailed = false
  const lanes = Array.from({ length: limit }, async () => {
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
