import type { Db } from '@patchbay/kernel/postgres'
import { sql, type Transaction } from 'kysely'
import type { RegistryTables } from '../tables.ts'
import { giveLeaseBack, takeLease } from './lease.store.ts'

const BUILDING = 'building'
const COMMITTING = 'registry: committing'

export interface BuildingTimes {
  /** How long others wait for a node that was killed. */
  readonly leaseMs: number
  /** A build that hangs must not keep all nodes from theirs forever. */
  readonly longestMs: number
}

const TIMES: BuildingTimes = { leaseMs: 5_000, longestMs: 10 * 60_000 }

/**
 * Runs `work` unless another node is building. It only saves work: a node that could not prolong its lease in time lets
 * a second builder in, and the commit decides between them. No connection is held meanwhile: with a pool of one, `work`
 * would wait for it. `false`: somebody else is at it.
 */
export async function buildAlone(
  db: Db<RegistryTables>,
  work: () => Promise<void>,
  { leaseMs, longestMs }: BuildingTimes = TIMES,
): Promise<boolean> {
  const lease = { name: BUILDING, seconds: leaseMs / 1_000 }
  const holder = await takeLease(db, lease)
  if (holder === undefined) return false
  const endAt = performance.now() + longestMs
  const prolonging = setInterval(() => {
    // A lease that cannot be prolonged runs out, which harms nobody.
    if (performance.now() < endAt) takeLease(db, { ...lease, holder }).catch(() => undefined)
  }, leaseMs / 3)
  try {
    await work()
    return true
  } finally {
    clearInterval(prolonging)
    await giveLeaseBack(db, BUILDING, holder).catch(() => undefined)
  }
}

/**
 * Until the end of the transaction nobody else changes the index, or deletes an object of it. Everything that is read
 * afterwards is the latest.
 */
export async function lockIndex(tx: Db<RegistryTables> | Transaction<RegistryTables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${COMMITTING}, 0))`.execute(tx)
}
