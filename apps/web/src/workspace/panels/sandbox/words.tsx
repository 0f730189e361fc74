import type { ReactNode } from 'react'

/** What the panel of a sandbox says. */
export const words = {
  ready: 'Ready',
  starting: 'Starting',
  noNetwork: 'No network',
  network: (origins: readonly string[]) => `May reach ${origins.join(', ')}`,
  purpose: 'Shows what scripts and agents run here',
  restart: 'Restart',
  hideBar: 'Hide this bar',
  showBar: 'Show the bar',
  frame: 'What code shows',
  lastRun: {
    failed: 'The code failed',
    notKept: 'What code drew here is not kept',
    restarted: 'The sandbox was restarted',
    by: (name: ReactNode, handle: string, when: ReactNode) => (
      <>
        Last code from {name} ({handle}), {when}.
      </>
    ),
    tooLong: ' It was too long to keep: send it again.',
    show: 'Show the code',
    again: 'Run again',
    noReason: 'No reason given.',
  },
  /** For whoever sent the command. */
  waiting: {
    tooMany: 'too many wait for this panel',
    late: (revision: number) => `revision ${revision} did not come in time`,
  },
}
