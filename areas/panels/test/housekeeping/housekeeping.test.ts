import { createHash } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SettableClock } from '@patchbay/testkit/clock'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { ACTION_SWEEPS } from '../../src/access/action-retention.store.ts'
import { createHousekeeping } from '../../src/housekeeping.store.ts'
import { uuidOf } from '../access.ts'
import { type PanelsNode, startPanels } from '../start.ts'
import { AT, makeTabs } from '../webview/calls.ts'
import { editor } from '../workspaces/current.ts'

afterEach(() => void vi.useRealTimers())

const MINUTE = 60_000

async function putObject({ deps }: PanelsNode, text: string): Promise<string> {
  async function* bytes() {
    yield Buffer.from(text)
  }
  return (await deps.objects.put(bytes())).sha256
}

async function fill(node: PanelsNode, clock: SettableClock, name: string, expiresAt: Date): Promise<void> {
  const { db } = node
  await db
    .insertInto('sandbox_evals')
    .values({
      id: uuidOf(`eval ${name}`),
      ...AT,
      tab_id: uuidOf('tab'),
      credential_id: uuidOf('key'),
      code: '1',
      timeout_ms: 1_000,
      status: 'executed',
      created_at: clock.now(),
      expires_at: expiresAt,
    })
    .execute()
  await db
    .insertInto('proxy_tickets')
    .values({
      token_hash: createHash('sha256').update(name).digest(),
      ...AT,
      tab_id: uuidOf('tab'),
      person_id: uuidOf('ada'),
      session_id: uuidOf('session'),
      network: '127.0.0.1',
      expires_at: expiresAt,
    })
    .execute()
  await db
    .insertInto('captures')
    .values({
      id: uuidOf(`capture ${name}`),
      ...AT,
      scope: 'screen',
      method: 'element-capture',
      sha256: await putObject(node, name),
      requested_at: clock.now(),
      expires_at: expiresAt,
    })
    .execute()
}

async function left({ db, deps }: PanelsNode) {
  const count = async (table: 'sandbox_evals' | 'proxy_tickets' | 'captures') =>
    (await db.selectFrom(table).select('owner').execute()).length
  return {
    evals: await count('sandbox_evals'),
    tickets: await count('proxy_tickets'),
    captures: await count('captures'),
    objects: (await deps.objects.list({ limit: 100 })).objects.length,
  }
}

test('[D-190] what has expired goes with its objects, and the rest stays', async () => {
  const clock = new SettableClock()
  await using node = await startPanels({ clock })
  await makeTabs(node, ['sandbox'])
  const { housekeeping } = node.panels
  await fill(node, clock, 'old', new Date(clock.now().getTime() + MINUTE))
  await fill(node, clock, 'new', new Date(clock.now().getTime() + 10 * MINUTE))
  const unclaimed = await putObject(node, 'of somebody else')
  await housekeeping.sweep()
  expect(await left(node)).toEqual({ evals: 2, tickets: 2, captures: 2, objects: 3 })
  clock.advance(5 * MINUTE)
  await housekeeping.sweep()
  expect(await left(node)).toEqual({ evals: 1, tickets: 1, captures: 1, objects: 2 })
  expect((await node.as('ada').send('DELETE', editor(AT.owner, AT.repo))).status).toBe(204)
  clock.advance(2 * MINUTE)
  await housekeeping.sweep()
  expect(await left(node)).toEqual({ evals: 0, tickets: 0, captures: 0, objects: 1 })
  expect(await node.deps.objects.stat(unclaimed)).toBeDefined()
})

test('[D-190] more than a batch goes in one sweep', async () => {
  const clock = new SettableClock()
  await using node = await startPanels({ clock })
  await makeTabs(node, ['sandbox'])
  await node.db
    .insertInto('proxy_tickets')
    .values(
      Array.from({ length: 1_201 }, (_, index) => ({
        token_hash: createHash('sha256').update(String(index)).digest(),
        ...AT,
        tab_id: uuidOf('tab'),
        person_id: uuidOf('ada'),
        session_id: uuidOf('session'),
        network: '127.0.0.1',
        expires_at: clock.now(),
      })),
    )
    .execute()
  await node.panels.housekeeping.sweep()
  expect((await left(node)).tickets).toBe(0)
})

test('[D-191] code that nobody will run or finish any more is written off', async () => {
  const clock = new SettableClock()
  await using node = await startPanels({ clock })
  await makeTabs(node, ['sandbox'])
  const now = clock.now()
  const row = (name: string, status: 'queued' | 'running', deadlineAt: Date | null) => ({
    id: uuidOf(name),
    ...AT,
    tab_id: uuidOf('tab'),
    credential_id: uuidOf('key'),
    code: name,
    timeout_ms: 1_000,
    status,
    created_at: now,
    expires_at: new Date(now.getTime() + 10 * MINUTE),
    deadline_at: deadlineAt,
  })
  const ends = new Date(now.getTime() + MINUTE)
  await node.db
    .insertInto('sandbox_evals')
    .values([row('dead', 'running', ends), row('waits', 'queued', null)])
    .execute()
  const statuses = async () => {
    const rows = await node.db.selectFrom('sandbox_evals').select(['id', 'status']).orderBy('seq').execute()
    return rows.map(({ id, status }) => `${id === uuidOf('dead') ? 'dead' : 'waits'} ${status}`)
  }
  await node.panels.housekeeping.sweep()
  expect(await statuses()).toEqual(['dead running', 'waits queued'])
  clock.advance(MINUTE)
  await node.panels.housekeeping.sweep()
  expect(await statuses()).toEqual(['dead error', 'waits queued'])
  clock.advance(9 * MINUTE)
  await node.panels.housekeeping.sweep()
  expect(await statuses()).toEqual(['dead error', 'waits error'])
  clock.advance(10 * MINUTE)
  await node.panels.housekeeping.sweep()
  expect(await statuses()).toEqual([])
})

test('[D-192] an object store that is away keeps captures, and nothing else', async () => {
  const clock = new SettableClock()
  await using node = await startPanels({ clock })
  await makeTabs(node, ['sandbox'])
  await fill(node, clock, 'old', clock.now())
  clock.advance(10 * MINUTE)
  const [here, away] = [join(node.folder, 'objects'), join(node.folder, 'away')]
  await rename(here, away)
  await writeFile(here, 'no folder')
  const { housekeeping } = node.panels
  await expect(housekeeping.sweep()).rejects.toMatchObject({ code: 'objects_unavailable' })
  await rm(here)
  await rename(away, here)
  expect(await left(node)).toEqual({ evals: 0, tickets: 0, captures: 1, objects: 1 })
  await housekeeping.sweep()
  expect(await left(node)).toMatchObject({ captures: 0, objects: 0 })
})

test('[D-193] a node sweeps every ten minutes until it closes, beside others', async () => {
  const clock = new SettableClock()
  await using node = await startPanels({ clock })
  await makeTabs(node, ['sandbox'])
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const nodes = [createHousekeeping(node.deps), createHousekeeping(node.deps)]
  for (const each of nodes) each.start()
  await fill(node, clock, 'first', clock.now())
  clock.advance(10 * MINUTE)
  vi.advanceTimersByTime(10 * MINUTE - 1)
  expect((await left(node)).evals).toBe(1)
  vi.advanceTimersByTime(1)
  await expect
    .poll(() => left(node), { timeout: 20_000 })
    .toMatchObject({ evals: 0, captures: 0, objects: 0 })
  for (const each of nodes) await each.stop()
  await fill(node, clock, 'second', clock.now())
  clock.advance(10 * MINUTE)
  vi.advanceTimersByTime(60 * MINUTE)
  expect((await left(node)).evals).toBe(1)
})

async function actedBy(node: PanelsNode, name: string, at: Date, isEnded = false): Promise<void> {
  await node.db
    .insertInto('workspace_actors')
    .values({
      ...AT,
      credential_id: uuidOf(name),
      kind: 'api_key',
      name,
      handle: 'ada',
      last_action: 'webview navigate',
      last_action_at: at,
      is_ended: isEnded,
    })
    .execute()
}

const actorsLeft = async ({ db }: PanelsNode) =>
  (await db.selectFrom('workspace_actors').select('name').orderBy('name').execute()).map(({ name }) => name)

test('[D-330] O4: who acted and what they did goes after the days that are set, in batches', async () => {
  const clock = new SettableClock()
  await using node = await startPanels({ clock, settings: { actionsKeptDays: 7 } })
  await makeTabs(node, ['sandbox'])
  const due = new Date(clock.now().getTime() - 7 * 24 * 60 * MINUTE)
  const young = new Date(due.getTime() + 1)
  await sql`
    insert into panel_actions (owner, repo, id, actor_kind, actor_name, actor_handle, action, at)
    select ${AT.owner}, ${AT.repo}, 1000 + number, 'api_key', 'agent', 'ada', 'webview navigate',
      case when number <= 1201 then ${due}::timestamptz else ${young}::timestamptz end
    from generate_series(1, 1210) number`.execute(node.db)
  await actedBy(node, 'long ago', due)
  await actedBy(node, 'lately', young)
  await node.panels.housekeeping.sweep()
  const actions = await node.db.selectFrom('panel_actions').select('id').where('id', '>', 1_000).execute()
  expect(actions).toHaveLength(9)
  expect(await actorsLeft(node)).toEqual(['lately'])
})

test('[D-331] O4: an ended access outlives its age while its credential exists', async () => {
  const clock = new SettableClock()
  await using node = await startPanels({ clock })
  await makeTabs(node, ['sandbox'])
  const longAgo = new Date(clock.now().getTime() - 400 * 24 * 60 * MINUTE)
  for (let index = 0; index < 600; index += 1) await actedBy(node, `ended ${index}`, longAgo, true)
  await actedBy(node, 'removed lately', clock.now(), true)
  const gone = ['ended 3', 'ended 599', 'removed lately']
  for (const name of gone) node.access.removeCredential(uuidOf(name))
  await node.panels.housekeeping.sweep()
  const kept = await actorsLeft(node)
  expect(kept).toHaveLength(599)
  expect(kept).not.toContain('ended 3')
  expect(kept).not.toContain('ended 599')
  expect(kept).toContain('removed lately')
})

test('[D-333] O4: no statement reads through what stays', async () => {
  await using node = await startPanels()
  await makeTabs(node, ['sandbox'])
  await sql`
    insert into panel_actions (owner, repo, id, actor_kind, actor_name, actor_handle, action, at)
    select ${AT.owner}, ${AT.repo}, 1000 + number, 'api_key', 'agent', 'ada', 'webview navigate', now()
    from generate_series(1, 20000) number`.execute(node.db)
  await sql`
    insert into workspace_actors (owner, repo, credential_id, kind, name, handle, last_action, last_action_at)
    select ${AT.owner}, ${AT.repo}, gen_random_uuid(), 'api_key', 'agent', 'ada', 'webview navigate', now()
    from generate_series(1, 20000) number`.execute(node.db)
  await sql`analyze`.execute(node.db)
  for (const { text } of ACTION_SWEEPS) {
    const plan = await sql<
      Record<string, string>
    >`explain ${sql.raw(text.replaceAll('$1', `now() - interval '90 days'`).replaceAll('$2', 'null::uuid'))}`.execute(
      node.db,
    )
    const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(lines).toContain('Index')
    expect(lines).not.toContain('Seq Scan')
  }
})
