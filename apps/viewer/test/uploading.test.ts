import { stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { UPLOAD_GRANT_HEADER } from '@patchbay/contracts/viewer'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { picturesIn, picturesSince, png, stagedIn } from './pictures.ts'
import { createProject, type Face, spawnViewer, startTestViewer, type TestViewer } from './start.ts'

const PATIENT = { deadlineMs: 30_000 }
const MIB = 1024 * 1024
const PIECE = new Uint8Array(MIB)

/** A body that comes in pieces, and says how much of it was taken. */
function pieces(bytes: number): { readonly body: ReadableStream<Uint8Array>; taken(): number } {
  let taken = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (taken >= bytes) return controller.close()
      taken += MIB
      controller.enqueue(PIECE)
    },
  })
  return { body, taken: () => taken }
}

/** A connection that sends what it likes, whatever it said before. */
async function rawUpload(
  face: Face,
  headers: readonly string[],
  body: Uint8Array,
  then: 'stops' | 'waits' = 'stops',
): Promise<string> {
  const { port, hostname } = new URL(face.url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (data) => {
    answer += data.toString()
    if (then === 'waits') socket.destroy()
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write(
    [
      'POST /api/pastes HTTP/1.1',
      `host: localhost:${port}`,
      'content-type: application/octet-stream',
      `${UPLOAD_GRANT_HEADER}: ${await face.grant()}`,
      ...headers,
      '',
      '',
    ].join('\r\n'),
  )
  socket.write(body)
  if (then === 'stops') socket.end()
  await closed
  return answer
}

async function memoryOf(face: Face): Promise<number> {
  const text = await (await face.ask('/metrics')).text()
  return Number(/^process_resident_memory_bytes\S* (\S+)$/m.exec(text)?.[1])
}

// One for most: each starts a process for pictures of its own.
let viewer: TestViewer
beforeAll(async () => {
  viewer = await startTestViewer()
})
afterAll(() => viewer[Symbol.asyncDispose]())

deepTest('[E-121] the answer names both files, which are there with the sizes that it tells', async () => {
  const paste = await viewer.paste(png(2000, 500))
  expect(paste).toMatchObject({
    state: 'unnamed',
    optimized: { width: 1568, height: 392 },
    original: { width: 2000, height: 500 },
    source: { type: 'image/png' },
  })
  expect(paste.optimized.file).toMatch(/^sp-\d{8}-\d{6}-\d{3}-1568x392\.png$/)
  expect(paste.original.file).toBe(paste.optimized.file.replace('.png', '-original.png'))
  for (const { path, absolute_path: absolute, bytes } of [paste.optimized, paste.original]) {
    expect(absolute).toBe(join(viewer.project, path))
    expect((await stat(absolute)).size).toBe(bytes)
  }
  expect(await viewer.json(`/api/pastes/${paste.id}`)).toEqual(paste)
})

/** What a sender of 200 MB is told, which is not long after the limit of 32 MiB. */
async function sendTooMuch(face: Face, grant: string): Promise<number | 'cut'> {
  const sender = pieces(200 * MIB)
  const answer = await face.upload(sender.body, { grant }).then(
    ({ status }) => status,
    () => 'cut' as const,
  )
  // Answered long before all of it was sent; what comes meanwhile is thrown away.
  expect(sender.taken()).toBeLessThan(190 * MIB)
  return answer
}

/** Little of it is sent: what is still on its way when the connection is closed can take the answer with it. */
const declareTooMuch = (face: Face) =>
  rawUpload(face, [`content-length: ${200 * MIB}`], new Uint8Array(1024), 'waits')

deepTest(
  '[E-120][E-122] 200 MB are cut while they come, declared or not, and memory does not grow with them',
  async () => {
    await using project = await createProject()
    await using spawned = await spawnViewer(project.path, { PATCHBAY_VIEWER_NAMING: 'off' })
    await spawned.paste(png(400, 300))
    const before = await memoryOf(spawned)
    const grant = await spawned.grant()
    for (let round = 0; round < 6; round += 1)
      expect([413, 'cut']).toContain(await sendTooMuch(spawned, grant))
    expect(await declareTooMuch(spawned)).toMatch(/^HTTP\/1\.1 413 /)
    expect((await memoryOf(spawned)) - before).toBeLessThan(128 * MIB)
    await waitUntil('nothing is left of it', async () => (await stagedIn(project.path)).length === 0, PATIENT)
    expect(await picturesIn(project.path)).toHaveLength(2)
  },
  120_000,
)

describe('what is not saved', () => {
  let before: readonly string[]
  beforeAll(async () => {
    before = await picturesIn(viewer.project)
  })

  test('[E-120][E-122] what is larger than the limit is cut while it comes, declared or not', async () => {
    expect([413, 'cut']).toContain(await sendTooMuch(viewer, await viewer.grant()))
    expect(await declareTooMuch(viewer)).toMatch(/^HTTP\/1\.1 413 /)
    await waitUntil(
      'nothing is left of it',
      async () => (await stagedIn(viewer.project)).length === 0,
      PATIENT,
    )
    expect(await picturesSince(viewer.project, before)).toEqual([])
  })

  test('[E-120][E-122] a length that is not true makes no picture: the rest is no body, and what is missing is missed', async () => {
    const picture = png(300, 200)
    const shorter = await rawUpload(
      viewer,
      [`content-length: ${picture.length - 20}`, 'connection: close'],
      picture,
    )
    expect(shorter).toMatch(/^HTTP\/1\.1 4\d\d /)
    await rawUpload(viewer, [`content-length: ${picture.length + 20}`], picture)
    await waitUntil(
      'nothing is left of it',
      async () => (await stagedIn(viewer.project)).length === 0,
      PATIENT,
    )
    expect(await picturesSince(viewer.project, before)).toEqual([])
  })

  deepTest.each([
    ['nothing at all', new Uint8Array(0)],
    ['text', Buffer.from('not a picture')],
    ['a page', Buffer.from('<html><script>alert(1)</script>')],
    ['the beginning of a picture', png(300, 200).subarray(0, 80)],
  ])('[E-122] %s is refused in words and leaves nothing', async (_what, body) => {
    const listed = await viewer.json('/api/pastes')
    const answer = await viewer.upload(body)
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({
      code: 'picture_refused',
      detail: expect.stringMatching(/\w+ \w+/),
    })
    expect([await picturesSince(viewer.project, before), await stagedIn(viewer.project)]).toEqual([[], []])
    expect(await viewer.json('/api/pastes')).toEqual(listed)
  })

  test('[E-122] a sender that goes away in the middle leaves nothing', async () => {
    const grant = await viewer.grant()
    const leaving = new AbortController()
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(png(50, 50).subarray(0, 60)),
    })
    const sending = viewer.ask('/api/pastes', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', [UPLOAD_GRANT_HEADER]: grant },
      body,
      duplex: 'half',
      signal: leaving.signal,
    } as RequestInit)
    const gone = sending.catch((error: unknown) => error)
    await waitUntil(
      'it is being taken in',
      async () => (await stagedIn(viewer.project)).length === 1,
      PATIENT,
    )
    leaving.abort()
    expect(await gone).toBeInstanceOf(Error)
    await waitUntil('nothing is left', async () => (await stagedIn(viewer.project)).length === 0, PATIENT)
  })

  test('[E-124] without a grant nothing is taken, with a nonce neither, and a nonce is traded once', async () => {
    const trade = async (nonce: string) =>
      await viewer.ask('/api/upload-grants', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ nonce }),
      })
    const html = await (await viewer.ask('/screenshot-paste')).text()
    const nonce = /content="([\w-]{22})"/.exec(html)?.[1] ?? ''
    const missing = await viewer.ask('/api/pastes', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: png(5, 5),
    })
    expect(missing.status).toBe(400)
    for (const grant of [nonce, 'x'.repeat(22)]) {
      const answer = await viewer.upload(png(5, 5), { grant })
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        403,
        'upload_not_granted',
      ])
    }
    const answers = await Promise.all(Array.from({ length: 5 }, () => trade(nonce)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 403, 403, 403, 403,
    ])
    expect(await picturesSince(viewer.project, before)).toEqual([])
  })
})

test('[E-123] when 36 are being sent one more is told when to come again, and afterwards all is as before', async () => {
  const grant = await viewer.grant()
  const leaving = new AbortController()
  const sending = Array.from({ length: 36 }, () =>
    viewer.ask('/api/pastes', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', [UPLOAD_GRANT_HEADER]: grant },
      body: new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(10)) }),
      duplex: 'half',
      signal: leaving.signal,
    } as RequestInit),
  )
  const settled = Promise.allSettled(sending)
  let refused: Response | undefined
  await waitUntil(
    'one is sent away',
    async () => {
      const probe = AbortSignal.timeout(200)
      const answer = await viewer
        .ask('/api/pastes', {
          method: 'POST',
          headers: { 'content-type': 'application/octet-stream', [UPLOAD_GRANT_HEADER]: grant },
          body: png(5, 5),
          signal: probe,
        })
        .catch(() => undefined)
      refused = answer?.status === 429 ? answer : undefined
      return refused !== undefined
    },
    PATIENT,
  )
  expect(refused?.headers.get('retry-after')).toBe('5')
  expect(await refused?.json()).toMatchObject({ code: 'too_many_uploads' })
  leaving.abort()
  await settled
  await waitUntil('nothing is left', async () => (await stagedIn(viewer.project)).length === 0, PATIENT)
  await viewer.paste(png(5, 5))
})

deepTest('[E-125] a restart ends what was granted; a page that is loaded afresh goes on', async () => {
  await using project = await createProject()
  const first = await startTestViewer({ project: project.path })
  const grant = await first.grant()
  await first.paste(png(5, 5), { grant })
  await first[Symbol.asyncDispose]()
  await using second = await startTestViewer({ project: project.path })
  expect((await second.upload(png(5, 5), { grant })).status).toBe(403)
  await second.paste(png(5, 5))
  expect(await picturesIn(project.path)).toHaveLength(4)
})

test('[E-124] grants are not given out without end', async () => {
  await using other = await startTestViewer()
  const statuses = new Set<number>()
  for (let count = 0; count < 130; count += 1) {
    const { status } = await other.ask('/api/upload-grants', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ nonce: 'g'.repeat(22) }),
    })
    statuses.add(status)
  }
  expect([...statuses]).toEqual([403, 429])
})

test('[E-126] what a sender calls it is kept for people, in one line, and names no file', async () => {
  const before = await picturesIn(viewer.project)
  const paste = await viewer.paste(png(5, 5), {
    query: { title: 'The error\nin the console', file_name: '../../etc/\u202Epasswd' },
  })
  expect(paste.title).toBe('The error in the console')
  expect(paste.source.file_name).toBe('../../etc/passwd')
  expect(await picturesSince(viewer.project, before)).toEqual(
    [paste.original.file, paste.optimized.file].toSorted(),
  )
  expect(paste.optimized.file).toMatch(/^sp-[\d-]+-5x5\.png$/)
})
