/** The states of a run are counted, not drawn: every process of a measurement can name them without being told. */
export function stateOf(batch: number, index: number): string {
  return `${batch.toString(16).padStart(8, '0')}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`
}

export function indexOf(state: string): number {
  return Number.parseInt(state.slice(-12), 16)
}

export function batchOf(state: string): number {
  return Number.parseInt(state.slice(0, 8), 16)
}

/** As long as the codes of large providers. */
export function codeOf(state: string): string {
  return `4/0A${state.replaceAll('-', '')}${'x'.repeat(36)}`
}

/** Which of the two nodes holds the socket of a state. */
export function homeOf(index: number): 0 | 1 {
  return index % 2 === 0 ? 0 : 1
}

/** `balanced`: half of the callbacks arrive at the node that holds the socket. `crossing`: none does. */
export type Doors = 'balanced' | 'crossing'

export function doorOf(index: number, doors: Doors): 0 | 1 {
  if (doors === 'crossing') return homeOf(index + 1)
  return homeOf(Math.floor(index / 2))
}
