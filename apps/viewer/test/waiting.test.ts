import { request } from 'node:http'
import type { Paste } from '@patchbay/contracts/viewer'
import { atLatest, deepTest } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startModel, type TestModel } from './model.ts'
import { openPage } from './page.ts'
import { png } from './pictures.ts'
import { createProject, type Face, startTestViewer, type TestViewer } from './start.ts'

interface Next {
  readonly paste: Paste
  readonly cursor: string
}

const PATIENT = { deadlineMs: 30_000 }
const next = (face: Face, query: string) => face.json<Next>(`/api/next-paste?${query}`)
const cursorOf = async (face: Face) => (await face.json<{ cursor: string }>('/api/viewer')).cursor

// One for most: each starts a process for pictures of its own.
let shared: TestViewer
beforeAll(async () => {
  shared = await startTestViewer()
})
afterAll(() => shared[Symbol.asyncDispose]())

deepTest('[E-133] who waits gets what comes after the call, and 204 when nothing does', async () => {
  const viewer = shared
  await viewer.paste(png(5, 5))
  expect((await viewer.ask('/api/next-paste?wait_seconds=0')).status).toBe(204)
  const cursor = await cursorOf(viewer)
  const waiting = next(viewer, `after=${cursor}`)
  const paste = await viewer.paste(png(6, 5))
  expect(await waiting).toEqual({ paste, cursor: expect.any(String) })
  expect(await viewer.json('/api/next-paste?after=nonsense')).toMatchObject({ code: 'invalid_request' })
})

describe('while names are looked for', () => {
  let name: string | undefined
  let model: TestModel
  let viewer: TestViewer
  beforeAll(async () => {
    model = await startModel(() => name)
    viewer = await startTestViewer({ environment: model.environment })
  })
  afterAll(async () => {
    await viewer[Symbol.asyncDispose]()
    await model[Symbol.asyncDispose]()
  })

  deepTest('[E-133] it comes with its name, or without when they do not want to wait for that', async () => {
    name = undefined
    const cursor = await cursorOf(viewer)
    const paste = await viewer.paste(png(5, 5))
    const early = await next(viewer, `after=${cursor}&naming_seconds=0`)
    expect(early.paste).toEqual(paste)
    name = 'A name'
    const second = viewer.paste(png(6, 5))
    const late = await next(viewer, `after=${early.cursor}&naming_seconds=30`)
    expect(late.paste).toMatchObject({ id: (await second).id, state: 'named', name: 'a-name' })
  })

  deepTest('[E-133] a paste that is deleted while its name is looked for is not the next one', async () => {
    name = undefined
    const cursor = await cursorOf(viewer)
    const deleted = await viewer.paste(png(5, 5))
    const waiting = next(viewer, `after=${cursor}&naming_seconds=30`)
    await viewer.ask(`/api/pastes/${deleted.id}`, { method: 'DELETE' })
    name = 'Kept'
    const kept = await viewer.paste(png(6, 5))
    expect((await waiting).paste.id).toBe(kept.id)
  })
})

test('[E-134][E-132] of 20 pastes at once none is lost between waits, also over a restart', async () => {
  await using project = await createProject()
  // The clock stands: every time would be the same.
  const clock = { now: () => new Date('2026-03-04T05:06:07.008Z') }
  const first = await startTestViewer({ project: project.path, clock })
  const begin = await cursorOf(first)
  const grant = await first.grant()
  const sent = Array.from({ length: 20 }, () => first.paste(png(5, 5), { grant }))
  const seen: string[] = []
  const times: string[] = []
  let cursor = begin
  const follow = async (face: Face) => {
    const answer = await next(face, `after=${cursor}`)
    cursor = answer.cursor
    seen.push(answer.paste.id)
    times.push(answer.paste.created_at)
  }
  while (seen.length < 10) await follow(first)
  const pastes = await Promise.all(sent)
  await first[Symbol.asyncDispose]()
  await using second = await startTestViewer({ project: project.path, clock })
  while (seen.length < 20) await follow(second)
  expect(seen.toSorted()).toEqual(pastes.map(({ id }) => id).toSorted())
  expect(new Set(times).size).toBe(20)
  expect(times).toEqual(times.toSorted())
  expect((await second.ask(`/api/next-paste?after=${cursor}&wait_seconds=0`)).status).toBe(204)
})

test('[E-134] two that wait with one cursor get the same paste', async () => {
  const viewer = shared
  const cursor = await cursorOf(viewer)
  const waiting = [next(viewer, `after=${cursor}`), next(viewer, `after=${cursor}`)]
  const paste = await viewer.paste(png(5, 5))
  for (const answer of await Promise.all(waiting)) expect(answer.paste.id).toBe(paste.id)
})

deepTest(
  '[E-132] a paste of a time when the clock was ahead dates nothing that follows, and is not new',
  async () => {
    await using project = await createProject()
    const ahead = await startTestViewer({
      project: project.path,
      clock: { now: () => new Date('2090-01-01') },
    })
    await ahead.paste(png(5, 5))
    await ahead[Symbol.asyncDispose]()
    await using viewer = await startTestViewer({ project: project.path })
    const cursor = await cursorOf(viewer)
    expect((await viewer.ask(`/api/next-paste?after=${cursor}&wait_seconds=0`)).status).toBe(204)
    const paste = await viewer.paste(png(6, 5))
    expect(new Date(paste.created_at).getFullYear()).toBeLessThan(2090)
    expect((await next(viewer, `after=${cursor}`)).paste.id).toBe(paste.id)
  },
)

test('[E-135] 64 wait, one more does not; who has gone gives the place back, and a stop answers all', async () => {
  await using viewer = await startTestViewer()
  const { port, hostname } = new URL(viewer.url)
  const path = '/api/next-paste?wait_seconds=60'
  const leaving = Array.from({ length: 64 }, () => {
    const asking = request({ port, hostname, path })
    asking.on('error', () => {}).end()
    return asking
  })
  await waitUntil(
    'there is no more room',
    async () => (await viewer.ask('/api/next-paste?wait_seconds=0')).status === 429,
    PATIENT,
  )
  expect(await viewer.json('/api/next-paste?wait_seconds=0')).toMatchObject({ code: 'too_many_waiting' })
  for (const asking of leaving) asking.destroy()
  await waitUntil(
    'there is room again',
    async () => (await viewer.ask('/api/next-paste?wait_seconds=0')).status === 204,
    PATIENT,
  )
  const staying = request({ port, hostname, path })
  staying.end()
  const answered = new Promise<number | undefined>((resolve) => {
    staying.once('response', (answer) => resolve(answer.resume().statusCode))
  })
  await using page = await openPage(viewer.url)
  const begunAt = performance.now()
  expect(await viewer.drain()).toBe(true)
  expect(await answered).toBe(503)
  expect(await page.closed).toBe(1001)
  expect(performance.now() - begunAt).toBeLessThan(atLatest(5_000))
})

test('[E-158] the viewer tells what it is for, and whether a page is open', async () => {
  await using viewer = await startTestViewer()
  expect(await viewer.json('/api/viewer')).toMatchObject({
    project: viewer.project,
    folder: `${viewer.project}/screenshots/sp`,
    url: viewer.url.replace('127.0.0.1', 'localhost'),
    naming: 'off',
    pages: 0,
    active: false,
  })
  await using page = await openPage(viewer.url)
  expect(await viewer.json('/api/viewer')).toMatchObject({ pages: 1, active: true })
  expect(page.received).toContainEqual({ type: 'active', isActive: true })
})

test('[E-153][E-159] a program opens the widget in a page, with a title of one line', async () => {
  const viewer = shared
  await using page = await openPage(viewer.url)
  const show = (body: object) =>
    viewer.ask('/api/viewer/show', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  for (const title of ['two\nlines', '\u202Eturned', '', 'x'.repeat(201)])
    expect((await show({ widget: 'screenshot-paste', title })).status).toBe(400)
  expect((await show({ widget: 'eval' })).status).toBe(400)
  const shown = show({ widget: 'screenshot-paste', title: 'The error' })
  const order = () => page.received.find((message) => message.type === 'show')
  await waitUntil('the page is asked', () => order() !== undefined, PATIENT)
  expect(order()).toMatchObject({ title: 'The error' })
  page.send({ type: 'shown', id: order()?.id })
  const { cursor } = (await (await shown).json()) as { cursor: string }
  const paste = await viewer.paste(png(5, 5))
  expect((await next(viewer, `after=${cursor}`)).paste.id).toBe(paste.id)
})
