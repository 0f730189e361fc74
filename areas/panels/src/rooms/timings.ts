export interface ControlTimings {
  /** How long a connection may have no workspace. */
  readonly openWithinMs: number
  /** How long a browser may take to say that it has a command. */
  readonly takenWithinMs: number
  /** What a lost wake-up costs. */
  readonly sweepMs: number
  /** How often the session and rights of each connection are looked at. */
  readonly recheckMs: number
  /** How often a node asks the others whether they are there, and how long it waits for the answer. */
  readonly pingMs: number
  readonly pingWithinMs: number
}

export const CONTROL_TIMINGS: ControlTimings = {
  openWithinMs: 10_000,
  takenWithinMs: 1_000,
  sweepMs: 5_000,
  recheckMs: 30_000,
  pingMs: 300,
  pingWithinMs: 500,
}

export const CONTROL_CAPS = {
  /** Of one browser at once, and how many more wait for their turn. */
  openCommands: 64,
  waitingCommands: 256,
  /** Of one node, in both roles: as the one that asks and the one that holds the socket. */
  commandsOfNode: 10_000,
  /** Connections of one workspace on one node. */
  connectionsOfRoom: 64,
  /** Of those by one person: whoever may only read must not take every place. */
  connectionsOfPerson: 24,
  /** Tabs of one page whose frame is ready. */
  readyTabs: 256,
  /** Changes of one page that wait, before it is read from more slowly. */
  waitingChanges: 64,
  /** The same by their length: half a megabyte each, a few of them are as much as many small ones. */
  waitingLength: 1024 * 1024,
} as const
