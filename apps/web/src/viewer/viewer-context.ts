import { createContext, useContext, useSyncExternalStore } from 'react'
import type { ValueStore } from '../parts/value-store.ts'
import type { ViewerSession } from './viewer-session.ts'

export const ViewerContext = createContext<ViewerSession | undefined>(undefined)

export function useViewer(): ViewerSession {
  const session = useContext(ViewerContext)
  if (session === undefined) throw new Error('no ViewerContext around this component')
  return session
}

export function useValue<Value>(store: ValueStore<Value>): Value {
  return useSyncExternalStore(
    (listener) => store.subscribe(listener),
    () => store.get(),
  )
}
