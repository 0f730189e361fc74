import type { ContentChange } from '@patchbay/contracts/content'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { useCallback } from 'react'
import { type List, useList } from '../../../session/use-list.ts'
import { fetchHistory } from './history.api.ts'

/** The changes of a path, or of everything; read anew when that has another revision. */
export function useHistory(
  workspace: WorkspaceRef,
  path: string | undefined,
  revision: number | undefined,
): List<ContentChange> {
  const load = useCallback(
    (signal?: AbortSignal, cursor?: string) => fetchHistory(workspace, path, cursor, signal),
    // oxlint-disable-next-line react/exhaustive-deps -- with another revision there is more to tell
    [workspace, path, revision],
  )
  return useList(load)
}
