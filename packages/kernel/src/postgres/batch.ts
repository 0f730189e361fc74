export interface BatchOptions {
  /** More than this in one turn become several statements, side by side. */
  readonly most?: number
}

const MOST = 100

interface Asked<Key, Value> {
  readonly key: Key
  readonly resolve: (value: Value) => void
  readonly reject: (error: unknown) => void
}

/**
 * Collects what is asked for during one turn of the event loop and asks the database once. A statement of its own for
 * each would cost more than everything else about a short request. `ask` answers one value per key, in their order;
 * when it fails, everybody who asked with it hears so.
 */
export function batchPerTurn<Key, Value>(
  ask: (keys: readonly Key[]) => Promise<readonly Value[]>,
  { most = MOST }: BatchOptions = {},
): (key: Key) => Promise<Value> {
  let waiting: Asked<Key, Value>[] = []

  const askTogether = async (batch: readonly Asked<Key, Value>[]): Promise<void> => {
    try {
      const values = await ask(batch.map(({ key }) => key))
      if (values.length !== batch.length) throw new Error('a batch has one value per key')
      for (const [index, { resolve }] of batch.entries()) resolve(values[index] as Value)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  const flush = () => {
    const all = waiting
    waiting = []
    for (let start = 0; start < all.length; start += most) void askTogether(all.slice(start, start + most))
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (waiting.length === 1) setImmediate(flush)
    })
}
