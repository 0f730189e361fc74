import { words } from './words.ts'

/** A sandbox of this page, as the others see it. */
export interface Neighbor {
  /** Whether its frame answers in time. */
  answers(withinMs: number): Promise<boolean>
  /** Takes its frame out of the page. */
  close(why: string): void
  open(): void
}

const neighbors = new Set<Neighbor>()
const ANSWER_MS = 1_000

export function join(neighbor: Neighbor): () => void {
  neighbors.add(neighbor)
  return () => void neighbors.delete(neighbor)
}

/**
 * Makes a hung frame anew. A browser may run all sandboxes of a page in one process: as long as any of its frames is there,
 * so is the code that hangs, and a new frame would come to wait behind it. So all that do not answer go before one comes.
 */
export async function reopenHung(hung: Neighbor, why: string): Promise<void> {
  hung.close(why)
  const others = [...neighbors].filter((neighbor) => neighbor !== hung)
  const answers = await Promise.all(others.map((other) => other.answers(ANSWER_MS)))
  const stuck = others.filter((_, index) => answers[index] === false)
  for (const other of stuck) other.close(words.hung)
  for (const neighbor of [hung, ...stuck]) neighbor.open()
}
