import type { MeasuredPackage } from './record-batches.ts'

/** Which packages a feed has room for. */
export interface Shares {
  /** Before it is read. */
  isWanted(package_: MeasuredPackage): boolean
  /** Once it is spelled. Asked in the order of identifiers: the same packages always get the same room. */
  take(package_: { readonly identifier: string; readonly owner: string }, bytes: number): boolean
  readonly leftOut: readonly string[]
}

const MAX_ENTRY_BYTES = 256 * 1024
/** The database spells a little longer. */
const MAX_READ_BYTES = 2 * MAX_ENTRY_BYTES

/**
 * The installation's feed is everybody's: no package may take the room of many, and where there is not room for all, no
 * owner that of all others.
 */
export function createShares(scarceBytes: number = Number.POSITIVE_INFINITY): Shares {
  const leftOut: string[] = []
  const taken = new Map<string, number>()
  const leaveOut = (identifier: string) => {
    leftOut.push(identifier)
    return false
  }
  return {
    leftOut,
    isWanted: ({ identifier, bytes }) => bytes <= MAX_READ_BYTES || leaveOut(identifier),
    take({ identifier, owner }, bytes) {
      const total = (taken.get(owner) ?? 0) + bytes
      if (bytes > MAX_ENTRY_BYTES || total > scarceBytes / 4) return leaveOut(identifier)
      taken.set(owner, total)
      return true
    },
  }
}

/** An owner's own feed. */
export const ALL: Shares = { isWanted: () => true, take: () => true, leftOut: [] }
