import type { WatchdogStatus } from '@patchbay/contracts/gateway'
import { askHealth } from './health.io.ts'
import { findingOf } from './health.ts'
import { identify } from './identity.ts'
import { describeListener } from './listener.io.ts'
import { look } from './proc.io.ts'
import type { StateFolder } from './state-folder.io.ts'
import type { Finding } from './supervision.ts'

export interface Examination {
  readonly finding: Finding
  /** What became of the gateway in the pid file, if there was one. */
  readonly orphan: WatchdogStatus['orphan']
}

/** Who is at the gateway's place before one is started: nobody, ours of an earlier watchdog, or a stranger. */
export async function examine(
  folder: Pick<StateFolder, 'readPidFile'>,
  gatewayUrl: string,
  timeoutMs: number,
): Promise<Examination> {
  const answer = await askHealth(gatewayUrl, timeoutMs)
  const fromOutside = () =>
    findingOf(answer, gatewayUrl, answer.kind === 'nobody' ? undefined : describeListener(gatewayUrl))
  const record = folder.readPidFile()
  if (record === 'none') return { finding: fromOutside(), orphan: null }
  if (record === 'damaged') {
    const reason = 'The pid file is damaged, so no process can be recognized by it.'
    return { finding: fromOutside(), orphan: { pid: null, outcome: 'refused', reason } }
  }
  const { pid } = record
  const identity = identify(record, look(pid), answer.kind === 'answered' ? answer.instance : undefined)
  if (identity.verdict === 'ours') {
    const reason = 'It is alive, started when the pid file says, and knows its instance id.'
    return { finding: { kind: 'ours', record }, orphan: { pid, outcome: 'adopted', reason } }
  }
  const { verdict, reason } = identity
  return verdict === 'gone'
    ? { finding: fromOutside(), orphan: { pid, outcome: 'gone', reason } }
    : { finding: { kind: 'unproven', reason }, orphan: { pid, outcome: 'refused', reason } }
}
