import { notify } from '../../components/toast.tsx'
import { words } from '../words.tsx'
import { useWorkspaceSession } from '../workspace-context.ts'

export type Shared = 'workspace' | 'screen'

/** To be called for a press: the browser asks the person then. */
export function useStartSharing(): (what: Shared) => void {
  const { capturer, screenFor, log } = useWorkspaceSession()
  return (what) => {
    const start = async () => {
      await capturer.start(what)
      if (what === 'screen') screenFor.set('everyone')
    }
    start().catch((error: unknown) => {
      log.add({ source: 'workspace', level: 'warn', text: words.log.noSharing(String(error)) })
      notify({ title: words.sharing.refused, tone: 'warning' })
    })
  }
}
