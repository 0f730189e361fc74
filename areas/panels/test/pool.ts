import { waitUntil } from '@patchbay/testkit/processes'

/** What tests can take in turn. */
export interface Pooled extends AsyncDisposable {
  /** Whether nobody waits for an answer or has a socket open. */
  isIdle(): boolean
  /** Afterwards it is as it was when it had just been started. */
  empty(): Promise<void>
}

/**
 * Hands out what was started for an earlier test: to start a node takes longer than most of what is tested on it. Disposing
 * of it gives it back.
 */
export function createPool<T extends Pooled>(start: () => Promise<T>): () => Promise<T> {
  const spare: T[] = []
  const giveBack = async (one: T) => {
    const isIdle = await waitUntil('nobody uses it', () => one.isIdle(), { deadlineMs: 1_000 }).then(
      () => true,
      () => false,
    )
    // What is still going on in it would reach the next test.
    if (!isIdle) return await one[Symbol.asyncDispose]()
    await one.empty()
    spare.push(one)
  }
  return async () => {
    const one = spare.pop() ?? (await start())
    return { ...one, [Symbol.asyncDispose]: () => giveBack(one) }
  }
}
