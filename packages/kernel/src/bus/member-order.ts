import type { Member } from './ports.ts'

/** A room reads the same on every node and in every implementation. */
export function compareMembers(a: Member, b: Member): number {
  return compare(a.id, b.id) || compare(a.node, b.node)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
