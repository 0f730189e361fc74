import { useCallback, useEffect, useRef, useState } from 'react'
import { isAboutWho, useSession } from './session-context.tsx'

export type Answer<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'loaded'; readonly value: Value }
  | { readonly state: 'failed'; readonly error: unknown }

export interface Loaded<Value> {
  readonly answer: Answer<Value>
  /** Asks again. What is shown stays until the new answer is there. */
  readonly reload: () => void
}

/** Asks the server when the component is first shown. `load` must be the same function on every render. */
export function useLoaded<Value>(load: (signal: AbortSignal) => Promise<Value>): Loaded<Value> {
  const [answer, setAnswer] = useState<Answer<Value>>({ state: 'loading' })
  const { refresh } = useSession()
  const asking = useRef<AbortController>(undefined)
  const start = useCallback(() => {
    const stop = new AbortController()
    asking.current?.abort()
    asking.current = stop
    load(stop.signal).then(
      (value) => {
        if (!stop.signal.aborted) setAnswer({ state: 'loaded', value })
      },
      (error: unknown) => {
        // Aborted means gone: nobody is left to be told.
        if (stop.signal.aborted) return
        setAnswer({ state: 'failed', error })
        if (isAboutWho(error)) void refresh()
      },
    )
  }, [load, refresh])
  useEffect(() => {
    start()
    return () => asking.current?.abort()
  }, [start])
  const reload = useCallback(() => {
    setAnswer((shown) => (shown.state === 'failed' ? { state: 'loading' } : shown))
    start()
  }, [start])
  return { answer, reload }
}
