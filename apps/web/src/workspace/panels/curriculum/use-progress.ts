import { useCallback, useEffect, useState } from 'react'
import type { PanelHost } from '../../panel-definition.ts'
import { fetchProgress, recordProgress } from './course.api.ts'

export interface Progress {
  readonly done: ReadonlySet<string>
  /** Whether what was done before is known. */
  readonly isLoaded: boolean
  /** Why the last mark was not stored. */
  readonly error: unknown
  readonly mark: (name: string, isDone?: boolean) => void
}

const NOTHING: ReadonlySet<string> = new Set()

/** What this person has done of the course in a folder. Shown at once, and stored for their other browsers. */
export function useProgress(host: PanelHost, folder: string): Progress {
  const [done, setDone] = useState(NOTHING)
  const [isLoaded, setLoaded] = useState(false)
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    const stop = new AbortController()
    const look = () =>
      fetchProgress(host.workspace, folder, stop.signal).then(
        (marks) => {
          if (stop.signal.aborted) return
          setDone(new Set(marks))
          setLoaded(true)
        },
        (failure: unknown) => {
          if (stop.signal.aborted) return
          setError(failure)
          setLoaded(true)
        },
      )
    void look()
    const unfollow = host.follow((news) => void (news === 'back' && look()))
    return () => {
      unfollow()
      stop.abort()
    }
  }, [host, folder])
  const mark = useCallback(
    (name: string, isDone = true) => {
      setError(undefined)
      setDone((before) => {
        const after = new Set(before)
        if (isDone) after.add(name)
        else after.delete(name)
        return after
      })
      recordProgress(host, folder, isDone ? { done: [name] } : { notDone: [name] }).catch(setError)
    },
    [host, folder],
  )
  return { done, isLoaded, error, mark }
}
