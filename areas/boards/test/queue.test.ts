import { Readable } from 'node:stream'
import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import { SettableClock } from '@patchbay/testkit/clock'
import { expect, test } from 'vitest'
import {
  claimJob,
  expireJobs,
  finishJob,
  giveBackJob,
  isHeld,
  renewLease,
  retryJob,
} from '../src/queue.store.ts'
import { type BoardsNode, ENGINE, startBoards } from './start.ts'

const PROJECT = { 'a.kicad_sch': '(kicad_sch)', 'a.kicad_pcb': '(kicad_pcb)' }
const LEASE_MS = 20_000
const NOTHING = { results: [], notes: [], counts: {} }

type Node = BoardsNode & { readonly clock: SettableClock }

async function start(...owners: readonly string[]): Promise<Node> {
  const clock = new SettableClock()
  const node = await startBoards({ clock })
  for (const owner of owners) await node.make(`${owner}/board`, { ...PROJECT, 'a.kicad_wks': owner })
  await node.announce()
  return Object.assign(node, { clock })
}

let claims = 0
const claim = ({ db, clock }: Node, engine = ENGINE) =>
  claimJob(db, { engine, claim: `c${(claims += 1)}`, leaseMs: LEASE_MS, now: clock.now() })

async function requireClaim(node: Node) {
  const job = await claim(node)
  if (job === undefined) throw new Error('nothing is queued')
  return job
}

const render = async (node: Node, owner: string, width: number) =>
  (
    await node
      .boards(`${owner}/board`)
      .start({ operation: 'render', path: 'a.kicad_pcb', options: { width } })
  ).job.id

const jobOf = async (node: Node, key: string) =>
  await node.db.selectFrom('board_jobs').selectAll().where('key', '=', key).executeTakeFirstOrThrow()

test('[H-20] of many workers that ask at once, each job goes to one', async () => {
  await using node = await start('ada')
  const queued = await Promise.all([100, 200, 300, 400, 500].map((width) => render(node, 'ada', width)))
  const claimed = await Promise.all(Array.from({ length: 20 }, () => claim(node)))
  const keys = claimed.flatMap((job) => job?.key ?? [])
  expect(keys.toSorted()).toEqual(queued.toSorted())
})

test('[H-20] a worker takes jobs of its own engine alone', async () => {
  await using node = await start('ada')
  await render(node, 'ada', 100)
  expect(await claim(node, '9.0.1+other')).toBeUndefined()
  expect(await claim(node)).toBeDefined()
})

test('[H-21] the owner with the fewest running comes first, then what a person waits for, then the oldest', async () => {
  await using node = await start('ada', 'bob')
  const step = (await node.boards('ada/board').start({ operation: 'step', path: 'a.kicad_pcb' })).job.id
  const names = new Map([[step, 'ada exports']])
  for (const [owner, width] of [
    ['ada', 100],
    ['ada', 200],
    ['ada', 300],
    ['bob', 100],
    ['bob', 200],
  ] as const) {
    node.clock.advance(1_000)
    names.set(await render(node, owner, width), `${owner} ${width}`)
  }
  const order: (string | undefined)[] = []
  for (let at = 0; at < names.size; at += 1) order.push(names.get((await requireClaim(node)).key))
  expect(order).toEqual(['ada 100', 'bob 100', 'ada 200', 'bob 200', 'ada 300', 'ada exports'])
})

test('[H-22] a job whose lease has ended is queued again, and its first worker ends nothing any more', async () => {
  await using node = await start('ada')
  const key = await render(node, 'ada', 100)
  const first = await requireClaim(node)
  node.clock.advance(LEASE_MS - 1)
  expect(await renewLease(node.db, first, new Date(node.clock.now().getTime() + LEASE_MS))).toBe(true)
  node.clock.advance(LEASE_MS - 1)
  await expireJobs(node.db, node.clock.now())
  expect(await claim(node)).toBeUndefined()
  node.clock.advance(2)
  await expireJobs(node.db, node.clock.now())
  const second = await requireClaim(node)
  expect([second.key, second.attempts]).toEqual([key, 2])
  expect(await renewLease(node.db, first, node.clock.now())).toBe(false)
  expect(await finishJob(node.db, node.results, first, NOTHING, node.clock.now())).toBe(false)
  await retryJob(node.db, first, node.clock.now())
  await giveBackJob(node.db, first)
  expect(await jobOf(node, key)).toMatchObject({ state: 'running', claim: second.claim })
  expect(await finishJob(node.db, node.results, second, NOTHING, node.clock.now())).toBe(true)
  expect(await finishJob(node.db, node.results, second, NOTHING, node.clock.now())).toBe(false)
  expect(await jobOf(node, key)).toMatchObject({ state: 'done', attempts: 2 })
})

test('[H-23] a job that comes to nothing three times is refused with words', async () => {
  await using node = await start('ada')
  const key = await render(node, 'ada', 100)
  await retryJob(node.db, await requireClaim(node), node.clock.now())
  await requireClaim(node)
  node.clock.advance(LEASE_MS + 1)
  await expireJobs(node.db, node.clock.now())
  await retryJob(node.db, await requireClaim(node), node.clock.now())
  expect(await claim(node)).toBeUndefined()
  const job = await node.boards('ada/board').ended(key)
  expect(job).toMatchObject({ state: 'refused', attempts: 3, fault: { code: 'kicad_killed' } })
})

test('[H-24] a job that no worker takes is refused after a while, and asked for again without more ado', async () => {
  await using node = await start('ada')
  const key = await render(node, 'ada', 100)
  node.clock.advance(BOARD_LIMITS.queuedMs + 1)
  await expireJobs(node.db, node.clock.now())
  expect(await jobOf(node, key)).toMatchObject({ state: 'refused', fault_code: 'no_worker' })
  await node.announce()
  expect(await render(node, 'ada', 100)).toBe(key)
  expect(await jobOf(node, key)).toMatchObject({ state: 'queued', fault_code: null, attempts: 0 })
})

test('[H-95] metrics show what waits, since when, and who works', async () => {
  await using node = await start('ada')
  const shown = async () =>
    (await (await fetch(`${node.url}/metrics`)).text()).match(/^patchbay_board_.*/gm)?.join('\n')
  expect(await shown()).toBe(
    [
      'patchbay_board_jobs{state="queued",process="server"} 0',
      'patchbay_board_jobs{state="running",process="server"} 0',
      'patchbay_board_oldest_job_seconds{process="server"} 0',
      'patchbay_board_workers{process="server"} 1',
    ].join('\n'),
  )
  await render(node, 'ada', 100)
  node.clock.advance(7_000)
  await render(node, 'ada', 200)
  expect(await shown()).toContain('patchbay_board_jobs{state="queued",process="server"} 2')
  expect(await shown()).toContain('patchbay_board_oldest_job_seconds{process="server"} 7\n')
  await claim(node)
  expect(await shown()).toContain('patchbay_board_jobs{state="running",process="server"} 1')
  expect(await shown()).toContain('patchbay_board_oldest_job_seconds{process="server"} 0\n')
})

test('[H-25] what is given back is first in its line, and was no attempt', async () => {
  await using node = await start('ada')
  const key = await render(node, 'ada', 100)
  node.clock.advance(1_000)
  await render(node, 'ada', 200)
  await giveBackJob(node.db, await requireClaim(node))
  const job = await requireClaim(node)
  expect([job.key, job.attempts]).toEqual([key, 1])
})

test('[H-22] a result that is collected while a worker notes it costs the job another try, and is not lost', async () => {
  await using node = await start('ada')
  const key = await render(node, 'ada', 100)
  const job = await requireClaim(node)
  const { sha256, size } = await node.results.put(
    Readable.from([Buffer.from('bytes')], { objectMode: false }),
  )
  await node.results.delete(sha256)
  const result = { name: 'board.png', title: 'board.png', mediaType: 'image/png', bytes: size, sha256 }
  const finishing = finishJob(node.db, node.results, job, { ...NOTHING, results: [result] }, node.clock.now())
  await expect(finishing).rejects.toThrow('collected')
  expect(await jobOf(node, key)).toMatchObject({ state: 'running' })
})

const withdraw = async (node: Node, person: string, key: string, workspace = 'ada/board') =>
  await node.boards(workspace, person).ask('DELETE', `/jobs/${key}`)

test('[H-66] the last who waits ends a job, queued or running, and it is computed for whoever asks again', async () => {
  await using node = await start('ada', 'bob')
  const key = await render(node, 'ada', 100)
  const ask = { operation: 'render', path: 'a.kicad_pcb', options: { width: 100 } } as const
  await node.boards('ada/board', 'eve').start(ask)
  const other = await node.boards('ada/board', 'eve').start(ask)
  expect(other.job.id).toBe(key)
  expect(await (await withdraw(node, 'ada', key)).json()).toMatchObject({ state: 'queued', fault: null })
  // Whoever does not wait has nothing to withdraw, nor has anybody twice.
  expect(await (await withdraw(node, 'ada', key)).json()).toMatchObject({ state: 'queued' })
  expect(await (await withdraw(node, 'mallory', key)).json()).toMatchObject({ state: 'queued' })
  expect((await withdraw(node, 'bob', key, 'bob/board')).status).toBe(404)
  expect((await withdraw(node, 'stranger', key)).status).toBe(403)
  const job = await requireClaim(node)
  expect(await isHeld(node.db, job)).toBe(true)
  expect(await (await withdraw(node, 'eve', key)).json()).toMatchObject({
    state: 'refused',
    fault: { code: 'withdrawn' },
  })
  expect(await isHeld(node.db, job)).toBe(false)
  expect(await finishJob(node.db, node.results, job, NOTHING, node.clock.now())).toBe(false)
  expect(await claim(node)).toBeUndefined()
  expect(await render(node, 'ada', 100)).toBe(key)
  const again = await requireClaim(node)
  await finishJob(node.db, node.results, again, NOTHING, node.clock.now())
  expect(await (await withdraw(node, 'ada', key)).json()).toMatchObject({ state: 'done' })
})

test('[H-66] a job that two workspaces wait for goes on for the other', async () => {
  await using node = await start('ada')
  await node.make('bob/other', { ...PROJECT, 'a.kicad_wks': 'ada' })
  const key = await render(node, 'ada', 100)
  const same = await node.boards('bob/other', 'bob').start({
    operation: 'render',
    path: 'a.kicad_pcb',
    options: { width: 100 },
  })
  expect(same.job.id).toBe(key)
  expect(await (await withdraw(node, 'ada', key)).json()).toMatchObject({ state: 'queued' })
  expect(await jobOf(node, key)).toMatchObject({ state: 'queued' })
  const both = await Promise.all([
    withdraw(node, 'bob', key, 'bob/other'),
    withdraw(node, 'ada', key),
    withdraw(node, 'bob', key, 'bob/other'),
  ])
  expect(both.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await jobOf(node, key)).toMatchObject({ state: 'refused', fault_code: 'withdrawn' })
})

test('[H-66] of several who leave at once, the last one ends it', async () => {
  await using node = await start('ada')
  const people = ['ada', 'bob', 'eve', 'dan', 'fay', 'gus']
  const key = await render(node, 'ada', 100)
  const ask = { operation: 'render', path: 'a.kicad_pcb', options: { width: 100 } } as const
  await Promise.all(people.map((person) => node.boards('ada/board', person).start(ask)))
  await Promise.all(people.slice(1).map((person) => withdraw(node, person, key)))
  expect(await jobOf(node, key)).toMatchObject({ state: 'queued' })
  await withdraw(node, 'ada', key)
  expect(await jobOf(node, key)).toMatchObject({ state: 'refused' })
})
