import type { Holder, NodeId, Resumed, Whereabouts } from './ports.ts'

/**
 * What stands under a directory key, as the scripts read and write it: `end node epoch` or `end node epoch seal` for
 * a claim, `end seal` for a suspended one, `end` for a tombstone. Ends are base 36.
 */
export function formatClaim(node: NodeId, epoch: string, seal: string | undefined): string {
  return seal === undefined ? `${node} ${epoch}` : `${node} ${epoch} ${seal}`
}

/** `node epoch`, as `take` answers. */
export function readHolder(taken: unknown): Holder | undefined {
  if (typeof taken !== 'string') return undefined
  const space = taken.indexOf(' ')
  return { node: taken.slice(0, space), epoch: taken.slice(space + 1) }
}

/** `end` or `end node epoch`, as `resume` answers. */
export function readResumed(answer: unknown): Resumed | undefined {
  if (typeof answer !== 'string') return undefined
  const space = answer.indexOf(' ')
  if (space === -1) return { expiresAt: Number.parseInt(answer, 36), previous: undefined }
  const expiresAt = Number.parseInt(answer.slice(0, space), 36)
  return { expiresAt, previous: readHolder(answer.slice(space + 1)) }
}

export function readWhereabouts(stored: string, now: number): Whereabouts {
  const [end = '', node, epoch] = stored.split(' ')
  if (node === undefined || Number.parseInt(end, 36) <= now) return undefined
  return epoch === undefined ? 'suspended' : { node, epoch }
}

/** What the script `take` wants to know: now, the tombstone's end, its lifetime. */
export type Taking = readonly [now: number, tombstoneEnd: string, tombstoneMs: number]
