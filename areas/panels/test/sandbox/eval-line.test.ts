import { setTimeout as pause } from 'node:timers/promises'
import { SettableClock } from '@patchbay/testkit/clock'
import { deepTest, depth } from '@patchbay/testkit/depth'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Execute } from '../../src/control.ts'
import { newId } from '../../src/new-id.ts'
import { enqueue } from '../../src/sandbox/eval.store.ts'
import { claimNext, finish } from '../../src/sandbox/eval-claim.store.ts'
import { createQueueRunner } from '../../src/sandbox/queue-runner.store.ts'
import { uuidOf } from '../access.ts'
import type { PanelsNode } from '../start.ts'
import { AT, codeOf, makeTabs, splitOff, startCalls, takeCalls } from '../webview/calls.ts'
import { startPair } from '../webview/pair.ts'
import { evaluate, executed, fetchEval, PATH } from './evals.ts'

async function queue({ db, deps }: PanelsNode, tabId: string, code: string): Promise<string> {
  const id = newId(deps.createSecret)
  const caller = {
    personId: uuidOf('ada'),
    handle: 'ada',
    credential: { kind: 'api_key', id: uuidOf('key'), label: 'robot' },
  } as const
  const action = { caller, tabId, action: 'sandbox eval' }
  const outcome = await enqueue(db, AT, { id, tabId, code, timeoutMs: 1_000 }, deps.clock.now(), action)
  if (typeof outcome === 'string') throw new Error(outcome)
  return id
}

/** Of each node for each panel. */
const EACH = depth({ common: 12, deep: 40 })

test('[D-160][D-161] two nodes with two browsers run everything once, one at a time and in order', async () => {
  await using pair = await startPair()
  const [first] = pair.nodes
  const [one, second] = await makeTabs(first, ['sandbox', 'sandbox'])
  const two = await splitOff(first, second ?? one)
  const tabs = [one.tabId, two.tabId]
  const runners = pair.nodes.map(({ deps }) => createQueueRunner(deps))
  const log: { readonly tabId: string; readonly code: string; readonly node: number }[] = []
  const busy = new Set<string>()
  const overlaps: string[] = []
  let offers = 0
  const executeOn =
    (node: number, tabId: string): Execute =>
    async ({ code }) => {
      offers += 1
      // Browsers come and go: what has not begun goes back, and the other node has its turn.
      if (offers % 7 === 0) return { outcome: 'no_browser' }
      if (busy.has(tabId)) overlaps.push(code)
      busy.add(tabId)
      log.push({ tabId, code, node })
      await new Promise((resolve) => setTimeout(resolve, log.length % 3))
      busy.delete(tabId)
      return executed(code)
    }
  const runEverywhere = (tabId: string) =>
    Promise.all(runners.map((runner, node) => runner.run(AT, tabId, executeOn(node, tabId))))
  const accepted = new Map<string, string>()
  await Promise.all(
    tabs.flatMap((tabId) =>
      pair.nodes.map(async (node, which) => {
        for (let index = 0; index < EACH; index += 1) {
          const code = `${which}-${index}`
          accepted.set(await queue(node, tabId, code), code)
          void runEverywhere(tabId)
        }
      }),
    ),
  )
  const read = () =>
    first.db.selectFrom('sandbox_evals').select(['id', 'tab_id', 'status']).orderBy('seq').execute()
  const runOnce = async () => {
    await Promise.all(tabs.map(runEverywhere))
    return (await read()).filter(({ status }) => status !== 'executed')
  }
  await expect.poll(runOnce, { timeout: 40_000 }).toEqual([])
  const rows = await read()
  expect(rows).toHaveLength(4 * EACH)
  expect(overlaps).toEqual([])
  for (const tabId of tabs) {
    const ran = log.filter((each) => each.tabId === tabId).map(({ code }) => code)
    expect(ran).toEqual(rows.filter((row) => row.tab_id === tabId).map(({ id }) => accepted.get(id)))
  }
  // Otherwise nothing was shown of two nodes.
  expect(new Set(log.map(({ node }) => node)).size).toBe(2)
}, 60_000)

test('[D-275] an answer that got lost does not stop the line of a browser that is still there', async () => {
  await using calls = await takeCalls()
  const [{ tabId }] = await makeTabs(calls.node, ['sandbox'])
  const ids = []
  for (const code of ['spoiled', 'next', 'last']) ids.push(await queue(calls.node, tabId, code))
  calls.control.execute = async ({ code }) => (code === 'spoiled' ? { outcome: 'lost' } : executed(code))
  await calls.control.setReady(AT, tabId)
  const outcomes = await Promise.all(ids.map((id) => fetchEval(calls.as('ada'), id)))
  expect(outcomes.map(({ status, result }) => [status, result])).toEqual([
    ['error', undefined],
    ['executed', 'next'],
    ['executed', 'last'],
  ])
})

test('[D-162] 100 wait for one panel, and of 40 at once for the last 20 places 20 are refused', async () => {
  await using calls = await takeCalls()
  const [{ panelId, tabId }] = await makeTabs(calls.node, ['sandbox'])
  for (let index = 0; index < 80; index += 1) await queue(calls.node, tabId, '1')
  const ada = calls.as('ada')
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => ada.send('PATCH', PATH, { panelId, action: 'eval', code: '1' })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
  for (const answer of answers.filter(({ status }) => status !== 200))
    expect(await codeOf(answer)).toEqual([409, 'limit_reached'])
  const noted = await calls.node.db.selectFrom('panel_actions').select('id').execute()
  expect(noted).toHaveLength(100)
}, 60_000)

test('[D-244] what waits in a workspace and with an owner has an end, and code goes with its outcome', async () => {
  await using calls = await takeCalls()
  const { node } = calls
  const [{ panelId, tabId }] = await makeTabs(node, ['sandbox'])
  const ada = calls.as('ada')
  const refused = async () => codeOf(await ada.send('PATCH', PATH, { panelId, action: 'eval', code: '1' }))
  const fill = (repo: string, count: number, code: string) =>
    sql`insert into sandbox_evals
        (id, owner, repo, tab_id, credential_id, code, timeout_ms, status, created_at, expires_at)
      select gen_random_uuid(), 'ada', ${repo}, gen_random_uuid(), gen_random_uuid(), ${code}, 1000, 'queued',
        now(), now() + interval '10 minutes' from generate_series(1, ${count}::integer)`.execute(node.db)
  const text = 'x'.repeat(262_144)
  for (const [repo, count, code] of [
    ['board', 1_000, '1'],
    ['board', 64, text],
    ['other', 5_000, '1'],
    ['other', 256, text],
  ] as const) {
    if (repo === 'other') await makeTabs(node, [], { owner: 'ada', repo }).catch(() => undefined)
    await fill(repo, count, code)
    expect(await refused()).toEqual([409, 'limit_reached'])
    await node.db.deleteFrom('sandbox_evals').execute()
    await fill(repo, count - 1, code)
    const { id } = await evaluate(ada, panelId, text)
    await node.db.deleteFrom('sandbox_evals').where('id', '<>', id).execute()
    calls.control.execute = async () => executed('done')
    await calls.control.setReady(AT, tabId)
    expect(await fetchEval(ada, id, 5_000)).toMatchObject({ status: 'executed', result: 'done' })
    const rows = await node.db.selectFrom('sandbox_evals').select('code').execute()
    expect(rows).toEqual([{ code: '' }])
    await node.db.deleteFrom('sandbox_evals').execute()
    calls.control.browser = undefined
  }
}, 60_000)

test('[D-164] what ran on a node that died becomes an error after its time, and the line goes on', async () => {
  const clock = new SettableClock()
  await using calls = await startCalls({ clock })
  const [{ panelId, tabId }] = await makeTabs(calls.node, ['sandbox'])
  const ada = calls.as('ada')
  const dead = await evaluate(ada, panelId, 'dies', { timeoutMs: 1_000 })
  const next = await evaluate(ada, panelId, 'next', { timeoutMs: 1_000 })
  const { db } = calls.node
  expect(await claimNext(db, AT, tabId, 'dead', clock.now())).toMatchObject({ id: dead.id, code: 'dies' })
  clock.advance(5_999)
  expect(await claimNext(db, AT, tabId, 'test-1', clock.now())).toMatchObject({ outcome: 'busy' })
  expect((await fetchEval(ada, dead.id)).status).toBe('queued')
  calls.control.execute = async ({ code }) => executed(code)
  const running = calls.control.setReady(AT, tabId)
  clock.advance(1)
  await running
  const settled = { status: 'error', error: /whether the code finished is not known/ }
  expect(await fetchEval(ada, dead.id)).toMatchObject(settled)
  expect(await fetchEval(ada, next.id)).toMatchObject({ status: 'executed', result: 'next' })
  expect(await finish(db, dead.id, 'dead', { status: 'executed', durationMs: 1 }, clock.now())).toBe(false)
  expect(await fetchEval(ada, dead.id)).toMatchObject(settled)
  const alone = await evaluate(ada, panelId, 'alone', { timeoutMs: 1_000 }).then(({ id }) => id)
  expect((await fetchEval(ada, alone)).status).toBe('executed')
}, 60_000)

test('[D-164] whoever asks for code of a dead node settles it', async () => {
  const clock = new SettableClock()
  await using calls = await startCalls({ clock })
  const [{ panelId, tabId }] = await makeTabs(calls.node, ['sandbox'])
  const ada = calls.as('ada')
  const { id } = await evaluate(ada, panelId, 'dies', { timeoutMs: 1_000 })
  await claimNext(calls.node.db, AT, tabId, 'dead', clock.now())
  clock.advance(6_000)
  expect((await fetchEval(ada, id)).status).toBe('error')
})

test('[D-165] what no frame took within ten minutes fails, and outcomes can be fetched for ten minutes', async () => {
  const clock = new SettableClock()
  await using calls = await startCalls({ clock })
  const [{ panelId, tabId }] = await makeTabs(calls.node, ['sandbox'])
  const ada = calls.as('ada')
  const [asked, late] = [await evaluate(ada, panelId, 'asked'), await evaluate(ada, panelId, 'late')]
  expect(asked.expiresAt).toBe(new Date(clock.now().getTime() + 600_000).toISOString())
  clock.advance(599_999)
  expect((await fetchEval(ada, asked.id)).status).toBe('queued')
  const fresh = await evaluate(ada, panelId, 'fresh')
  clock.advance(1)
  const failed = { status: 'error', error: /within ten minutes/ }
  expect(await fetchEval(ada, asked.id)).toMatchObject(failed)
  calls.control.execute = async ({ code }) => executed(code)
  await calls.control.setReady(AT, tabId)
  expect(await fetchEval(ada, late.id)).toMatchObject(failed)
  const done = await fetchEval(ada, fresh.id)
  expect(done).toMatchObject({ status: 'executed', result: 'fresh' })
  expect(done.expiresAt).toBe(new Date(clock.now().getTime() + 600_000).toISOString())
})

deepTest(
  '[D-161] of twenty that want the next in a line at once, one gets it',
  async () => {
    await using pair = await startPair()
    const [{ tabId }] = await makeTabs(pair.nodes[0], ['sandbox'])
    for (let round = 0; round < depth({ common: 8, deep: 25 }); round += 1) {
      const id = await queue(pair.nodes[0], tabId, String(round))
      await queue(pair.nodes[1], tabId, 'behind it')
      const now = new Date()
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) => {
          const { db, deps } = pair.nodes[index % 2 === 0 ? 0 : 1]
          return claimNext(db, AT, tabId, deps.bus.node, now)
        }),
      )
      expect(claims.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(1)
      expect(claims.filter((claim) => claim.outcome === 'busy' && claim.id === id)).toHaveLength(19)
      await pair.nodes[0].db.deleteFrom('sandbox_evals').execute()
    }
  },
  60_000,
)

test('[D-166] code that arrives while the line is being finished is run', async () => {
  await using calls = await takeCalls()
  const [{ tabId }] = await makeTabs(calls.node, ['sandbox'])
  const runner = createQueueRunner(calls.node.deps)
  const ran: string[] = []
  const execute: Execute = async ({ code }) => {
    ran.push(code)
    return executed(1)
  }
  const queueAndRun = async (code: string) => {
    await queue(calls.node, tabId, code)
    await runner.run(AT, tabId, execute)
  }
  // Whether the second comes at that very moment is a matter of luck, so there are many, each a little later.
  for (let round = 0; round < depth({ common: 72, deep: 300 }); round += 1) {
    ran.length = 0
    const first = queueAndRun('first')
    await pause(round % 12)
    await Promise.all([first, queueAndRun('second')])
    expect(ran.toSorted()).toEqual(['first', 'second'])
  }
}, 120_000)
