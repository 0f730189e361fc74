import { randomUUID } from 'node:crypto'

/** Time and randomness. Everything else takes them as an argument. */
export interface Surroundings {
  /** Wall time in milliseconds. */
  readonly now: () => number
  readonly randomUUID: () => string
  /** From 0 to 1. */
  readonly random: () => number
}

export const systemSurroundings: Surroundings = {
  now: () => Date.now(),
  randomUUID: () => randomUUID(),
  random: () => Math.random(),
}

/** For names of temporary files: two processes never have the same. */
export function createUniqueId(): string {
  return randomUUID()
}
