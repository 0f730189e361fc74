export interface ValueStore<Value> {
  get(): Value
  set(value: Value): void
  subscribe(listener: () => void): () => void
}

/** One value that components follow. */
export function createValueStore<Value>(initial: Value): ValueStore<Value> {
  const listeners = new Set<() => void>()
  let current = initial
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return
      current = value
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
