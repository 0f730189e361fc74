import type { WebviewState } from '@patchbay/contracts/panels'
import { useEffect, useReducer, useRef, useState } from 'react'
import { Echoes } from '../parts/echoes.ts'
import { placeOf, startViewing, type Viewing, viewingAfter } from './viewing.ts'

const PAUSE_MS = 300
/** A page that loads for longer shows all the same. */
const LONGEST_LOAD_MS = 1000

interface Wanted {
  readonly state: WebviewState
  readonly revision: number
  readonly store: (url: string) => void
}

export interface Navigation {
  readonly viewing: Viewing
  readonly place: string | undefined
  /** The revision of the state that the frame has got. */
  readonly shown: number
  readonly go: (url: string) => void
  readonly step: (by: -1 | 1) => void
  readonly reload: () => void
  /** A proxied page says where it is; by a person, or by itself. */
  readonly report: (url: string, isByPerson: boolean) => void
  readonly frameLoaded: () => void
}

/** Where a web view is: follows the state, and stores where the person goes. */
export function useViewing({ state, revision, store }: Wanted): Navigation {
  const { url, refresh } = state
  const [viewing, dispatch] = useReducer(viewingAfter, undefined, () => startViewing(url, refresh, revision))
  const [settledLoad, setSettledLoad] = useState(-1)
  const echoes = useRef(new Echoes())
  const followed = useRef(url)
  const place = placeOf(viewing)

  useEffect(() => {
    const isNews = url !== followed.current
    followed.current = url
    const isEcho = isNews && url !== undefined && echoes.current.hears(url)
    // Somebody else was in between: an own address that comes back after that is where the frame is not.
    if (isNews && !isEcho) echoes.current.forget()
    dispatch({ type: 'follow', url, refresh, revision, isEcho })
  }, [url, refresh, revision])

  const { load } = viewing
  useEffect(() => {
    const later = setTimeout(() => setSettledLoad(load), LONGEST_LOAD_MS)
    return () => clearTimeout(later)
  }, [load])

  const keep = (next: string) => {
    if (next === followed.current) return
    echoes.current.expect(next)
    store(next)
  }
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(pause.current), [])

  const isShown = viewing.asked === undefined || settledLoad === load
  return {
    viewing,
    place,
    shown: isShown ? viewing.revision : -1,
    go(next) {
      clearTimeout(pause.current)
      dispatch({ type: 'go', url: next })
      keep(next)
    },
    step(by) {
      const next = viewing.visits[viewing.at + by]
      if (next === undefined) return
      clearTimeout(pause.current)
      dispatch({ type: 'step', by })
      keep(next)
    },
    reload: () => dispatch({ type: 'reload' }),
    report(next, isByPerson) {
      const isMove = viewing.hasArrived && next !== place
      dispatch({ type: 'reported', url: next })
      if (!isMove || !isByPerson) return
      clearTimeout(pause.current)
      pause.current = setTimeout(() => keep(next), PAUSE_MS)
    },
    frameLoaded: () => setSettledLoad(load),
  }
}
