import { useEffect, useState } from 'react'
import type { PanelHost } from '../../panel-definition.ts'
import { fetchContent } from '../files/history.api.ts'
import { type ComparedBoards, compareBoardFiles, LARGEST_BOARD_BYTES } from './read-board-file.ts'

export type Comparison =
  | { readonly status: 'none' | 'comparing' }
  | ({ readonly status: 'compared' } & ComparedBoards)
  | { readonly status: 'failed'; readonly error: unknown }

interface Compared {
  readonly path: string | undefined
  /** Of the file as it is shown: with another one it is compared again. */
  readonly tag: string | undefined
  /** What it is compared with; without one nothing is. */
  readonly revision: number | undefined
  /** Whether that version is to be seen itself. */
  readonly isSideBySide: boolean
}

/** A board beside a version before. */
export function useComparison(host: PanelHost, { path, tag, revision, isSideBySide }: Compared): Comparison {
  const key =
    tag === undefined || revision === undefined ? undefined : `${path}\n${tag}\n${revision}\n${isSideBySide}`
  const [state, setState] = useState<{ readonly of: unknown; readonly is: Comparison }>()
  const { owner, repo } = host.workspace
  useEffect(() => {
    if (key === undefined || path === undefined || revision === undefined) return undefined
    const leaving = new AbortController()
    const { signal } = leaving
    const tell = (is: Comparison) => {
      if (!signal.aborted) setState({ of: key, is })
    }
    const read = (wanted: { readonly revision?: number }) =>
      fetchContent({ owner, repo }, { path, most: LARGEST_BOARD_BYTES, ...wanted }, signal)
    Promise.all([read({}), read({ revision })])
      .then(async ([now, before]) =>
        tell({ status: 'compared', ...(await compareBoardFiles(now, before, isSideBySide, signal)) }),
      )
      .catch((error: unknown) => tell({ status: 'failed', error }))
    return () => leaving.abort()
  }, [key, owner, repo, path, revision, isSideBySide])
  if (key === undefined) return { status: 'none' }
  return state !== undefined && state.of === key ? state.is : { status: 'comparing' }
}
