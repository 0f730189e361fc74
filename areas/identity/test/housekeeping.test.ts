import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { DELETIONS, deleteEnded } from '../src/housekeeping.store.ts'
import { openIntent, outcomeOf, poll } from './intents/intents.ts'
import { startIdentity } from './start.ts'

const DAY_MS = 86_400_000

test('[C-77] what has ended goes, and what somebody may still ask for stays', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const linked = await openIntent(node, { max_age: 30 * 86_400 })
  const pending = await openIntent(node)
  await ada.change('PATCH', `/auth/intents/${linked.token}`)
  const first = await poll(node, linked.token)

  node.clock.advance(900_000 + 3_599_000)
  expect(await deleteEnded(node.db, node.clock.now(), node.deps.log)).toBe(0)
  expect(await outcomeOf(node.ask(`/auth/intents/${pending.token}`))).toEqual([410, 'intent_expired'])

  node.clock.advance(1_000)
  expect(await deleteEnded(node.db, node.clock.now(), node.deps.log)).toBe(1)
  expect(await outcomeOf(node.ask(`/auth/intents/${pending.token}`))).toEqual([404, 'intent_not_found'])
  expect(await poll(node, linked.token)).toEqual(first)

  node.clock.advance(30 * DAY_MS)
  // Both sessions have ended, and with the application's the intent has nothing left to tell.
  expect(await deleteEnded(node.db, node.clock.now(), node.deps.log)).toBe(3)
  expect(await node.db.selectFrom('intents').selectAll().execute()).toEqual([])
  expect(await node.db.selectFrom('sessions').selectAll().execute()).toEqual([])
})

test('[C-77] ceremonies and invitations go when they have ended', async () => {
  await using node = await startIdentity()
  const now = node.clock.now()
  const [ended, living] = [now, new Date(now.getTime() + 1_000)].map((expires_at, index) => ({
    secret_hash: Buffer.from(String(index)),
    expires_at,
  }))
  for (const each of [ended, living]) {
    if (each === undefined) continue
    await node.db
      .insertInto('ceremonies')
      .values({ ...each, kind: 'oidc', data: '{}' })
      .execute()
    await node.db
      .insertInto('invitations')
      .values({ ...each, makes_admin: false, created_at: now })
      .execute()
  }
  expect(await deleteEnded(node.db, now, node.deps.log)).toBe(2)
  const left = await node.db.selectFrom('ceremonies').select('expires_at').execute()
  expect(left).toEqual([{ expires_at: living?.expires_at }])
})

test('[C-77] two nodes at once delete everything once, in batches', async () => {
  await using node = await startIdentity()
  const now = node.clock.now()
  const rows = Array.from({ length: 2_500 }, (_, index) => ({
    token_hash: Buffer.from(String(index)),
    created_at: now,
    expires_at: now,
    max_age_seconds: 1,
    requested_network: '',
    requested_user_agent: '',
  }))
  await node.db.insertInto('intents').values(rows).execute()
  const later = new Date(now.getTime() + DAY_MS)
  const clean = () => deleteEnded(node.db, later, node.deps.log)
  const [one, two] = await Promise.all([clean(), clean()])
  const rest = await clean()
  expect(one + two + rest).toBe(2_500)
  expect(await node.db.selectFrom('intents').select('token_hash').execute()).toEqual([])
})

test('[C-77] no statement reads through what stays', async () => {
  await using node = await startIdentity()
  const { personId } = await node.signedIn('ada')
  await sql`
    insert into sessions (person_id, kind, token_hash, user_agent, network, created_at, last_used_at, idle_expires_at, expires_at)
    select ${personId}, 'browser', number::text::bytea, '', '', now(), now(), now() + interval '1 day', now() + interval '2 days'
    from generate_series(1, 20000) number`.execute(node.db)
  await sql`
    insert into intents (token_hash, created_at, expires_at, max_age_seconds, requested_network, requested_user_agent,
      linked_at, sealed_session_token, session_id)
    select number::text::bytea, now(), now() - interval '1 day', 1, '', '', now(), '', (select id from sessions limit 1)
    from generate_series(1, 20000) number`.execute(node.db)
  await sql`analyze`.execute(node.db)
  const plans = await Promise.all(
    DELETIONS.filter(({ text }) => /from (sessions|intents)/.test(text)).map(async ({ text }) => {
      const explain = sql<Record<string, string>>`explain ${sql.raw(text.replaceAll('$1', 'now()'))}`
      const { rows } = await explain.execute(node.db)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }),
  )
  expect(plans).toHaveLength(3)
  for (const plan of plans) {
    expect(plan).toContain('Index')
    expect(plan).not.toContain('Seq Scan')
  }
})

test('[C-77] a table that cannot be cleaned does not keep the others from it', async () => {
  await using node = await startIdentity()
  await openIntent(node)
  await sql`alter table sessions rename to sessions_away`.execute(node.db)
  const later = new Date(node.clock.now().getTime() + DAY_MS)
  expect(await deleteEnded(node.db, later, node.deps.log)).toBe(1)
  expect(node.lines.join()).toContain('could not be deleted')
})

test('[C-77] it stops when it has taken long enough', async () => {
  await using node = await startIdentity()
  await openIntent(node)
  const later = new Date(node.clock.now().getTime() + DAY_MS)
  expect(await deleteEnded(node.db, later, node.deps.log, AbortSignal.abort())).toBe(0)
})
