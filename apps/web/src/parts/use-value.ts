import { useSyncExternalStore } from 'react'
import type { ValueStore } from './value-store.ts'

export function useValue<Value>(store: ValueStore<Value>): Value {
  return useSyncExternalStore(
    (listener) => store.subscribe(listener),
    () => store.get(),
  )
}
