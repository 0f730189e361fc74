import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '@patchbay/kernel/log'
import { readJson, replaceFile } from './atomic-file.store.ts'
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
        log.error({ err: error }, 'the pid file cannot be read')
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
        log.error({ err: error }, 'the state file cannot be read')
      }
      const memory = parseMemory(content)
      if (memory === undefined) {
        log.error({ file: memoryFile }, 'the state file is damaged; it is kept aside and a new one begun')
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
