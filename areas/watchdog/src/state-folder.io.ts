import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '@patchbay/kernel/log'
import { acquireLock, type FileLock, writeAtomicallySync } from '@patchbay/primitives/files'
import type { ProcessRecord } from './identity.ts'
import { parseMemory, parseRecord } from './record.ts'
import type { Memory } from './supervision.ts'

/** What the watchdog keeps on disk. A disk that fails is logged and never ends the watchdog. */
export interface StateFolder {
  readonly errorsFile: string
  /** `damaged` when there is a pid file that says nothing usable. */
  readPidFile(): ProcessRecord | 'none' | 'damaged'
  writePidFile(record: ProcessRecord): void
  removePidFile(): void
  readMemory(): Memory | undefined
  writeMemory(memory: Memory): void
}

/** Another watchdog has this state folder. Two would start two gateways and fight over them. */
export class StateFolderTaken extends Error {
  override readonly name = 'StateFolderTaken'
}

/** A container that was killed and started again finds the lock of a process that it cannot see, and waits so long. */
const SILENCE_MS = 5_000

/** Takes the state folder for this process. */
export async function lockStateFolder(
  folder: string,
  deps: { readonly createId: () => string; readonly now: () => number },
): Promise<FileLock> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return await acquireLock(join(folder, 'watchdog.lock'), {
    ...deps,
    patienceMs: 0,
    silenceMs: SILENCE_MS,
    busy(holder) {
      const who = holder === undefined ? 'Another watchdog' : `Another watchdog (process ${holder.pid})`
      return new StateFolderTaken(
        `${who} uses the state folder ${folder}. Stop it, or give this one another folder.`,
      )
    },
  })
}

export function openStateFolder(folder: string, log: Log): StateFolder {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pidFile = join(folder, 'gateway.pid.json')
  const memoryFile = join(folder, 'state.json')
  const attempt = (what: string, act: () => void) => {
    try {
      act()
    } catch (error) {
      log.error({ err: error }, what)
    }
  }
  return {
    errorsFile: join(folder, 'gateway.stderr'),
    readPidFile() {
      try {
        const content = readJson(pidFile)
        return content === undefined ? 'none' : (parseRecord(content) ?? 'damaged')
      } catch (error) {
        log.error({ err: error }, 'failed to read the pid file')
        return 'damaged'
      }
    },
    writePidFile(record) {
      attempt('the pid file cannot be written', () => replaceFile(pidFile, record))
    },
    removePidFile() {
      attempt('the pid file cannot be removed', () => rmSync(pidFile, { force: true }))
    },
    readMemory() {
      let content: unknown
      try {
        content = readJson(memoryFile)
        if (content === undefined) return undefined
      } catch (error) {
        log.error({ err: error }, 'failed to read the state file')
      }
      const memory = parseMemory(content)
      if (memory === undefined) {
        log.error({ file: memoryFile }, 'state file is corrupt; kept aside, starting with a new one')
        attempt('the damaged state file cannot be kept', () =>
          renameSync(memoryFile, `${memoryFile}.damaged`),
        )
      }
      return memory
    },
    writeMemory(memory) {
      attempt('the state file cannot be written', () => replaceFile(memoryFile, memory))
    },
  }
}

/** Synchronous, because a gateway whose pid is not written down yet would be a stranger to the next watchdog. */
function replaceFile(path: string, content: unknown): void {
  writeAtomicallySync(path, `${JSON.stringify(content, null, 2)}\n`)
}

/** The parsed content; `undefined` when there is no such file. Throws when it cannot be read or is no JSON. */
function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
