import { Problem } from '@patchbay/contracts/core'
import { deleteSession } from '@patchbay/contracts/identity'
import { type Action, useAction } from '../server/use-action.ts'
import { forgetBoards } from './kept-boards.ts'
import { useSession } from './session-context.tsx'

/** Ends the session of this browser. */
export function useSignOut(): Action<[]> {
  const { change, refresh } = useSession()
  return useAction(async () => {
    try {
      await change(deleteSession, {})
    } catch (error) {
      // It has ended already, which is what was wanted.
      if (!(error instanceof Problem && error.code === 'sign_in_required')) throw error
    }
    forgetBoards()
    await refresh()
  })
}
