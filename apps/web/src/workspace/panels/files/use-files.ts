import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import type { PanelHost } from '../../panel-definition.ts'
import { fetchChangedPaths, fetchFiles } from '../parts/files.api.ts'
import { type FileTree, NO_FILES, reduceTree, type TreeAction } from './file-tree.ts'
import { createFollower, type Follower } from './follow-files.ts'

export interface Files {
  readonly tree: FileTree
  readonly dispatch: (action: TreeAction) => void
  /** Whether the list was read at all. */
  readonly isLoaded: boolean
  /** Why it could not be read, or not be kept up to date. */
  readonly error: unknown
  /** Whether the page has no connection, and hears of no change. */
  readonly isAway: boolean
  /** Asks what has changed. Settles when that is shown, or could not be had. */
  readonly look: () => Promise<void>
}

/** The files of the workspace, kept at what the server has. */
export function useFiles(host: PanelHost): Files {
  const [tree, dispatch] = useReducer(reduceTree, NO_FILES)
  const [isLoaded, setLoaded] = useState(false)
  const [error, setError] = useState<unknown>()
  const [isAway, setAway] = useState(false)
  const follower = useRef<Follower>(undefined)
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const made = createFollower({
      readAll: () => fetchFiles(host.workspace, signal),
      readChanged: (after) => fetchChangedPaths(host.workspace, { after }, signal),
      onNews(action) {
        if (signal.aborted) return
        dispatch(action)
        setLoaded(true)
      },
      onFailure(failure) {
        if (!signal.aborted) setError(failure)
      },
    })
    follower.current = made
    void made.look()
    const unfollow = host.follow((news) => {
      setAway(news === 'away')
      if (news !== 'away') void made.look()
    })
    return () => {
      unfollow()
      stop.abort()
    }
  }, [host])
  const look = useCallback(async () => {
    await follower.current?.look()
  }, [])
  return { tree, dispatch, isLoaded, error, isAway, look }
}
