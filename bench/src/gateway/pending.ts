import { callBack } from './callbacks.ts'
import { openClients, type Rig } from './rig.ts'
import { inTurns, middle } from './turns.ts'

/** What a callback costs while so many other registrations wait. */
export interface PendingCost {
  readonly pending: number
  /** Nodes and Redis together, microseconds per callback. */
  readonly gateway: number
  readonly script: number
}

export interface PendingSizes {
  /** Rising: what was registered for one level counts for the next. */
  readonly levels: readonly number[]
  readonly holders: number
  readonly states: number
  readonly rounds: number
}

const NAMES = ['gateway', 'script'] as const

export async function measurePending(rig: Rig, sizes: PendingSizes): Promise<PendingCost[]> {
  using holders = new DisposableStack()
  const held = await Promise.all(
    NAMES.map(async (name) => {
      const clients = holders.use(await openClients(rig.sides[name].ports, sizes.holders))
      return { clients, batch: rig.nextBatch() }
    }),
  )
  const costs: PendingCost[] = []
  let from = 0
  for (const pending of sizes.levels) {
    for (const { clients, batch } of held)
      await clients.ask('register', { batch, from, count: pending - from })
    from = pending
    const rounds = await inTurns(NAMES, sizes.rounds, (name) =>
      callBack(rig, name, { states: sizes.states, doors: 'balanced' }),
    )
    const cost = (name: (typeof NAMES)[number]) => middle(rounds, name, ({ cpu }) => cpu.nodes + cpu.redis)
    costs.push({ pending, gateway: cost('gateway'), script: cost('script') })
  }
  return costs
}
