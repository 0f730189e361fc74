import { Readable } from 'node:stream'
import type { Capture } from '@patchbay/contracts/panels'
import { SettableClock } from '@patchbay/testkit/clock'
import { expect, test } from 'vitest'
import type { CommandOutcome } from '../../src/control.ts'
import { AT, type Calls, codeOf, makeTabs, startCalls, takeCalls } from '../webview/calls.ts'
import { openBrowser } from '../webview/stand-in.ts'
import { editor } from '../workspaces/current.ts'
import { chunksOf, makePng, PATH, picturePath, takesPictures, upload, uploadPath } from './pictures.ts'

async function startSharing(clock?: SettableClock): Promise<Calls> {
  const calls = await (clock === undefined ? takeCalls() : startCalls({ clock }))
  await makeTabs(calls.node, ['sandbox'])
  calls.control.browser = openBrowser({ isSharing: true })
  return calls
}

const take = (calls: Calls) => calls.as('ada').send('PATCH', PATH, { scope: 'workspace' })

/** How many files the store of the node holds. */
async function objectsOf({ node }: Calls): Promise<number> {
  return (await node.deps.objects.list({ limit: 100 })).objects.length
}

/** A capture that a page was asked for, and that is waited for until it is disposed. */
async function askFor(calls: Calls) {
  const asked = Promise.withResolvers<string>()
  const over = Promise.withResolvers<CommandOutcome>()
  calls.control.answer = (command) => {
    if (command.kind === 'screenshot') asked.resolve(command.captureId)
    return over.promise
  }
  const taking = take(calls)
  return {
    id: await asked.promise,
    async [Symbol.asyncDispose]() {
      over.resolve({ outcome: 'timeout' })
      expect((await taking).status).toBe(504)
    },
  }
}

test('[D-185] only a person who may change the workspace hands in a picture that is waited for', async () => {
  const clock = new SettableClock()
  await using calls = await startSharing(clock)
  await makeTabs(calls.node, ['sandbox'], { owner: 'ada', repo: 'other' })
  await using capture = await askFor(calls)
  const { id } = capture
  const put = (handle: string, kind: 'browser' | 'api_key', path = uploadPath(id)) =>
    calls.as(handle, { kind }).ask(path, {
      method: 'PUT',
      headers: { 'content-type': 'image/png' },
      body: makePng(4, 3),
    })
  const nobody = await fetch(calls.url + uploadPath(id), {
    method: 'PUT',
    headers: { 'content-type': 'image/png' },
    body: makePng(4, 3),
  })
  expect(await codeOf(nobody)).toEqual([401, 'sign_in_required'])
  expect(await codeOf(await put('ada', 'api_key'))).toEqual([403, 'browser_session_required'])
  expect(await codeOf(await put('bob', 'browser'))).toEqual([403, 'not_permitted'])
  calls.node.access.grant('bob', 'ada', 'read')
  expect(await codeOf(await put('bob', 'browser'))).toEqual([403, 'not_permitted'])
  const unknown = '00000000-0000-4000-8000-000000000000'
  expect(await codeOf(await put('ada', 'browser', uploadPath(unknown)))).toEqual([404, 'not_found'])
  expect(await codeOf(await put('ada', 'browser', uploadPath(id, 'other')))).toEqual([404, 'not_found'])
  expect(await objectsOf(calls)).toBe(0)
  expect((await put('ada', 'browser')).status).toBe(204)
  clock.advance(20_000)
  expect(await codeOf(await put('ada', 'browser'))).toEqual([404, 'not_found'])
})

test('[D-186] what is no whole PNG is refused and leaves nothing', async () => {
  await using calls = await startSharing()
  await using capture = await askFor(calls)
  const { id } = capture
  const good = makePng(4, 3)
  const damaged = Buffer.from(good)
  damaged[18] = 9
  const wrong = [
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    Buffer.from('GIF89a'),
    good.subarray(0, 20),
    good.subarray(0, -1),
    Buffer.concat([good, Buffer.from('more')]),
    damaged,
    makePng(0, 3),
    makePng(32_768, 1),
  ]
  for (const body of wrong)
    expect(await codeOf(await upload(calls, id, new Uint8Array(body)))).toEqual([400, 'invalid_request'])
  const huge = await upload(calls, id, new Uint8Array(32 * 1024 * 1024 + 1))
  expect(await codeOf(huge)).toEqual([413, 'body_too_large'])
  const asText = await calls.as('ada', { kind: 'browser' }).ask(uploadPath(id), {
    method: 'PUT',
    headers: { 'content-type': 'text/html' },
    body: 'x',
  })
  expect(asText.status).toBe(415)
  expect(await objectsOf(calls)).toBe(0)
  expect((await upload(calls, id, good)).status).toBe(204)
})

test('[D-186] a picture that comes in single bytes is the same picture', async () => {
  await using calls = await startSharing()
  await using capture = await askFor(calls)
  const { id } = capture
  const bytes = [...makePng(4, 3)].map((byte) => Uint8Array.of(byte))
  const answer = await fetch(calls.url + uploadPath(id), {
    method: 'PUT',
    headers: { ...calls.as('ada', { kind: 'browser' }).headers, 'content-type': 'image/png' },
    body: Readable.toWeb(Readable.from(bytes)) as ReadableStream,
    duplex: 'half',
  } as RequestInit)
  expect(answer.status).toBe(204)
  const row = await calls.node.db
    .selectFrom('captures')
    .select(['width', 'height'])
    .where('id', '=', id)
    .executeTakeFirst()
  expect(row).toEqual({ width: 4, height: 3 })
})

test('[D-186] another size than the browser says is no picture', async () => {
  await using calls = await startSharing()
  for (const wrong of [{ width: 41 }, { height: 29 }]) {
    takesPictures(calls, wrong)
    expect(await codeOf(await take(calls))).toEqual([502, 'capture_failed'])
  }
})

test('[D-187] the picture holds the id of its capture, so that the same picture twice is two objects', async () => {
  await using calls = await startSharing()
  takesPictures(calls)
  const taken = [(await (await take(calls)).json()) as Capture, (await (await take(calls)).json()) as Capture]
  expect(new Set(taken.map(({ sha256 }) => sha256)).size).toBe(2)
  for (const { id } of taken) {
    const png = Buffer.from(await (await calls.as('ada').ask(picturePath(id))).arrayBuffer())
    const chunks = chunksOf(png)
    expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'tEXt', 'IDAT', 'IEND'])
    expect(chunks[1]?.data.toString('latin1')).toBe(`patchbay-capture\0${id}`)
    expect(chunks.filter(({ type }) => type !== 'tEXt')).toEqual(chunksOf(makePng(40, 30)))
  }
})

test('[D-188] a second picture replaces the first until the capture is complete', async () => {
  await using calls = await startSharing()
  const late: string[] = []
  calls.control.answer = async (command) => {
    if (command.kind !== 'screenshot') return { outcome: 'timeout' }
    late.push(command.captureId)
    // The first browser went after it had handed in its picture, and another one was asked.
    await upload(calls, command.captureId, makePng(9, 9))
    await upload(calls, command.captureId, makePng(40, 30))
    await upload(calls, command.captureId, makePng(40, 30))
    const picture = { engine: 'display', width: 40, height: 30, scale: 1, wasActivated: false } as const
    return { outcome: 'done', result: { picture } }
  }
  const taken = (await (await take(calls)).json()) as Capture
  expect(taken).toMatchObject({ width: 40, height: 30 })
  expect(await objectsOf(calls)).toBe(1)
  for (const level of [128, 7]) {
    const again = await upload(calls, late[0] ?? '', makePng(40, 30, level))
    expect(await codeOf(again)).toEqual([404, 'not_found'])
  }
  expect((await calls.as('ada').ask(picturePath(taken.id))).status).toBe(200)
  expect(await objectsOf(calls)).toBe(1)
})

test('[D-189] a picture can be fetched for a day by those who may, and is kept in no cache', async () => {
  const clock = new SettableClock()
  await using calls = await startSharing(clock)
  takesPictures(calls)
  const { id } = (await (await take(calls)).json()) as Capture
  for (const scope of ['screenshot:ada/board', 'workspace:ada/*']) {
    const answer = await calls.as('ada', { label: scope, scopes: [scope] }).ask(picturePath(id))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(answer.headers.get('content-disposition')).toBe('inline')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await answer.arrayBuffer()).byteLength).toBe(Number(answer.headers.get('content-length')))
  }
  const head = await calls.as('ada').ask(picturePath(id), { method: 'HEAD' })
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100)
  for (const scope of ['webview:ada/board', 'sandbox:ada/*', 'screenshot:ada/other']) {
    const answer = await calls.as('ada', { label: scope, scopes: [scope] }).ask(picturePath(id))
    expect(await codeOf(answer)).toEqual([403, 'not_permitted'])
  }
  expect((await fetch(calls.url + picturePath(id))).status).toBe(401)
  expect((await calls.as('bob').ask(picturePath(id))).status).toBe(403)
  await makeTabs(calls.node, ['sandbox'], { owner: 'ada', repo: 'other' })
  expect(await codeOf(await calls.as('ada').ask(picturePath(id, 'other')))).toEqual([404, 'not_found'])
  await using capture = await askFor(calls)
  const waited = capture.id
  await upload(calls, waited, makePng(4, 3))
  expect(await codeOf(await calls.as('ada').ask(picturePath(waited)))).toEqual([404, 'not_found'])
  clock.advance(86_399_999)
  expect((await calls.as('ada').ask(picturePath(id))).status).toBe(200)
  clock.advance(1)
  expect(await codeOf(await calls.as('ada').ask(picturePath(id)))).toEqual([404, 'not_found'])
})

test('[D-189] a workspace that was made again does not show what the one before showed', async () => {
  const clock = new SettableClock()
  await using calls = await startSharing(clock)
  takesPictures(calls)
  const { id } = (await (await take(calls)).json()) as Capture
  expect((await calls.node.as('ada').send('DELETE', editor(AT.owner, AT.repo))).status).toBe(204)
  clock.advance(1_000)
  await makeTabs(calls.node, ['sandbox'])
  expect(await codeOf(await calls.as('ada').ask(picturePath(id)))).toEqual([404, 'not_found'])
})
