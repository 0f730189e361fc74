import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/**
 * A postmaster and its backends. Each backend leads a process group of its own, so a signal to the postmaster's
 * group reaches none of them: they are found by their parent.
 */
export function childrenOf(parent: number): number[] {
  return listProcesses()
    .filter((entry) => entry.parent === parent)
    .map((entry) => entry.pid)
}

/** Stops the whole family: first the postmaster, so that no backend is born while the others are being stopped. */
export function pauseFamily(postmaster: number): void {
  send(postmaster, 'SIGSTOP')
  for (const pid of childrenOf(postmaster)) send(pid, 'SIGSTOP')
}

export function resumeFamily(postmaster: number): void {
  for (const pid of childrenOf(postmaster)) send(pid, 'SIGCONT')
  send(postmaster, 'SIGCONT')
}

/** Kills the whole family at once; answers who was in it. A backend left behind would keep the data folder locked. */
export function killFamily(postmaster: number): number[] {
  send(postmaster, 'SIGSTOP')
  const family = [postmaster, ...childrenOf(postmaster)]
  for (const pid of family) send(pid, 'SIGKILL')
  return family
}

/** A zombie counts as gone: in a container nobody may ever collect it. */
export function isRunning(pid: number): boolean {
  const entry = process.platform === 'linux' ? readStat(pid) : listByPs().find((each) => each.pid === pid)
  return entry !== undefined && entry.state !== 'Z'
}

interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly state: string
}

function send(pid: number, signal: NodeJS.Signals): void {
  // 0 and negative numbers address groups of processes that are not ours; 1 is the machine's own.
  if (!(pid > 1)) throw new Error(`no process to signal: ${pid}`)
  try {
    process.kill(pid, signal)
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    if (!isGone) throw error
  }
}

function listProcesses(): ProcessEntry[] {
  if (process.platform !== 'linux') return listByPs()
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? [])
}

function readStat(pid: number): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command's name may hold spaces and brackets; what follows its last bracket does not.
    const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { pid, parent: Number(parent), state }
  } catch {
    return undefined
  }
}

function listByPs(): ProcessEntry[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,state='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [pid, parent, state] = line.trim().split(/\s+/)
      return state === undefined
        ? []
        : [{ pid: Number(pid), parent: Number(parent), state: state.slice(0, 1) }]
    })
}
