import { linkSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, replaceFile } from './atomic-file.store.ts'
import { look } from './proc.store.ts'

const NAME = /^watchdog\.lock\.(\d+)$/

/** Another watchdog has this state folder. Two would start two gateways and fight over them. */
export class StateFolderTaken extends Error {
  override readonly name = 'StateFolderTaken'
}

export interface Lock {
  release(): void
}

interface Holder {
  readonly pid: number
  readonly startTime: string | null
}

const NOBODY: Holder = { pid: 0, startTime: null }

/**
 * Takes the state folder for this process. Each lock file has a number and the highest one counts: whoever finds its
 * holder dead makes the next number, and of two that try at once one fails, because a number is made only once.
 */
export function lockStateFolder(folder: string, pid: number): Lock {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pathOf = (number: number) => join(folder, `watchdog.lock.${number}`)
  const before = highest(folder)
  const holder = before === 0 ? undefined : readHolder(pathOf(before))
  if (holder !== undefined && holds(holder, pid)) throw taken(folder, holder.pid)

  const mine = pathOf(before + 1)
  const draft = join(folder, `watchdog.lock.draft-${pid}`)
  writeFileSync(draft, JSON.stringify({ pid, startTime: look(pid).startTime }), { mode: 0o600 })
  try {
    // The file appears with its content or not at all.
    linkSync(draft, mine)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw taken(folder, undefined)
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
  if (highest(folder) > before + 1) {
    rmSync(mine, { force: true })
    throw taken(folder, undefined)
  }
  for (const number of numbers(folder)) if (number <= before) rmSync(pathOf(number), { force: true })
  // Kept, with nobody in it: if numbers began anew, one that was slow to look could take a number that is in use.
  return { release: () => replaceFile(mine, NOBODY) }
}

function numbers(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => {
    const number = NAME.exec(name)?.[1]
    return number === undefined ? [] : [Number(number)]
  })
}

function highest(folder: string): number {
  return Math.max(0, ...numbers(folder))
}

function readHolder(path: string): Holder | undefined {
  try {
    const { pid, startTime } = readJson(path) as { pid?: unknown; startTime?: unknown }
    if (typeof pid !== 'number') return undefined
    return { pid, startTime: typeof startTime === 'string' ? startTime : null }
  } catch {
    return undefined
  }
}

function holds({ pid, startTime }: Holder, own: number): boolean {
  const seen = look(pid)
  // In a container every run may have the same pid; without start times it can then only be our own.
  if (pid === own && startTime === null) return false
  return seen.alive && (startTime === null || seen.startTime === null || seen.startTime === startTime)
}

function taken(folder: string, pid: number | undefined): StateFolderTaken {
  const who = pid === undefined ? 'Another watchdog' : `Another watchdog (process ${pid})`
  return new StateFolderTaken(
    `${who} uses the state folder ${folder}. Stop it, or give this one another folder.`,
  )
}
