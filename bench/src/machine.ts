import { cpus, totalmem } from 'node:os'

/** Absolute numbers mean nothing without it; ratios travel better. */
export function describeMachine(): string {
  const cores = cpus()
  const memory = Math.round(totalmem() / 1024 ** 3)
  const date = new Date().toISOString().slice(0, 10)
  return `Measured on ${date}: ${cores.length} cores (${cores[0]?.model ?? 'unknown'}), ${memory} GiB, Node ${process.versions.node}.`
}
