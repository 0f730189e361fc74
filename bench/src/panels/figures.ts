import type { MemorySizes, SocketMemoryRounds } from './socket-memory.ts'
import type { Trips, TripSizes } from './round-trips.ts'

export interface PanelSizes {
  readonly trips: TripSizes
  readonly memory: MemorySizes
}

/** Everything that one run has measured. */
export interface PanelFigures {
  readonly trips: Trips
  readonly memory: SocketMemoryRounds
  readonly sizes: PanelSizes
}

/** The median of a round trip, against the prototype. */
export const GOALS = { p50: 2 }
