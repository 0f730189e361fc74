import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { connectWorkspace, Problem, Unanswered, UnexpectedResponse } from '../../src/workspace/index.ts'
import { problem, startScriptedServer } from './scripted-server.ts'

const ID = 'a'.repeat(64)
const job = (state: string) => ({ body: { id: ID, state, results: [], counts: {}, fault: null } })
const ERC = { operation: 'erc', path: 'lamp.kicad_sch' } as const
const boardsOf = (url: string) =>
  connectWorkspace({ baseUrl: url, apiKey: 'key_1', owner: 'ada', repo: 'board' }).boards

deepTest('[CL-153] a job is waited for, also through a server that restarts', async () => {
  await using server = await startScriptedServer(
    job('queued'),
    'hang up',
    problem('shutting_down', 503, { 'retry-after': '0' }),
    job('running'),
    job('done'),
  )
  expect(await boardsOf(server.url).run(ERC)).toMatchObject({ id: ID, state: 'done' })
  const [first, ...others] = server.asked
  expect(first).toMatchObject({
    method: 'POST',
    path: expect.stringContaining('/boards/jobs?wait=25'),
    body: ERC,
  })
  expect(others.map(({ method, path }) => [method, path.includes(`/boards/jobs/${ID}?wait=`)])).toEqual(
    Array.from({ length: 4 }, () => ['GET', true]),
  )
})

test('[CL-156] whoever asks is told how far a job is while it is waited for', async () => {
  const progress = { step: 'working', said: 'Rendering: 43 %', elapsedMs: 10, typicalMs: null, percent: null }
  await using server = await startScriptedServer(
    job('queued'),
    { body: { ...job('running').body, progress } },
    job('done'),
  )
  const told: unknown[] = []
  const onProgress = (each: { state: string; progress?: unknown }) => told.push([each.state, each.progress])
  expect(await boardsOf(server.url).run(ERC, { onProgress })).toMatchObject({ state: 'done' })
  expect(told).toEqual([
    ['queued', undefined],
    ['running', progress],
  ])
  expect(server.asked.map(({ path }) => path.split('?')[1])).toEqual(['wait=2', 'wait=2', 'wait=2'])
})

test('[CL-153] when the time is over the job is as it is then', async () => {
  await using server = await startScriptedServer(job('running'))
  const boards = boardsOf(server.url)
  expect(await boards.run(ERC, { waitMs: 300 })).toMatchObject({ state: 'running' })
  expect(await boards.wait(ID, { waitMs: 300 })).toMatchObject({ state: 'running' })
  const ended = new AbortController()
  const waiting = boards.wait(ID, { signal: ended.signal })
  ended.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
})

test('[CL-158] whoever stops waiting withdraws the job, also when the whole connection ends', async () => {
  for (const whose of ['call', 'connection'] as const) {
    await using server = await startScriptedServer(job('queued'), 'silence', job('refused'))
    const ended = new AbortController()
    const { signal } = ended
    const { boards } = connectWorkspace({
      baseUrl: server.url,
      apiKey: 'key_1',
      owner: 'ada',
      repo: 'board',
      ...(whose === 'connection' && { signal }),
    })
    const running = boards.run(ERC, whose === 'call' ? { signal } : {})
    const failure = running.catch((error: unknown) => error)
    await expect.poll(() => server.asked.length).toBe(2)
    ended.abort(new Error('enough'))
    expect(await failure).toMatchObject({ message: 'enough' })
    expect(server.asked.map(({ method }) => method)).toEqual(['POST', 'GET', 'DELETE'])
    expect(server.asked.at(-1)?.path).toMatch(new RegExp(`/boards/jobs/${ID}$`))
  }
})

test('[CL-158] a job that the same person withdraws somewhere else is asked for again', async () => {
  const withdrawn = { body: { ...job('refused').body, fault: { code: 'withdrawn', detail: '' } } }
  await using server = await startScriptedServer(job('queued'), withdrawn, job('done'), withdrawn)
  const boards = boardsOf(server.url)
  expect(await boards.run(ERC)).toMatchObject({ state: 'done' })
  expect(server.asked.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST'])
  expect(await boards.withdraw(ID)).toMatchObject({ state: 'refused' })
})

deepTest('[CL-153] what is refused is a problem', async () => {
  await using server = await startScriptedServer(problem('board_engine_missing', 422))
  const refused = boardsOf(server.url).run(ERC)
  await expect(refused).rejects.toBeInstanceOf(Problem)
  await expect(refused).rejects.toMatchObject({ code: 'board_engine_missing' })
})

test('[CL-154] a report is what the file of the job says, and nothing else is one', async () => {
  const report = { kind: 'erc', errors: 1, warnings: 0, exclusions: 0, isComplete: true, violations: [] }
  await using server = await startScriptedServer(
    { body: report },
    { body: { hello: 'there' } },
    { body: new TextEncoder().encode('no JSON') },
  )
  const boards = boardsOf(server.url)
  expect(await boards.report({ id: ID })).toEqual(report)
  await expect(boards.report({ id: ID })).rejects.toBeInstanceOf(UnexpectedResponse)
  await expect(boards.report({ id: ID })).rejects.toBeInstanceOf(UnexpectedResponse)
  expect(server.asked[0]?.path).toMatch(new RegExp(`/boards/jobs/${ID}/results/report\\.json$`))
})

test('[CL-160] symbols are numbered, and asking twice is asking once', async () => {
  const done = { revision: 3, isChanged: true, files: [] }
  await using server = await startScriptedServer('hang up', { body: done })
  expect(await boardsOf(server.url).annotate('lamp.kicad_pro', { reason: 'New parts' })).toEqual(done)
  expect(server.asked.map(({ body }) => body)).toEqual(
    Array.from({ length: 2 }, () => ({ path: 'lamp.kicad_pro', reason: 'New parts' })),
  )
})

test('[CL-159] symbols are found by words', async () => {
  const found = { items: [{ libId: 'Device:R', description: 'Resistor', keywords: '' }], isComplete: true }
  await using server = await startScriptedServer({ body: found })
  expect(await boardsOf(server.url).searchSymbols('res 1%', { limit: 5 })).toEqual(found)
  expect(server.asked[0]?.path).toMatch(/\/boards\/symbols\?text=res(?:\+|%20)1%25&limit=5$/)
})

test('[CL-155] changes are sent once', async () => {
  await using server = await startScriptedServer('hang up')
  const changes = [{ type: 'delete', ids: ['R1'] }] as const
  const changing = boardsOf(server.url).change('lamp.kicad_sch', [{ ...changes[0], ids: ['R1'] }], {
    reason: 'Not needed',
  })
  await expect(changing).rejects.toBeInstanceOf(Unanswered)
  expect(server.asked).toEqual([
    expect.objectContaining({
      method: 'POST',
      body: { path: 'lamp.kicad_sch', changes, reason: 'Not needed' },
    }),
  ])
})

test('[CL-157] libraries are listed, added, read and removed, and adding one is tried again', async () => {
  const href = `/api/workspaces/editor/ada/board/boards/libraries/com.example.lamps/symbols/${ID}`
  const library = { identifier: 'com.example.lamps', symbols: [{ nickname: 'PCM_Lamps', bytes: 1, href }] }
  await using server = await startScriptedServer(
    { body: { items: [library] } },
    'hang up',
    { status: 201, body: library },
    { body: { anything: true } },
    { status: 204 },
  )
  const { libraries } = boardsOf(server.url)
  const [listed] = await libraries.list()
  expect(listed).toEqual(library)
  const added = await libraries.add('com.example.lamps', { version: '1.0', reason: 'for the lamp' })
  expect(await libraries.readSymbols(added, 'PCM_Lamps')).toContain('anything')
  await expect(libraries.readSymbols(added, 'PCM_Others')).rejects.toThrow(TypeError)
  await libraries.remove('com.example.lamps', { reason: 'no lamp' })
  const one = '/api/workspaces/editor/ada/board/boards/libraries/com.example.lamps'
  expect(server.asked.map(({ method, path }) => [method, path])).toEqual([
    ['GET', one.slice(0, one.lastIndexOf('/'))],
    ['PUT', one],
    ['PUT', one],
    ['GET', href],
    ['DELETE', `${one}?reason=no+lamp`],
  ])
  expect(server.asked[1]?.body).toEqual({ version: '1.0', reason: 'for the lamp' })
})
