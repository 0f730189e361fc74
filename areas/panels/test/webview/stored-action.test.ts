import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { NewAction } from '../../src/access/action.ts'
import { patchPanelState } from '../../src/workspaces/panel-state.store.ts'
import { uuidOf } from '../access.ts'
import { type PanelsNode, takePanels } from '../start.ts'
import { AT, makeTabs } from './calls.ts'

function actionOf(kind: 'api_key' | 'browser', tabId: string, reason?: string): NewAction {
  const credential = { kind, id: uuidOf(kind), label: kind === 'api_key' ? 'robot' : null }
  return {
    caller: { personId: uuidOf('ada'), handle: 'ada', credential },
    tabId,
    action: 'webview refresh',
    reason,
  }
}

async function written({ db }: PanelsNode, { repo }: { readonly repo: string }) {
  const of = (table: 'panel_states' | 'panel_actions' | 'workspace_actors') =>
    db
      .selectFrom(table as 'panel_states')
      .selectAll()
      .where('repo', '=', repo)
      .execute()
  const rows = [await of('panel_states'), await of('panel_actions'), await of('workspace_actors')]
  const { state_revision } = await db
    .selectFrom('workspaces')
    .select('state_revision')
    .where('repo', '=', repo)
    .executeTakeFirstOrThrow()
  return { state_revision, rows: rows.map((each) => each.map((row) => ({ ...row, repo: '', tab_id: '' }))) }
}

test('[D-148] without the tab nothing is written', async () => {
  await using node = await takePanels()
  await makeTabs(node, ['webview'])
  const before = await written(node, AT)
  const tabId = uuidOf('elsewhere')
  expect(
    await patchPanelState(node.db, AT, { tabId, patch: {} }, new Date(0), actionOf('api_key', tabId)),
  ).toBeUndefined()
  expect(await written(node, AT)).toEqual(before)
})

deepTest('[D-148] of 600, ten at a time, none is lost, and the latest 200 actions stay', async () => {
  await using node = await takePanels()
  const [{ tabId }] = await makeTabs(node, ['webview'])
  const { state_revision: begin } = await written(node, AT)
  const change = (index: number) =>
    patchPanelState(
      node.db,
      AT,
      { tabId, patch: { [`key${index % 300}`]: index }, stamp: 'refresh' },
      new Date(index),
      actionOf('api_key', tabId),
    )
  // Ten at a time are as many as the pool has connections: more would only wait for one of them.
  const shown = await Promise.all(
    Array.from({ length: 10 }, async (_, worker) => {
      const made = []
      for (let index = worker; index < 600; index += 10) made.push(await change(index))
      return made
    }),
  ).then((all) => all.flat())
  expect(new Set(shown.map((each) => each?.revision)).size).toBe(600)
  const after = await written(node, AT)
  expect(after.state_revision).toBe(begin + 600)
  const [state] = await node.db.selectFrom('panel_states').selectAll().execute()
  expect(Object.keys(state?.state ?? {})).toHaveLength(301)
  expect(state?.state['refresh']).toBe(begin + 600)
  const actions = await node.db.selectFrom('panel_actions').select('id').orderBy('id').execute()
  expect(actions.length).toBeGreaterThanOrEqual(200)
  expect(actions.length).toBeLessThan(250)
  expect(actions.at(-1)?.id).toBe(begin + 600)
  const [actor] = await node.db.selectFrom('workspace_actors').select('actions').execute()
  expect(actor?.actions).toBe(600)
})

test('[D-285] the latest 200 actions stay and few more, whatever else moves the revision', async () => {
  await using node = await takePanels()
  const [{ tabId }] = await makeTabs(node, ['webview'])
  const counts: number[] = []
  for (let index = 0; index < 260; index += 1) {
    // A page that reports between any two actions takes as many revisions as they do.
    for (let report = 0; report < index % 3; report += 1)
      await patchPanelState(node.db, AT, { tabId, patch: { isHeaderHidden: true } }, new Date(index))
    await patchPanelState(node.db, AT, { tabId, patch: {} }, new Date(index), actionOf('api_key', tabId))
    const { count } = await node.db
      .selectFrom('panel_actions')
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    counts.push(count)
  }
  expect(counts.slice(0, 200)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
  expect(Math.min(...counts.slice(200))).toBeGreaterThanOrEqual(200)
  expect(Math.max(...counts)).toBeLessThanOrEqual(201)
})

test('[D-80] who was admitted a moment before their access was ended writes nothing', async () => {
  await using node = await takePanels()
  const [{ tabId }] = await makeTabs(node, ['webview'])
  const write = (url: string) =>
    patchPanelState(node.db, AT, { tabId, patch: { url } }, new Date(0), actionOf('api_key', tabId))
  await write('https://example.org/')
  await node.db.updateTable('workspace_actors').set({ is_ended: true }).where('repo', '=', AT.repo).execute()
  const before = await written(node, AT)
  await expect(write('https://example.net/')).rejects.toMatchObject({ code: 'access_ended' })
  expect(await written(node, AT)).toEqual(before)
})

test('[D-81] who waits for the row while their access is ended writes nothing either', async () => {
  await using node = await takePanels()
  const [{ tabId }] = await makeTabs(node, ['webview'])
  const write = (url: string) =>
    patchPanelState(node.db, AT, { tabId, patch: { url } }, new Date(0), actionOf('api_key', tabId))
  await write('https://example.org/')
  const before = await written(node, AT)
  let late: Promise<unknown> | undefined
  await node.db.transaction().execute(async (tx) => {
    await tx.selectFrom('workspaces').select('version').where('repo', '=', AT.repo).forUpdate().execute()
    late = write('https://example.net/').catch((error: unknown) => error)
    await waitUntil('it waits for the row', async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(node.db)
      return rows.length === 1
    })
    await tx.updateTable('workspace_actors').set({ is_ended: true }).where('repo', '=', AT.repo).execute()
  })
  expect(await late).toMatchObject({ code: 'access_ended' })
  const after = await written(node, AT)
  expect([after.state_revision, ...after.rows.slice(0, 2)]).toEqual([
    before.state_revision,
    ...before.rows.slice(0, 2),
  ])
})
