import { Problem, type WorkspaceRef } from '@patchbay/contracts'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
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
import { isLargeState, requireRoom } from './state-room.store.ts'
import { createTurns } from './turns.ts'

export type { LayoutChangeOutcome } from './layout-batch.ts'
export type LayoutChangeOptions = Omit<LayoutJob, 'changes'>

/** A go takes the longer the more it does, and everybody in it waits for its end. */
const IN_ONE_GO = 100
const WAITING = 2_000

type Result = LayoutChangeOutcome | Problem
type Line = (key: string, job: LayoutJob) => Promise<Result>

/** A line for each pool of connections, which is one for each node. */
const lineOf = new WeakMap<Db<PanelsTables>, Line>()

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
  let line = lineOf.get(db)
  if (line === undefined) {
    line = createTurns((key, jobs) => runJobs(db, refOf(key), jobs), {
      most: IN_ONE_GO,
      waiting: WAITING,
      isAlone: mayFindNoRoom,
    })
    lineOf.set(db, line)
  }
  const result = await line(`${owner}/${repo}`, { ...options, changes })
  if (result instanceof Problem) throw result
  return result
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
