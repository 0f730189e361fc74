import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { isId } from './layout.ts'

/** A process, told apart from all that had or will have the same number. */
export interface LockHolder {
  /** Of this hold. */
  readonly id: string
  readonly pid: number
  /** When the process started, in whatever unit the system has. */
  readonly started: string
  readonly host: string
  /** Of the machine's start, and of the numbers that processes have in one container; empty where that is unknown. */
  readonly boot: string
  readonly space: string
  /** ISO 8601. */
  readonly since: string
}

/** `unknown` when this process cannot see the other one. */
export type Liveness = 'alive' | 'gone' | 'unknown'

export async function describeSelf(id: string, since: string): Promise<LockHolder> {
  // It becomes part of a path that is deleted in the end.
  if (!isId(id)) throw new TypeError('this is no id of a lock')
  const { pid } = process
  const [stat, boot, space] = await Promise.all([
    readStat(pid),
    tryRead(readFile('/proc/sys/kernel/random/boot_id', 'utf8')),
    tryRead(readlink('/proc/self/ns/pid')),
  ])
  const started = stat?.started ?? String(performance.timeOrigin)
  return { id, pid, started, host: hostname(), boot: boot?.trim() ?? '', space: space ?? '', since }
}

export async function livenessOf(holder: LockHolder, self: LockHolder): Promise<Liveness> {
  if (holder.host !== self.host) return 'unknown'
  // Of what ran before this machine was started nothing runs any more.
  if (holder.boot !== self.boot) return holder.boot !== '' && self.boot !== '' ? 'gone' : 'unknown'
  if (holder.space !== self.space) return 'unknown'
  if (holder.pid === self.pid) return holder.started === self.started ? 'alive' : 'gone'
  const stat = await readStat(holder.pid)
  if (stat === undefined) return answersSignals(holder.pid) ? 'alive' : 'gone'
  // A killed process keeps its number until its parent has taken notice, which some never do.
  if (stat.state === 'Z' || stat.state === 'X') return 'gone'
  return stat.started === holder.started ? 'alive' : 'gone'
}

/** `undefined` for what is no holder, or the sign that one has let go. */
export function parseHolder(text: string): LockHolder | undefined {
  try {
    const { id, pid, started, host, boot, space, since }: LockHolder = JSON.parse(text)
    const isHolder =
      Number.isSafeInteger(pid) &&
      pid > 0 &&
      [id, started, host, boot, space, since].every((each) => typeof each === 'string')
    return isHolder ? { id, pid, started, host, boot, space, since } : undefined
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

/** The number may have gone to another process meanwhile; then somebody is refused in vain, and is told what to delete. */
function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
