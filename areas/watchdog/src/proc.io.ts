import { readFileSync } from 'node:fs'
import { isRunning, readProcessStat } from '@patchbay/primitives/process'
import { isOrdinaryPid, type Sighting } from './identity.ts'

/** The variable by which a gateway is told who it is. It shows the value as `instance` in `/health`. */
export const INSTANCE_VARIABLE = 'PATCHBAY_GATEWAY_INSTANCE'

/** What the system shows of a process. Without `/proc` only whether the pid is in use. */
export function look(pid: number): Sighting {
  const stat = readProcessStat(pid)
  if (stat === undefined)
    return { alive: isOrdinaryPid(pid) && isRunning(pid), startTime: null, instance: 'unknown' }
  return { alive: !stat.hasEnded, startTime: stat.started, instance: readInstance(pid) }
}

/** Whether the process leads a group of its own, so that a signal to the group reaches nobody else. */
export function leadsItsGroup(pid: number): boolean {
  return readProcessStat(pid)?.group === pid
}

function readInstance(pid: number): Sighting['instance'] {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    const entry = entries.find((one) => one.startsWith(`${INSTANCE_VARIABLE}=`))
    return entry === undefined ? 'none' : { id: entry.slice(INSTANCE_VARIABLE.length + 1) }
  } catch {
    return 'unknown'
  }
}
