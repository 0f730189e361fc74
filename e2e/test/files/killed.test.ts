import { setTimeout as sleep } from 'node:timers/promises'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { makeAccount, openSession, pageHeaders } from '../installation/accounts.ts'
import { type Engines, startEngines } from './engines.ts'
import { findDeviations, type Reader, readCounts, readNamed, readStored } from './verify.ts'
import { createJournal, createRandom, type Journal, write } from './writers.ts'

const WRITERS = 8
const SEED = 20_261_118
const OWNER = 'ada'
const WORKSPACES = [`${OWNER}/lamp`, `${OWNER}/radio`]
/** How long something is away, at most; requests give up later. */
const AWAY_MS = 1_500

/** `restart`: a node that is killed and started again; `end`: one that is killed. */
type Event = 'restart' | 'end' | 'database' | 'store' | 'collection'

/** Unnamed bytes are kept for a day. The second time comes when deletions are over that the first has left. */
const SOON_DAYS = 2
const LATER_DAYS = 4

interface Run {
  readonly operations: number
  /** What happens while the writers work, spread evenly over it. */
  readonly events: readonly Event[]
  readonly deadlineMs: number
}

test('[F-22] what was acknowledged survives a node that is killed, and nothing is done by half', {
  timeout: 90_000,
}, async () => {
  const events: Event[] = ['collection', 'end', 'collection']
  expect(await runKilled({ operations: 100, events, deadlineMs: 60_000 })).toBeGreaterThan(100 / 5)
})

deepTest(
  '[F-22] 10,000 operations by 8 writers survive kills of nodes, of PostgreSQL and of the object store',
  { timeout: 45 * 60_000 },
  async () => {
    const round: Event[] = ['restart', 'database', 'collection', 'restart', 'store']
    const events = Array.from({ length: 12 }, () => round).flat()
    expect(await runKilled({ operations: 10_000, events, deadlineMs: 30 * 60_000 })).toBeGreaterThan(
      10_000 / 5,
    )
  },
)

/** Answers how many changes there were: without some the writers would have been busy with being refused. */
async function runKilled({ operations, events, deadlineMs }: Run): Promise<number> {
  const mayKill = events.includes('database') || events.includes('store')
  await using engines = await startEngines({ mayKill })
  const { db, objects } = engines
  const keys = await makeWriters(engines)
  const journal = createJournal()
  const signal = AbortSignal.timeout(deadlineMs)
  const nodeUrls = () => engines.nodeUrls()
  const writing = Promise.all(
    keys.map(({ name, key }, index) => {
      const random = createRandom(SEED + index)
      return write({ name, key, workspaces: WORKSPACES, nodeUrls, random, journal, operations, signal })
    }),
  )
  const disturbing = disturb(engines, journal, { operations, events, signal })
  await Promise.all([writing, disturbing])
  const told = `${JSON.stringify([...journal.answers])}\n${engines.logs()}`
  if (journal.faults.length > 0 || journal.answered < operations)
    throw new Error(`${journal.answered} answered; ${JSON.stringify(journal.faults.slice(0, 5))}\n${told}`)

  const readers = WORKSPACES.map((workspace) => createReader(engines, workspace, keys[0]?.key ?? ''))
  let changes = 0
  for (const reader of readers) {
    const { faults, states } = await findDeviations(db, reader, journal)
    if (faults.length > 0)
      throw new Error(
        `${reader.workspace}: ${faults.length} deviations, ${JSON.stringify(faults.slice(0, 5))}\n${told}`,
      )
    changes += states.length - 1
  }
  const { rows: actors } = await sql<{ actions: number }>`
    select sum(actions)::integer as actions from workspace_actors`.execute(db)
  expect(actors[0]?.actions).toBe(changes)
  await expectExactCounts(engines)
  await engines.collect(LATER_DAYS)
  await expectExactCounts(engines)
  expect(await readStored(objects)).toEqual(await readNamed(db))

  // What the second workspace leaves is what the first one has.
  await sql`delete from workspaces where repo = 'radio'`.execute(db)
  await engines.collect(LATER_DAYS)
  await expectExactCounts(engines)
  expect(await readStored(objects)).toEqual(await readNamed(db))
  report(engines, journal, changes)
  return changes
}

async function expectExactCounts({ db }: Engines): Promise<void> {
  const { counted, real } = await readCounts(db)
  expect(counted).toEqual(real)
}

/** Kills and starts again, one after the other, each after a share of the work. */
async function disturb(
  engines: Engines,
  journal: Journal,
  { operations, events, signal }: Pick<Run, 'operations' | 'events'> & { readonly signal: AbortSignal },
): Promise<void> {
  const random = createRandom(SEED)
  const collecting: Promise<void>[] = []
  for (const [index, event] of events.entries()) {
    const share = (operations * (index + 1)) / (events.length + 1)
    await waitUntil(
      `${share} operations were answered`,
      () => {
        signal.throwIfAborted()
        return journal.answered >= share
      },
      { deadlineMs: 10 * 60_000, intervalMs: 5 },
    )
    // It goes on while the next ones happen, and may fail for it: what is left waits for another time.
    if (event === 'collection') collecting.push(engines.collect(SOON_DAYS).catch(() => undefined))
    else await happen(engines, event, random.below(AWAY_MS))
  }
  await Promise.all(collecting)
}

async function happen(engines: Engines, event: Exclude<Event, 'collection'>, awayMs: number): Promise<void> {
  if (event === 'restart' || event === 'end') {
    await engines.killNode()
    if (event === 'restart') await engines.startNode()
  } else if (event === 'database') {
    await engines.killDatabase()
    await sleep(awayMs)
    await engines.startDatabase()
  } else {
    await engines.killStore()
    await sleep(awayMs)
    await engines.startStore()
  }
}

/** A key for each writer, and the workspaces. */
async function makeWriters(engines: Engines): Promise<{ readonly name: string; readonly key: string }[]> {
  const [url] = engines.nodeUrls()
  const headers = pageHeaders(
    await openSession(engines, await makeAccount(engines, OWNER)),
    'http://localhost:8790',
  )
  const { 'content-type': _, ...plain } = headers
  for (const workspace of WORKSPACES) {
    const made = await fetch(`${url}/api/workspaces/editor/${workspace}`, { method: 'PUT', headers: plain })
    expect(made.status).toBe(201)
  }
  return await Promise.all(
    Array.from({ length: WRITERS }, async (_each, index) => {
      const name = `writer-${index}`
      const body = JSON.stringify({ name, scopes: [`files:write:${OWNER}/*`] })
      const answer = await fetch(`${url}/auth/keys`, { method: 'POST', headers, body })
      expect(answer.status).toBe(201)
      const { key } = (await answer.json()) as { key: string }
      return { name, key }
    }),
  )
}

function createReader(engines: Engines, workspace: string, key: string): Reader {
  let asked = 0
  return {
    workspace,
    async get(path) {
      asked += 1
      const urls = engines.nodeUrls()
      const url = `${urls[asked % urls.length]}/api/workspaces/editor/${workspace}/files${path}`
      const answer = await fetch(url, { headers: { 'x-api-key': key }, signal: AbortSignal.timeout(60_000) })
      if (!answer.ok) throw new Error(`${workspace} ${path}: ${answer.status} ${await answer.text()}`)
      return answer
    },
  }
}

/** What a run has seen: without it nobody could tell a test that finds nothing from one that does nothing. */
function report({ storeKind }: Engines, journal: Journal, changes: number): void {
  const unknown = journal.attempts.filter(({ outcome }) => outcome.kind === 'unknown').length
  const answers = [...journal.answers].map(([kind, count]) => `${kind}: ${count}`).toSorted()
  // oxlint-disable-next-line no-console -- a run nobody can look into proves little
  console.info(
    `[F-22] ${storeKind}: ${journal.answered} operations, ${changes} changes, ${unknown} of unknown outcome; ${answers.join(', ')}`,
  )
}
