import { useCallback } from 'react'
import { useSession } from '../session/session-context.tsx'
import { useLoaded } from '../session/use-loaded.ts'
import { fetchRoleIn } from './packages.api.ts'

/** What the signed-in person may do with everything of an owner. The server decides; this shows what makes sense. */
export type OwnerAccess = 'unknown' | 'none' | 'read' | 'write'

export function useOwnerAccess(owner: string): OwnerAccess {
  const { session } = useSession()
  const handle = session.state === 'known' ? session.person?.handle : undefined
  const load = useCallback(
    async (signal: AbortSignal) => ({
      handle,
      owner,
      role: handle === undefined || handle === owner ? undefined : await fetchRoleIn(owner, signal),
    }),
    [handle, owner],
  )
  const { answer } = useLoaded(load)
  if (session.state === 'loading') return 'unknown'
  if (handle === undefined) return 'none'
  if (handle === owner) return 'write'
  // Whoever cannot be told from a stranger is shown what strangers see.
  if (answer.state === 'failed') return 'none'
  if (answer.state === 'loading' || answer.value.handle !== handle || answer.value.owner !== owner)
    return 'unknown'
  if (answer.value.role === undefined) return 'none'
  return answer.value.role === 'member' ? 'read' : 'write'
}
