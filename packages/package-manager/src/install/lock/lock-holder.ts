import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'

/** A process, told apart from all that had or will have the same number. */
export interface LockHolder {
  /** Of one claim; a process makes many. */
  readonly id: string
  readonly pid: number
  readonly host: string
  /** Processes of two machines, boots or containers cannot see each other. */
  readonly machine: string
  /** Of the installed system, over all its boots; empty where that cannot be learned. */
  readonly machineId: string
  /** When the process started, in the kernel's ticks; empty where that cannot be learned. */
  readonly started: string
  /** When it took the lock; ISO 8601. */
  readonly since: string
}

/** `unknown` when this process cannot see the other one. */
export type Liveness = 'alive' | 'gone' | 'unknown'

export async function describeSelf(id: string, since: string): Promise<LockHolder> {
  const { pid } = process
  const host = hostname()
  const machineId = (await tryRead(readFile('/etc/machine-id', 'utf8')))?.trim() ?? ''
  const started = (await readStat(pid))?.started
  const boot = await tryRead(readFile('/proc/sys/kernel/random/boot_id', 'utf8'))
  const space = await tryRead(readlink('/proc/self/ns/pid'))
  if (started === undefined || boot === undefined || space === undefined)
    return { id, pid, host, machine: host, machineId, started: '', since }
  return { id, pid, host, machine: `${boot.trim()} ${space}`, machineId, started, since }
}

/** `read`: what the system shows of a process, if anything. */
export async function livenessOf(
  holder: LockHolder,
  self: LockHolder,
  read: typeof readStat = readStat,
): Promise<Liveness> {
  if (holder.machine !== self.machine) return wasBeforeBoot(holder, self) ? 'gone' : 'unknown'
  if (self.started === '') return answersSignals(holder.pid) ? 'alive' : 'gone'
  const stat = await read(holder.pid)
  // A killed process keeps its number until its parent has taken notice, which some containers' never do.
  if (stat?.state === 'Z' || stat?.state === 'X') return 'gone'
  // Some systems show no processes of other users.
  if (stat === undefined) return answersSignals(holder.pid) ? 'alive' : 'gone'
  return stat.started === holder.started ? 'alive' : 'gone'
}

/**
 * Somebody pulled the plug: the machine is the same, and of what ran before its start nothing runs any more. The name
 * alone proves nothing: there are many machines named `localhost`, and some share a disk.
 */
function wasBeforeBoot(holder: LockHolder, self: LockHolder): boolean {
  const [[boot], [ownBoot]] = [holder.machine.split(' '), self.machine.split(' ')]
  const isSameMachine = self.machineId !== '' && holder.machineId === self.machineId
  return (
    isSameMachine &&
    holder.host === self.host &&
    self.started !== '' &&
    holder.started !== '' &&
    boot !== ownBoot
  )
}

export function parseHolder(text: string): LockHolder | undefined {
  try {
    const { id, pid, host, machine, machineId = '', started, since }: LockHolder = JSON.parse(text)
    const texts = [host, machine, machineId, started, since]
    // The id becomes part of a path, so it is checked before it is believed.
    if (!/^[0-9a-f-]{36}$/.test(id) || !Number.isSafeInteger(pid)) return undefined
    return texts.every((each) => typeof each === 'string')
      ? { id, pid, host, machine, machineId, started, since }
      : undefined
  } catch {
    return undefined
  }
}

async function readStat(pid: number): Promise<{ state: string; started: string } | undefined> {
  const text = await tryRead(readFile(`/proc/${pid}/stat`, 'utf8'))
  // The second field is the program's name, which may hold spaces and brackets of its own.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, started] = [fields?.[0], fields?.[19]]
  return state === undefined || started === undefined ? undefined : { state, started }
}

function tryRead(call: Promise<string>): Promise<string | undefined> {
  return call.catch(() => undefined)
}

/** The number may have gone to another process meanwhile; then somebody waits in vain, which harms nothing. */
function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
