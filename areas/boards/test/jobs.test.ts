import { Readable } from 'node:stream'
import type { BoardJob } from '@patchbay/contracts/boards'
import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import { SettableClock } from '@patchbay/testkit/clock'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { claimJob, endJob, finishJob } from '../src/queue.store.ts'
import { type BoardsNode, codeOf, ENGINE, sha256Of, startBoards } from './start.ts'

const PROJECT = {
  'a/a.kicad_pro': '{}',
  'a/a.kicad_sch': '(kicad_sch)',
  'a/a.kicad_pcb': '(kicad_pcb)',
  'a/notes.md': 'Notes',
}
const ERC = { operation: 'erc', path: 'a/a.kicad_sch' } as const

async function startWithProject() {
  const clock = new SettableClock()
  const node = await startBoards({ clock })
  await node.make('ada/board', PROJECT)
  await node.announce()
  return Object.assign(node, { clock })
}

const claim = (node: BoardsNode & { clock: SettableClock }, claim_ = 'c1') =>
  claimJob(node.db, { engine: ENGINE, claim: claim_, leaseMs: 20_000, now: node.clock.now() })

/** Ends the next job as a worker does. */
async function finishNext(node: BoardsNode & { clock: SettableClock }, text = 'the answer') {
  // Whoever asks for it at this moment holds the row, and it is passed over.
  let job = await claim(node)
  await waitUntil('a job is taken', async () => (job ??= await claim(node)) !== undefined)
  if (job === undefined) throw new Error('nothing is queued')
  const { sha256, size } = await node.results.put(Readable.from([Buffer.from(text)], { objectMode: false }))
  const result = { name: 'sheet-1.svg', title: '/', mediaType: 'image/svg+xml', bytes: size, sha256 }
  const answer = { results: [result], notes: ['A note'], counts: { sheets: 1 } }
  expect(await finishJob(node.db, node.results, job, answer, node.clock.now())).toBe(true)
  return job
}

deepTest('[H-1] a job is on a schematic, a board, or the project beside them', async () => {
  await using node = await startWithProject()
  const boards = node.boards('ada/board')
  const code = (question: object) => codeOf(boards.ask('POST', '/jobs', question))
  expect(await code(ERC)).toBe('201')
  expect(await code({ operation: 'erc', path: 'a/a.kicad_pro' })).toBe('200')
  expect(await code({ operation: 'drc', path: 'a/a.kicad_pro' })).toBe('201')
  expect(await code({ operation: 'pdf', path: 'a/a.kicad_pcb' })).toBe('201')
  expect(await code({ operation: 'erc', path: 'a/a.kicad_pcb' })).toBe('422 board_file_refused')
  expect(await code({ operation: 'model', path: 'a/a.kicad_sch' })).toBe('422 board_file_refused')
  expect(await code({ operation: 'erc', path: 'a/notes.md' })).toBe('422 board_file_refused')
  expect(await code({ operation: 'erc', path: 'a/b.kicad_sch' })).toBe('404 file_not_found')
  expect(await code({ operation: 'erc', path: '../a.kicad_sch' })).toBe('422 path_refused')
  expect(await code({ operation: 'render', path: 'a/a.kicad_pcb', options: { width: 1e9 } })).toBe(
    '400 invalid_request',
  )
  expect(await code({ operation: 'layers', path: 'a/a.kicad_pcb', options: { layers: ['--help'] } })).toBe(
    '400 invalid_request',
  )
  expect(await codeOf(node.boards('ada/board', 'stranger').ask('POST', '/jobs', ERC))).toBe(
    '403 not_permitted',
  )
})

test('[H-1] a job is on the files as they were after a change', async () => {
  await using node = await startWithProject()
  const boards = node.boards('ada/board')
  const first = (await boards.start(ERC)).job
  await node.write('ada/board', { 'a/a.kicad_sch': '(kicad_sch changed)' })
  const second = (await boards.start(ERC)).job
  expect(second.id).not.toBe(first.id)
  expect([first.revision, second.revision]).toEqual([1, 2])
  const again = await boards.start({ ...ERC, revision: 1 })
  expect([again.status, again.job.id]).toEqual([200, first.id])
})

test('[H-2] the same question about the same files is one job in all workspaces, wherever the project lies', async () => {
  await using node = await startWithProject()
  const moved = Object.entries(PROJECT).map(([path, text]) => [path.replace('a/', 'deep/er/'), text])
  await node.make('bob/other', Object.fromEntries(moved) as Record<string, string>)
  const first = await node.boards('ada/board').start(ERC)
  const second = await node.boards('bob/other').start({ operation: 'erc', path: 'deep/er/a.kicad_sch' })
  expect([first.status, second.status]).toEqual([201, 200])
  expect(second.job.id).toBe(first.job.id)
  expect([first.job.path, second.job.path]).toEqual(['a/a.kicad_sch', 'deep/er/a.kicad_sch'])
  await finishNext(node)
  expect(await claim(node)).toBeUndefined()
  expect((await node.boards('bob/other').ended(first.job.id)).state).toBe('done')
})

test('[H-2] options count as what they mean: said or not, in any order', async () => {
  await using node = await startWithProject()
  const boards = node.boards('ada/board')
  const id = async (options: object) =>
    (await boards.start({ operation: 'render', path: 'a/a.kicad_pcb', options })).job.id
  const plain = await id({})
  expect(await id({ side: 'top', width: 1_600 })).toBe(plain)
  expect(await id({ width: 1_600, side: 'top' })).toBe(plain)
  expect(await id({ side: 'bottom' })).not.toBe(plain)
  await node.announce('10.0.0+test')
  expect(await id({})).not.toBe(plain)
})

test('[H-3] what an operation does not read does not change its job', async () => {
  await using node = await startWithProject()
  const boards = node.boards('ada/board')
  const model = { operation: 'model', path: 'a/a.kicad_pcb' } as const
  const before = { erc: (await boards.start(ERC)).job, model: (await boards.start(model)).job }
  await node.write('ada/board', {
    'a/a.kicad_sch': '(kicad_sch changed)',
    'other/x.kicad_sch': '(kicad_sch)',
    'a/notes.md': 'More notes',
  })
  expect((await boards.start(ERC)).job.id).not.toBe(before.erc.id)
  expect((await boards.start(model)).job.id).toBe(before.model.id)
  await node.write('ada/board', { 'a/parts/case.STEP': 'solid' })
  expect((await boards.start(model)).job.id).not.toBe(before.model.id)
})

test('[H-3] the check of a schematic reads the simulation models that symbols name', async () => {
  await using node = await startWithProject()
  const boards = node.boards('ada/board')
  const before = (await boards.start(ERC)).job.id
  await node.write('ada/board', { 'a/models/diode.mod': '.model 1N4148 D' })
  expect((await boards.start(ERC)).job.id).not.toBe(before)
})

deepTest('[H-3] a project of too many files is refused', async () => {
  await using node = await startWithProject()
  const many = Array.from({ length: BOARD_LIMITS.inputs }, (_, at) => [`a/s${at}.kicad_sch`, '(kicad_sch)'])
  await node.write('ada/board', Object.fromEntries(many) as Record<string, string>)
  expect(await codeOf(node.boards('ada/board').ask('POST', '/jobs', ERC))).toBe('422 board_file_refused')
})

test('[H-4] a job is read through a workspace that has asked for it, by whoever may read its files', async () => {
  await using node = await startWithProject()
  await node.make('bob/other', PROJECT)
  const { job } = await node.boards('ada/board').start(ERC)
  await finishNext(node)
  const at = `/jobs/${job.id}`
  expect(await codeOf(node.boards('ada/board', 'reader').ask('GET', at))).toBe('200')
  expect(await codeOf(node.boards('ada/board', 'stranger').ask('GET', at))).toBe('403 not_permitted')
  expect(await codeOf(node.boards('bob/other').ask('GET', at))).toBe('404 board_job_not_found')
  expect(await codeOf(node.boards('bob/other').ask('GET', `${at}/results/sheet-1.svg`))).toBe(
    '404 board_job_not_found',
  )
})

test('[H-5] a request waits for the end of a job, and no longer than it said', async () => {
  await using node = await startWithProject()
  const boards = node.boards('ada/board')
  const { job } = await boards.start(ERC)
  const early = await boards.ask('GET', `/jobs/${job.id}?wait=1`)
  expect(((await early.json()) as BoardJob).state).toBe('queued')
  const waiting = boards.ask('POST', '/jobs?wait=30', ERC)
  await finishNext(node)
  expect(((await (await waiting).json()) as BoardJob).state).toBe('done')
  expect(await codeOf(boards.ask('GET', `/jobs/${job.id}?wait=31`))).toBe('400 invalid_request')
})

test('[H-6] a result has its hash for an ETag, is given in parts, and runs nowhere', async () => {
  await using node = await startWithProject()
  const boards = node.boards('ada/board')
  const { job } = await boards.start(ERC)
  await finishNext(node, '<svg>the answer</svg>')
  const [listed] = (await boards.ended(job.id)).results
  const read = (headers: Record<string, string> = {}) =>
    fetch(node.url + (listed?.href ?? ''), { headers: { 'x-test-person': 'ada', ...headers } })
  const whole = await read()
  expect(await whole.text()).toBe('<svg>the answer</svg>')
  expect(whole.headers.get('etag')).toBe(`"${sha256Of('<svg>the answer</svg>')}"`)
  expect(whole.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
  expect(whole.headers.get('x-content-type-options')).toBe('nosniff')
  expect(whole.headers.get('cache-control')).toContain('immutable')
  expect((await read({ 'if-none-match': whole.headers.get('etag') ?? '' })).status).toBe(304)
  const part = await read({ range: 'bytes=5-7' })
  expect([part.status, await part.text()]).toEqual([206, 'the'])
  expect(await codeOf(read({ range: 'bytes=99-' }))).toBe('416 range_not_satisfiable')
  expect(await codeOf(boards.ask('GET', `/jobs/${job.id}/results/other.svg`))).toBe(
    '404 board_result_not_found',
  )
})

test('[H-6] a job whose bytes are gone is done again', async () => {
  await using node = await startWithProject()
  const boards = node.boards('ada/board')
  const { job } = await boards.start(ERC)
  await finishNext(node)
  await node.results.delete((await boards.ended(job.id)).results[0]?.sha256 ?? '')
  expect(await codeOf(boards.ask('GET', `/jobs/${job.id}/results/sheet-1.svg`))).toBe(
    '404 board_job_not_found',
  )
  expect((await boards.start(ERC)).status).toBe(201)
  await finishNext(node)
  expect(await (await boards.result(job, 'sheet-1.svg')).text()).toBe('the answer')
})

test('[H-7] an owner has so many jobs that wait or run; what is done is answered nevertheless', async () => {
  await using node = await startWithProject()
  const boards = node.boards('ada/board')
  const { job } = await boards.start(ERC)
  await finishNext(node)
  for (let at = 0; at < BOARD_LIMITS.queuedPerOwner; at += 1)
    await boards.start({ operation: 'render', path: 'a/a.kicad_pcb', options: { width: 100 + at } })
  const more = { operation: 'drc', path: 'a/a.kicad_pcb' } as const
  expect(await codeOf(boards.ask('POST', '/jobs', more))).toBe('429 too_many_jobs')
  expect((await boards.start(ERC)).job.id).toBe(job.id)
  await node.make('bob/other', PROJECT)
  expect((await node.boards('bob/other').start(more)).status).toBe(201)
})

test('[H-8] a failed job stays so until it is asked for as a retry', async () => {
  await using node = await startWithProject()
  const boards = node.boards('ada/board')
  const { job } = await boards.start(ERC)
  const claimed = await claim(node)
  if (claimed === undefined) throw new Error('nothing is queued')
  const fault = { code: 'kicad_failed' as const, detail: 'Failed to load schematic' }
  await endJob(node.db, claimed, 'failed', fault, [], node.clock.now())
  const known = await boards.start(ERC)
  expect([known.status, known.job.state, known.job.fault]).toEqual([200, 'failed', fault])
  const again = await boards.start({ ...ERC, isRetry: true })
  expect([again.status, again.job.state, again.job.fault, again.job.id]).toEqual([
    201,
    'queued',
    null,
    job.id,
  ])
  await finishNext(node)
  expect((await boards.start({ ...ERC, isRetry: true })).job.state).toBe('done')
})

test('[H-9] the jobs of a workspace are listed in pages, the last asked for first', async () => {
  await using node = await startWithProject()
  const boards = node.boards('ada/board')
  const widths = [100, 200, 300, 400, 500]
  for (const width of widths) {
    node.clock.advance(1_000)
    await boards.start({ operation: 'render', path: 'a/a.kicad_pcb', options: { width } })
  }
  const seen: unknown[] = []
  let cursor = ''
  for (let pages = 0; pages < 10; pages += 1) {
    const answer = await boards.ask('GET', `/jobs?limit=2${cursor}`)
    const page = (await answer.json()) as { items: BoardJob[]; nextCursor: string | null }
    seen.push(...page.items.map(({ options }) => options['width']))
    if (page.nextCursor === null) break
    cursor = `&cursor=${page.nextCursor}`
  }
  expect(seen).toEqual(widths.toReversed())
  expect(await codeOf(boards.ask('GET', '/jobs?cursor=nonsense'))).toBe('400 invalid_request')
  const none = await boards.ask('GET', '/jobs?path=a/a.kicad_sch')
  expect(((await none.json()) as { items: unknown[] }).items).toEqual([])
})

test('[H-9] a workspace remembers so many jobs', async () => {
  await using node = await startWithProject()
  const boards = node.boards('ada/board')
  await boards.start(ERC)
  // As many as there may be, older than any.
  await sql`
    insert into board_jobs (key, engine, operation, options, file, inputs, priority, owner, state, created_at, queued_at, used_at)
    select 'k' || n, 'e', 'erc', '{}', 'f', '[]', 0, 'zoe', 'done', now(), now(), now()
    from generate_series(1, ${BOARD_LIMITS.jobsPerWorkspace}) as n`.execute(node.db)
  await sql`
    insert into board_asks (owner, repo, key, path, revision, asked_at)
    select 'ada', 'board', 'k' || n, 'p', 1, '2001-01-01' from generate_series(1, ${BOARD_LIMITS.jobsPerWorkspace}) as n`.execute(
    node.db,
  )
  await boards.start({ operation: 'bom', path: 'a/a.kicad_sch' })
  const { rows } = await sql<{ asks: number }>`select count(*)::integer as asks from board_asks`.execute(
    node.db,
  )
  expect(rows[0]?.asks).toBe(BOARD_LIMITS.jobsPerWorkspace)
})

test('[H-10] without a worker it is said what to install, and what is done can be read', async () => {
  const clock = new SettableClock()
  await using node = Object.assign(await startBoards({ clock }), { clock })
  await node.make('ada/board', PROJECT)
  const boards = node.boards('ada/board')
  expect(await boards.engine()).toEqual({
    isRunning: false,
    workers: 0,
    version: null,
    seenAt: null,
    hint: expect.stringContaining('bubblewrap'),
  })
  expect(await codeOf(boards.ask('POST', '/jobs', ERC))).toBe('503 board_engine_missing')
  await node.announce()
  expect(await boards.engine()).toMatchObject({ isRunning: true, workers: 1, version: '9.0.8', hint: null })
  const { job } = await boards.start(ERC)
  await finishNext(node)
  clock.advance(BOARD_LIMITS.workerSeenMs + 1)
  expect(await boards.engine()).toMatchObject({ isRunning: false, version: '9.0.8' })
  expect((await boards.start({ ...ERC, operation: 'netlist' })).status).toBe(201)
  clock.advance(BOARD_LIMITS.workerAwaitedMs)
  expect((await boards.start(ERC)).job).toMatchObject({ id: job.id, state: 'done' })
  expect(await codeOf(boards.ask('POST', '/jobs', { ...ERC, operation: 'bom' }))).toBe(
    '503 board_engine_missing',
  )
})

test('[H-80][H-81] results that nobody reads go after 30 days, and those of removed workspaces sooner', async () => {
  await using node = await startWithProject()
  await node.make('bob/other', PROJECT)
  const [mine, theirs] = [node.boards('ada/board'), node.boards('bob/other')]
  const { job } = await mine.start(ERC)
  await finishNext(node)
  const drc = { operation: 'drc', path: 'a/a.kicad_pcb' } as const
  const shared = (await mine.start(drc)).job
  await theirs.start(drc)
  await finishNext(node, 'shared')
  const isKept = async (text: string) => (await node.results.stat(sha256Of(text))) !== undefined
  const DAY = 24 * 60 * 60_000
  node.clock.advance(20 * DAY)
  await mine.result(job, 'sheet-1.svg')
  node.clock.advance(20 * DAY)
  await node.collection.sweep()
  expect([await isKept('the answer'), await isKept('shared')]).toEqual([true, false])
  expect(await codeOf(mine.ask('GET', `/jobs/${shared.id}`))).toBe('404 board_job_not_found')
  await node.remove('ada/board')
  await node.collection.sweep()
  expect(await isKept('the answer')).toBe(false)
  expect(await node.db.selectFrom('board_jobs').select('key').execute()).toEqual([])
})
