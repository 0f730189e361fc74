import { Problem } from '@patchbay/contracts/core'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { BatchQueue } from '@patchbay/primitives/async'
import { tabs } from '@patchbay/workspace-layout'
import { findEnded, noteActions } from '../access/action.store.ts'
import type { PanelsTables } from '../tables.ts'
import { forgetClosedTabs, keepClosedTabs } from './closed-tab.store.ts'
import {
  type Changes,
  doJobs,
  type LayoutBatch,
  type LayoutChangeOutcome,
  type LayoutJob,
} from './layout-batch.ts'
import { isLargeState, requireRoom } from './panel-state.store.ts'

export type { LayoutChangeOutcome } from './layout-batch.ts'
export type LayoutChangeOptions = Omit<LayoutJob, 'changes'>

/** A batch takes the longer the more it does, and everybody in it waits for its end. */
const MAX_BATCH = 100
const MAX_WAITING = 2_000

type Result = LayoutChangeOutcome | Problem
type Queue = BatchQueue<LayoutJob, Result>

/** A queue for each pool of connections, which is one for each node. */
const queueOf = new WeakMap<Db<PanelsTables>, Queue>()

/**
 * Makes changes, all or none, on the layout as it is at this moment: the row stays locked from reading it to writing it,
 * so that of a thousand at once each is made on the result of the one before.
 */
export async function changeLayout(
  db: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  changes: Changes,
  options: LayoutChangeOptions,
): Promise<LayoutChangeOutcome> {
  let queue = queueOf.get(db)
  if (queue === undefined) {
    queue = createQueue(db)
    queueOf.set(db, queue)
  }
  const result = await queue.add({ ...options, changes }, `${owner}/${repo}`)
  if (result instanceof Problem) throw result
  return result
}

/** One transaction at a time for each workspace: a thousand would hold every connection, only to wait for one row. */
function createQueue(db: Db<PanelsTables>): Queue {
  return new BatchQueue({
    collect: 'while_busy',
    run: (jobs, key) => runJobs(db, refOf(key), jobs),
    maxBatch: MAX_BATCH,
    // One that may fail for want of room has a transaction of its own, and does not fail the others.
    weigh: (job) => (mayFindNoRoom(job) ? MAX_BATCH : 1),
    maxWaiting: MAX_WAITING,
    refuse: () =>
      new Problem('rate_limited', {
        detail: 'Too many changes of this workspace wait already.',
        extensions: { retry_after_seconds: 1 },
        headers: { 'retry-after': '1' },
      }),
  })
}

function mayFindNoRoom({ initialState }: LayoutJob): boolean {
  return initialState !== undefined && isLargeState(initialState)
}

async function runJobs(
  db: Db<PanelsTables>,
  ref: WorkspaceRef,
  jobs: readonly LayoutJob[],
): Promise<readonly Result[]> {
  return await inTransaction(db, async (tx) => {
    const row = await tx
      .selectFrom('workspaces')
      .select(['version', 'layout', 'state_revision as stateRevision'])
      .where('owner', '=', ref.owner)
      .where('repo', '=', ref.repo)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (row === undefined) return jobs.map(() => ({ outcome: 'no_workspace' }) as const)
    const ended = await findEnded(
      tx,
      ref,
      jobs.flatMap(({ action }) => action?.caller ?? []),
    )
    const isEnded = ({ action }: LayoutJob) => action !== undefined && ended.has(action.caller.credential.id)
    const batch = doJobs(
      row,
      jobs.filter((job) => !isEnded(job)),
    )
    if (batch.changedAt !== undefined) await writeBatch(tx, ref, batch, batch.changedAt)
    const outcomes = batch.outcomes.values()
    return jobs.map((job) => (isEnded(job) ? new Problem('access_ended') : next(outcomes)))
  })
}

async function writeBatch(
  tx: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  { version, stateRevision, layout, gone, closed, opened, states, actions }: LayoutBatch,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set({
      version,
      layout: JSON.stringify(layout),
      tab_count: tabs(layout).length,
      state_revision: stateRevision,
      changed_at: now,
    })
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .execute()
  await keepClosedTabs(tx, { owner, repo }, closed)
  await forgetClosedTabs(tx, { owner, repo }, opened)
  await dropWhatIsGone(tx, { owner, repo }, [...gone])
  if (states.size > 0)
    await tx
      .insertInto('panel_states')
      .values(
        [...states].map(([tabId, { state, revision }]) => ({
          owner,
          repo,
          tab_id: tabId,
          state: JSON.stringify(state),
          revision,
        })),
      )
      .execute()
  if ([...states.values()].some(({ state }) => isLargeState(state))) await requireRoom(tx, { owner, repo })
  await noteActions(tx, { owner, repo }, actions, now)
}

/** A tab that comes back later is a new one; what it showed must not come back with it, nor open a page for it. */
async function dropWhatIsGone(
  tx: Db<PanelsTables>,
  { owner, repo }: WorkspaceRef,
  gone: readonly string[],
): Promise<void> {
  if (gone.length === 0) return
  for (const table of ['panel_states', 'proxy_tickets'] as const)
    await tx
      .deleteFrom(table)
      .where('owner', '=', owner)
      .where('repo', '=', repo)
      .where('tab_id', 'in', gone)
      .execute()
  await tx
    .deleteFrom('sandbox_evals')
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('tab_id', 'in', gone)
    .where('status', '=', 'queued')
    .execute()
}

function refOf(key: string): WorkspaceRef {
  const [owner = '', repo = ''] = key.split('/')
  return { owner, repo }
}

function next(outcomes: Iterator<LayoutChangeOutcome>): LayoutChangeOutcome {
  const { value, done } = outcomes.next()
  if (done === true) throw new Error('a job has no outcome')
  return value
}
