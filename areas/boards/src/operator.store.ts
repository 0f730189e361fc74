import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { BoardsTables } from './tables.ts'

export interface FoundJob {
  readonly id: string
  readonly state: string
  readonly operation: string
  readonly owner: string
  readonly attempts: number
  readonly queuedAt: Date
  readonly fault: string | null
}

/** Those that have not ended well, with the text in their owner, state, operation or fault; what waits and runs comes first. */
export async function listOperatorJobs(
  db: Db<BoardsTables>,
  text: string,
  limit: number,
): Promise<FoundJob[]> {
  const { rows } = await sql<FoundJob>`
    select key as id, state, operation, owner, attempts, queued_at as "queuedAt", fault_code as fault
    from board_jobs
    where state <> 'done' and position(lower(${text}) in
      lower(concat_ws(' ', key, owner, state, operation, fault_code))) > 0
    order by state in ('queued', 'running') desc, queued_at desc, key limit ${limit}`.execute(db)
  return rows
}

/** Of a job that has failed or was refused. `false`: there is none. */
export async function queueAgain(db: Db<BoardsTables>, id: string, now: Date): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update board_jobs set state = 'queued', attempts = 0, claim = null, lease_until = null, fault_code = null,
      fault_detail = null, queued_at = ${now}, started_at = null, finished_at = null
    where key = ${id} and state in ('failed', 'refused')`.execute(db)
  return numAffectedRows === 1n
}

/** Of one that waits or runs: its worker sees it within seconds. What people are told is the reason. `false`: there is none. */
export async function cancelJob(
  db: Db<BoardsTables>,
  id: string,
  reason: string,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update board_jobs set state = 'refused', fault_code = 'withdrawn', fault_detail = ${`The operator ended it: ${reason}`},
      claim = null, lease_until = null, finished_at = ${now}
    where key = ${id} and state in ('queued', 'running')`.execute(db)
  return numAffectedRows === 1n
}
