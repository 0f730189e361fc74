import { useCallback, useEffect } from 'react'
import { type Loaded, useLoaded } from '../../session/use-loaded.ts'
import { fetchRequest, type IntentRequest } from './approve.api.ts'

/** Never answers: there is nothing to ask, or nobody to ask for. */
const wait = () => Promise.withResolvers<never>().promise

/**
 * What an application asks for, once somebody is signed in. Asked again whenever the person comes back to the tab: they
 * went to compare the words, and meanwhile the request may have ended or somebody else begun to watch it.
 */
export function useRequest(token: string | undefined, handle: string | undefined): Loaded<IntentRequest> {
  const load = useCallback(
    (signal: AbortSignal) =>
      token === undefined || handle === undefined ? wait() : fetchRequest(token, signal),
    [token, handle],
  )
  const loaded = useLoaded(load)
  const { reload } = loaded
  const isShown = loaded.answer.state === 'loaded'
  useEffect(() => {
    if (!isShown) return undefined
    const comeBack = () => {
      if (document.visibilityState === 'visible') reload()
    }
    document.addEventListener('visibilitychange', comeBack)
    return () => document.removeEventListener('visibilitychange', comeBack)
  }, [isShown, reload])
  return loaded
}
