import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { connectWorkspace } from '../../src/workspace/index.ts'
import { problem, startScriptedServer, type Turn } from './scripted-server.ts'

const ID = '33333333-3333-4333-8333-333333333333'
const PANEL = '22222222-2222-4222-8222-222222222222'
const QUEUED: Turn = { body: { status: 'queued', id: ID, expiresAt: '2026-01-01T00:10:00.000Z' } }
const EXECUTED: Turn = { body: { status: 'executed', id: ID, result: 42 } }
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0x00, 0xfe])
const FACTS = { id: ID, scope: 'workspace', engine: 'restriction-target', width: 800, height: 600 }
const PICTURE: Turn = { body: PNG, headers: { 'patchbay-capture': JSON.stringify(FACTS) } }
const NOT_SHARED = problem('sharing_not_enabled', 504)

// Every test has a server of its own, and waits more than it works: all of them side by side.
const open = (baseUrl: string) => connectWorkspace({ baseUrl, apiKey: 'key_1', owner: 'ada', repo: 'board' })

deepTest.concurrent(
  '[CL-109] code that is queued is followed until it has run, also through a server that restarts',
  async () => {
    await using server = await startScriptedServer(
      QUEUED,
      QUEUED,
      ...Array.from({ length: 4 }, () => 'hang up' as const),
      EXECUTED,
    )
    expect(await open(server.url).sandbox(PANEL).evalAndWait('6*7', { waitMs: 20_000 })).toMatchObject({
      status: 'executed',
      result: 42,
    })
    expect(server.asked.map(({ method }) => method)).toEqual([
      'PATCH',
      ...Array.from({ length: 6 }, () => 'GET'),
    ])
    const [, first] = server.asked.map(({ path }) => new URL(path, server.url))
    expect(first?.pathname).toBe(`/api/panels/sandbox/ada/board/evals/${ID}`)
    const waitMs = Number(first?.searchParams.get('waitMs'))
    expect(waitMs).toBeGreaterThan(10_000)
    expect(waitMs).toBeLessThanOrEqual(20_000)
  },
)

deepTest.concurrent(
  '[CL-109] so it is through a proxy that says that the server is away',
  async () => {
    await using server = await startScriptedServer(
      QUEUED,
      ...Array.from({ length: 4 }, () => ({ status: 502, body: { away: true } })),
      problem('database_unavailable', 503),
      EXECUTED,
    )
    const outcome = await open(server.url).sandbox(PANEL).evalAndWait('6*7', { waitMs: 60_000 })
    expect(outcome).toMatchObject({ result: 42 })
    server.answer(QUEUED, problem('not_found', 404))
    await expect(open(server.url).sandbox(PANEL).evalAndWait('6*7')).rejects.toMatchObject({
      code: 'not_found',
    })
  },
  60_000,
)

deepTest.concurrent('[CL-109] when the time is over, what is still queued is said to be', async () => {
  await using server = await startScriptedServer(QUEUED)
  const outcome = await open(server.url).sandbox(PANEL).evalAndWait('6*7', { waitMs: 700 })
  expect(outcome).toMatchObject({ status: 'queued', id: ID })
  // Asked with pauses, although every answer came at once.
  expect(server.asked.length).toBeLessThanOrEqual(6)
})

test.concurrent('[CL-109] code that ran at once is not asked for', async () => {
  await using server = await startScriptedServer(EXECUTED)
  expect(await open(server.url).sandbox(PANEL).evalAndWait('6*7')).toMatchObject({ result: 42 })
  expect(server.asked).toHaveLength(1)
})

test.concurrent('[CL-110] a picture is the bytes as they came, with the facts of the same answer', async () => {
  await using server = await startScriptedServer(PICTURE)
  const { png, capture } = await open(server.url).screenshotPng({ scope: 'workspace' })
  expect(png).toEqual(PNG)
  expect(capture).toEqual(FACTS)
  expect(server.asked[0]).toMatchObject({ method: 'PATCH', headers: { accept: 'image/png' } })
  expect(await open(server.url).fetchScreenshot(ID)).toEqual(PNG)
  expect(server.asked[1]).toMatchObject({
    method: 'GET',
    path: `/api/workspaces/editor/ada/board/screenshots/${ID}.png`,
  })
})

test.concurrent('[CL-110] what is no picture, or does not say how it was taken, is none', async () => {
  await using server = await startScriptedServer({ body: PNG })
  const take = () => open(server.url).screenshotPng({ scope: 'screen' })
  await expect(take()).rejects.toThrow('how the picture was taken')
  server.answer({ body: new TextEncoder().encode('<html>'), headers: { 'patchbay-capture': '{}' } })
  await expect(take()).rejects.toThrow('no PNG')
})

deepTest.concurrent(
  '[CL-111] while the person has not shared yet, it asks again after three seconds for as long as it was told',
  async () => {
    await using server = await startScriptedServer(NOT_SHARED, PICTURE)
    const { png } = await open(server.url).screenshotPng({ scope: 'workspace', waitForSharing: 20_000 })
    expect(png).toEqual(PNG)
    const [first, second] = server.asked.map(({ at }) => at)
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(2_990)
    expect(server.asked[1]?.body).toEqual({ scope: 'workspace' })
  },
)

deepTest.concurrent('[CL-111] F9: asking again takes longer each time', async () => {
  await using server = await startScriptedServer(NOT_SHARED, NOT_SHARED, PICTURE)
  await open(server.url).screenshotPng({ scope: 'workspace', waitForSharing: 30_000 })
  const [, second = 0, third = 0] = server.asked.map(({ at }) => at)
  expect(third - second).toBeGreaterThan(3_600)
})

test.concurrent('[CL-111] F9: a person who declines ends the waiting', async () => {
  await using server = await startScriptedServer(problem('sharing_declined', 504))
  const refused = open(server.url).screenshot({ scope: 'screen', waitForSharing: 60_000 })
  await expect(refused).rejects.toMatchObject({ code: 'sharing_declined' })
  expect(server.asked).toHaveLength(1)
})

deepTest.concurrent('[CL-111] when the time it was told is over, the refusal is the answer', async () => {
  await using server = await startScriptedServer(NOT_SHARED)
  const asking = open(server.url).screenshot({ scope: 'screen', waitForSharing: 4_000 })
  await expect(asking).rejects.toMatchObject({ code: 'sharing_not_enabled' })
  expect(server.asked).toHaveLength(2)
})

test.concurrent('[CL-111] without being told to wait it asks once, and another refusal ends the waiting', async () => {
  await using server = await startScriptedServer(NOT_SHARED)
  await expect(open(server.url).screenshot({ scope: 'screen' })).rejects.toMatchObject({ status: 504 })
  server.answer(problem('workspace_not_open', 409))
  const refused = open(server.url).screenshot({ scope: 'screen', waitForSharing: 60_000 })
  await expect(refused).rejects.toMatchObject({ code: 'workspace_not_open' })
  expect(server.asked).toHaveLength(2)
})
