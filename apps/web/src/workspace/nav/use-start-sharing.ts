import { notify } from '../../components/toast.tsx'
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
      log.add({ source: 'workspace', level: 'warn', text: `Sharing did not start: ${String(error)}` })
      notify({ title: 'Sharing was not allowed by the browser', tone: 'warning' })
    })
  }
}
