import type { BrowserCommand } from '@patchbay/contracts/panels'
import { type Metrics, observeGauge, tally } from '@patchbay/kernel/metrics'
import type { CommandOutcome } from '../control.ts'

export type CommandMetrics = (kind: BrowserCommand['kind'], outcome: CommandOutcome['outcome']) => void

export interface Holding {
  readonly connections: number
  readonly workspaces: number
  readonly commands: number
}

const KINDS: readonly BrowserCommand['kind'][] = ['show', 'eval', 'screenshot']
const OUTCOMES: readonly CommandOutcome['outcome'][] = ['done', 'failed', 'no_browser', 'timeout', 'lost']

/** What an operator watches. Labels are closed sets: nothing that a browser sent can become one. */
export function controlMetrics(metrics: Metrics, holding: () => Holding): CommandMetrics {
  observeGauge(metrics, {
    name: 'patchbay_panels_held',
    help: 'What this node holds open right now',
    label: 'what',
    read: () => ({ ...holding() }),
  })
  const count = tally(metrics, {
    name: 'patchbay_panels_commands_total',
    help: 'Commands to browsers by their kind and what became of them',
    label: 'command',
    values: KINDS.flatMap((kind) => OUTCOMES.map((outcome) => `${kind} ${outcome}` as const)),
  })
  return (kind, outcome) => count(`${kind} ${outcome}`)
}
