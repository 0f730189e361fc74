import type { PanelShown, PanelStateOf, WorkspaceRef } from '@patchbay/contracts'
import type { Control } from './control/ports.ts'

/** A layout that somebody has read: of which workspace under this name, and which of its versions. */
export interface LayoutMark {
  readonly madeAt: Date
  readonly version: number
}

/** How long a caller waits to know that a browser shows it. */
const ACKNOWLEDGED_WITHIN_MS = 2_000

/**
 * Tells the browsers, and waits a moment for the one that acts. What is stored is so whatever comes of it: a caller that
 * were told of a failure would do again what has happened. It is told whether a browser shows it.
 */
export async function sendShown(
  control: Control,
  at: WorkspaceRef,
  shown: PanelStateOf,
): Promise<PanelShown> {
  const sent = control.send(
    at,
    { kind: 'show', ...shown },
    { deadlineMs: ACKNOWLEDGED_WITHIN_MS, canRepeat: true },
  )
  // Behind the command: the node of the browser that acts would otherwise read before it passes it on.
  setImmediate(() => control.notify(at))
  const outcome = await sent.then(
    (answer) => answer.outcome,
    () => 'lost',
  )
  if (outcome === 'done') return 'yes'
  return outcome === 'no_browser' ? 'nobody' : 'later'
}
