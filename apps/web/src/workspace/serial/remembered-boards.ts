import { DEVICE_NAME_PATTERN } from '@patchbay/contracts/devices'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { PortKind } from './web-serial.ts'

export interface RememberedBoard {
  readonly name: string
  readonly speed: number
  readonly kind: PortKind
}

export interface BoardMemory {
  read(): readonly RememberedBoard[]
  write(boards: readonly RememberedBoard[]): void
}

export const MOST_BOARDS = 16
const FASTEST = 4_000_000
const isName = new RegExp(DEVICE_NAME_PATTERN)

export function createBoardMemory({ owner, repo }: WorkspaceRef): BoardMemory {
  const key = `patchbay.boards:${owner}/${repo}`
  return {
    read() {
      try {
        const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
        return Array.isArray(stored) ? stored.filter(isBoard).slice(0, MOST_BOARDS) : []
      } catch {
        return []
      }
    },
    write(boards) {
      try {
        if (boards.length === 0) localStorage.removeItem(key)
        else localStorage.setItem(key, JSON.stringify(boards))
      } catch {
        // Refused: then boards are to be named again after a reload.
      }
    },
  }
}

/** Somebody may have edited it, or a later version written it. */
function isBoard(given: unknown): given is RememberedBoard {
  if (typeof given !== 'object' || given === null) return false
  const { name, speed, kind } = given as Partial<Record<string, unknown>>
  if (typeof name !== 'string' || !isName.test(name)) return false
  if (!Number.isInteger(speed) || Number(speed) < 1 || Number(speed) > FASTEST) return false
  return typeof kind === 'object' && kind !== null && Object.values(kind).every(Number.isInteger)
}
