import { readdirSync, readFileSync } from 'node:fs'

/** The processes that were started from here and decode pictures. */
export function decoders(): number[] {
  return readdirSync(`/proc/${process.pid}/task`)
    .flatMap((task) => textOf(`/proc/${process.pid}/task/${task}/children`).split(' '))
    .filter((pid) => pid !== '')
    .map(Number)
    .filter(isRunning)
}

export function isRunning(pid: number): boolean {
  return textOf(`/proc/${pid}/cmdline`).includes('picture-process')
}

/** The most memory that a process ever held, in MiB. */
export function peakOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
}

/** Empty for a process that has ended meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
