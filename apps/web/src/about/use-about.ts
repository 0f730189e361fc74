import { useEffect, useState } from 'react'
import { type About, fetchAbout } from './about.api.ts'

export type AboutState =
  | { readonly state: 'loading' }
  | { readonly state: 'known'; readonly about: About }
  | { readonly state: 'failed'; readonly error: unknown }

/** Asks the server once, when the component that uses it is first shown. */
export function useAbout(): AboutState {
  const [about, setAbout] = useState<AboutState>({ state: 'loading' })
  useEffect(() => {
    const stop = new AbortController()
    fetchAbout(stop.signal).then(
      (known) => setAbout({ state: 'known', about: known }),
      (error: unknown) => {
        // Aborted means closed: nobody is left to be told.
        if (!stop.signal.aborted) setAbout({ state: 'failed', error })
      },
    )
    return () => stop.abort()
  }, [])
  return about
}
