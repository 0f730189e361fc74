import { useEffect } from 'react'
import { useSession } from '../session/session-context.tsx'

/** Asks who is signed in whenever the person comes back to the tab: another one, or another browser, may have changed it. */
export function useFreshSession(): void {
  const { refresh } = useSession()
  useEffect(() => {
    const comeBack = () => {
      // Without an answer everything stays as it is: nothing that was typed is lost to a weak network.
      if (document.visibilityState === 'visible') void refresh({ isQuiet: true })
    }
    document.addEventListener('visibilitychange', comeBack)
    return () => document.removeEventListener('visibilitychange', comeBack)
  }, [refresh])
}
