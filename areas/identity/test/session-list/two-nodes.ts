import { SettableClock } from '@patchbay/testkit/clock'
import { type IdentityNode, migratedDatabase, startIdentityNode } from '../start.ts'

export interface TwoNodes extends AsyncDisposable {
  readonly nodes: readonly [IdentityNode, IdentityNode]
  readonly clock: SettableClock
}

/** Two nodes on one database, by one clock. */
export async function startTwoNodes(): Promise<TwoNodes> {
  await using cleanup = new AsyncDisposableStack()
  const clock = new SettableClock()
  const database = cleanup.use(await migratedDatabase())
  const first = cleanup.use(await startIdentityNode({ databaseUrl: database.url, clock, node: 'test-1' }))
  const second = cleanup.use(await startIdentityNode({ databaseUrl: database.url, clock, node: 'test-2' }))
  const owned = cleanup.move()
  return { nodes: [first, second], clock, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
