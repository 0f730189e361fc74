import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** A process, told apart from all that had or will have the same number. */
export interface ProcessIdentity {
  readonly pid: number
  readonly host: string
  /** Processes of two machines, boots or containers cannot see each other. */
  readonly machine: string
  /** Of the installed system, over all its boots; empty where that cannot be learned. */
  readonly machineId: string
  /** When the process started, in the kernel's ticks; empty where that cannot be learned. */
  readonly started: string
}

/** `unknown` when this process cannot see the other one. */
export type Liveness = 'alive' | 'gone' | 'unknown'

/** What `/proc` shows of a process, as far as anybody here needs it. */
export interface ProcessStat {
  /** One that has ended but was not collected keeps its number, and takes signals without effect. */
  readonly hasEnded: boolean
  readonly group: number
  readonly started: string
  /** CPU time, of all threads, in the kernel's ticks: 100 in a second. */
  readonly cpuTicks: number
  /** The same of children that have ended. */
  readonly endedChildrenCpuTicks: number
}

/** `undefined` when there is no such process, it is hidden from this user, or the system has no `/proc`. */
export function readProcessStat(pid: number): ProcessStat | undefined {
  const text = readOrNothing(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  if (text === undefined) return undefined
  // The second field is the program's name, which may hold spaces and brackets of its own.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, started] = [fields[0], fields[19]]
  if (state === undefined || started === undefined) return undefined
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number)
  return {
    hasEnded: ['Z', 'X', 'x'].includes(state),
    group: Number(fields[2]),
    started,
    cpuTicks: (user ?? 0) + (system ?? 0),
    endedChildrenCpuTicks: (childrenUser ?? 0) + (childrenSystem ?? 0),
  }
}

/** Whether some process has this number, which may not be the one that had it before. */
export function isRunning(pid: number): boolean {
  const stat = readProcessStat(pid)
  return stat === undefined ? answersSignals(pid) : !stat.hasEnded
}

export function describeThisProcess(): ProcessIdentity {
  const { pid } = process
  const host = hostname()
  const machineId = readOrNothing(() => readFileSync('/etc/machine-id', 'utf8'))?.trim() ?? ''
  const started = readProcessStat(pid)?.started
  const boot = readOrNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))?.trim()
  const space = readOrNothing(() => readlinkSync('/proc/self/ns/pid'))
  if (started === undefined || boot === undefined || space === undefined)
    return { pid, host, machine: host, machineId, started: '' }
  return { pid, host, machine: `${boot} ${space}`, machineId, started }
}

/** `self`: as `describeThisProcess` has it. */
export function livenessOf(
  other: ProcessIdentity,
  self: ProcessIdentity,
  readStat: typeof readProcessStat = readProcessStat,
): Liveness {
  if (other.machine !== self.machine) return wasBeforeBoot(other, self) ? 'gone' : 'unknown'
  const stat = self.started === '' ? undefined : readStat(other.pid)
  // Some systems show no processes of other users, others none at all, and the number may be another's by now.
  if (stat === undefined) return answersSignals(other.pid) ? 'unknown' : 'gone'
  return !stat.hasEnded && stat.started === other.started ? 'alive' : 'gone'
}

/**
 * Somebody pulled the plug: the machine is the same, and of what ran before its start nothing runs anymore. The name
 * alone proves nothing: there are many machines named `localhost`, and some share a disk.
 */
function wasBeforeBoot(other: ProcessIdentity, self: ProcessIdentity): boolean {
  const [[boot], [ownBoot]] = [other.machine.split(' '), self.machine.split(' ')]
  const isSameMachine =
    self.machineId !== '' && other.machineId === self.machineId && other.host === self.host
  return isSameMachine && self.started !== '' && other.started !== '' && boot !== ownBoot
}

function answersSignals(pid: number): boolean {
  // 0 and negative numbers are those of groups.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process may not be signaled, but it is there.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

function readOrNothing(read: () => string): string | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
