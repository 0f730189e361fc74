import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { unlessFailed } from '../files/file-system.ts'

/** A process, told apart from all that had or will have the same number. */
export interface ProcessIdentity {
  /** Processes of two machines, boots or containers cannot see each other. */
  readonly machine: string
  readonly pid: number
  /** When the process started, in the kernel's ticks; empty where that cannot be learned. */
  readonly started: string
}

/** `unknown` when this process cannot see the other one. */
export type Liveness = 'alive' | 'gone' | 'unknown'

export async function describeThisProcess(): Promise<ProcessIdentity> {
  const { pid } = process
  const started = (await readStat(pid))?.started
  const boot = await read(readFile('/proc/sys/kernel/random/boot_id', 'utf8'))
  const space = await read(readlink('/proc/self/ns/pid'))
  if (started === undefined || boot === undefined || space === undefined) {
    return { machine: hostname(), pid, started: '' }
  }
  return { machine: `${boot.trim()} ${space}`, pid, started }
}

export async function livenessOf(other: ProcessIdentity, self: ProcessIdentity): Promise<Liveness> {
  if (other.machine !== self.machine) return 'unknown'
  if (self.started === '') return answersSignals(other.pid) ? 'unknown' : 'gone'
  const stat = await readStat(other.pid)
  // A killed process keeps its number until its parent has taken notice, which some containers' never do.
  if (stat === undefined || stat.state === 'Z' || stat.state === 'X') return 'gone'
  return stat.started === other.started ? 'alive' : 'gone'
}

async function readStat(pid: number): Promise<{ state: string; started: string } | undefined> {
  const text = await read(readFile(`/proc/${pid}/stat`, 'utf8'))
  // The second field is the program's name, which may hold spaces and brackets of its own.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, started] = [fields?.[0], fields?.[19]]
  return state === undefined || started === undefined ? undefined : { state, started }
}

function read<T>(call: Promise<T>): Promise<T | undefined> {
  return unlessFailed(call, 'ENOENT', 'ENOTDIR', 'ESRCH', 'EACCES', 'EPERM', 'EINVAL')
}

/** The number may have gone to another process meanwhile, so `true` proves nothing. */
function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
