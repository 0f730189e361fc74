import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { Paste, PictureFile, ViewerStatus } from '@patchbay/contracts/viewer'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { textOf } from './agents.ts'
import { type InsideMcp, startInside } from './inside.ts'
import { noisePng } from './noise.ts'
import { createDesk, type Desk, PICTURE, pasteInto } from './rig.ts'

// Each starts a few processes, on a machine that others use.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

deepTest('[VA-39] a picture that is too large for a model is left out, and its path is told', async () => {
  await using own = await createDesk()
  await using caller = await own.connect('1.x', 'HTTP')
  const { structuredContent } = await caller.call('av_screenshot_paste')
  const paste = await pasteInto(own.url, noisePng(1_300))
  const answer = await caller.call('av_wait_for_paste', { after: structuredContent?.['cursor'] })
  expect(answer.structuredContent).toMatchObject({ pasted: true, path: paste.optimized.path })
  expect(answer.content.map(({ type }) => type)).toEqual(['text'])
  expect(textOf(answer)).toContain('read the file')
})

/** Something on this machine that says what a viewer would say. */
interface StrangeViewer extends AsyncDisposable {
  readonly url: string
  /** As the picture of its only paste. */
  serve(bytes: Uint8Array): void
}

async function startStrangeViewer(project: string, picture: PictureFile): Promise<StrangeViewer> {
  const status: ViewerStatus = {
    version: '0.1.0',
    project,
    folder: join(project, 'screenshots/sp'),
    url: 'http://localhost:1/',
    naming: 'off',
    cursor: '0',
    pages: 0,
    active: false,
  }
  const paste: Paste = {
    id: '5f0c1c3e-9d0a-4f2e-8f5f-0d8b1a8f2b11',
    created_at: '2026-02-13T09:00:00.000Z',
    title: null,
    state: 'unnamed',
    name: 'sp-1',
    named_by: null,
    naming_note: null,
    can_undo: false,
    optimized: picture,
    original: picture,
    source: { type: 'image/png', bytes: 1, file_name: null },
  }
  let served: Uint8Array = new Uint8Array()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    if (pathname.startsWith('/pastes/'))
      return response.writeHead(200, { 'content-type': 'image/png' }).end(served)
    const body = pathname === '/api/viewer' ? status : { paste, cursor: '1' }
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve: (bytes) => {
      served = bytes
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

let desk: Desk
let strange: StrangeViewer
let agent: InsideMcp
beforeAll(async () => {
  desk = await createDesk()
  const path = 'screenshots/sp/sp-1-8x8.png'
  const secret = join(desk.reach.cwd, path)
  await mkdir(dirname(secret), { recursive: true })
  await writeFile(secret, Uint8Array.from([...PICTURE, 1, 2, 3, 4]))
  strange = await startStrangeViewer(desk.project, {
    file: 'sp-1-8x8.png',
    path,
    absolute_path: secret,
    url: '/pastes/sp-1-8x8.png',
    width: 8,
    height: 8,
    bytes: 9,
  })
  agent = await startInside(desk, { url: strange.url })
})
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await strange[Symbol.asyncDispose]()
  await desk[Symbol.asyncDispose]()
})

/** A picture still, as far as its first bytes tell. */
const LARGE = Buffer.concat([PICTURE, Buffer.alloc(4 * 1024 * 1024)])

test.each([
  ['what it serves is the picture, whatever lies where it says', PICTURE, ['text', 'image']],
  ['what it serves is no picture', Buffer.from('password=hunter2'), ['text']],
  ['what it serves is too large for a model', LARGE, ['text']],
  ['what it serves never ends', Buffer.alloc(17 * 1024 * 1024), ['text']],
] as const)(
  '[VA-39][VA-46] no file is read by the word of a viewer of another process: %s',
  async (_case, served, types) => {
    strange.serve(served)
    const answer = await agent.call('av_wait_for_paste', { after: '0' })
    expect(answer.content.map(({ type }) => type)).toEqual(types)
    expect(answer.structuredContent).toMatchObject({ pasted: true, path: 'screenshots/sp/sp-1-8x8.png' })
    const pictures = answer.content
      .filter(({ type }) => type === 'image')
      .map(({ data = '' }) => Buffer.from(data, 'base64'))
    expect(pictures.every((each) => each.equals(served))).toBe(true)
    expect(JSON.stringify(answer)).not.toContain('hunter2')
  },
)
