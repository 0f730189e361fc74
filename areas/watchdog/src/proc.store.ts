import { readFileSync } from 'node:fs'
import { isOrdinaryPid, type Sighting } from './identity.ts'

/** The variable by which a gateway is told who it is. It shows the value as `instance` in `/health`. */
export const INSTANCE_VARIABLE = 'PATCHBAY_GATEWAY_INSTANCE'

const DEAD_STATES = new Set(['Z', 'X', 'x'])

interface ProcStat {
  readonly state: string
  readonly group: number
  readonly startTime: string
}

/** What the system shows of a process. Without `/proc` only whether the pid is in use. */
export function look(pid: number): Sighting {
  const stat = readStat(pid)
  if (stat === undefined) return { alive: pidIsUsed(pid), startTime: null, instance: 'unknown' }
  // A process that has ended but was not collected keeps its pid and takes signals without any effect.
  return { alive: !DEAD_STATES.has(stat.state), startTime: stat.startTime, instance: readInstance(pid) }
}

/** Whether the process leads a group of its own, so that a signal to the group reaches nobody else. */
export function leadsItsGroup(pid: number): boolean {
  return readStat(pid)?.group === pid
}

function readStat(pid: number): ProcStat | undefined {
  const text = readOrNothing(`/proc/${pid}/stat`)
  if (text === undefined) return undefined
  // The name stands in parentheses and may hold spaces and parentheses itself.
  const [state, , group, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const startTime = rest[16]
  return state === undefined || startTime === undefined
    ? undefined
    : { state, group: Number(group), startTime }
}

function readInstance(pid: number): Sighting['instance'] {
  const text = readOrNothing(`/proc/${pid}/environ`)
  if (text === undefined) return 'unknown'
  const entry = text.split('\0').find((one) => one.startsWith(`${INSTANCE_VARIABLE}=`))
  return entry === undefined ? 'none' : { id: entry.slice(INSTANCE_VARIABLE.length + 1) }
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function pidIsUsed(pid: number): boolean {
  if (!isOrdinaryPid(pid)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process may not be signalled, but it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
