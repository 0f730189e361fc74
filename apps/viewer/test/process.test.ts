import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { UPLOAD_GRANT_HEADER } from '@patchbay/contracts/viewer'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { runViewer } from '../src/index.ts'
import { openPage } from './page.ts'
import { isPaired, picturesIn, png, stagedIn } from './pictures.ts'
import { createProject, PASTES, spawnViewer, startTestViewer } from './start.ts'

const PATIENT = { deadlineMs: 30_000 }

/** How a start ends that is to fail: with which codes, and what is said. */
async function endOf(project: string, environment: Record<string, string>): Promise<[number[], string]> {
  const exits: number[] = []
  const words: string[] = []
  await runViewer({
    environment: { PATCHBAY_VIEWER_PROJECT: project, PATCHBAY_VIEWER_NAMING: 'off', ...environment },
    host: { on: () => undefined, exit: (code) => void exits.push(code) },
    runId: 'test',
    createNonce: () => 'nonce',
    createSecret: () => 'secret',
    print: (text) => void words.push(text),
    printError: (text) => void words.push(text),
  })
  return [exits, words.join('\n')]
}

test('[VA-8] a folder that cannot be written shows in /ready, and only there', async () => {
  await using viewer = await startTestViewer()
  expect(await viewer.json('/ready')).toMatchObject({ ready: true, checks: { folder: 'ok' } })
  const staging = join(viewer.project, PASTES, '.viewer', 'staging')
  await rm(staging, { recursive: true, force: true })
  await writeFile(staging, 'in the way')
  const answer = await viewer.ask('/ready')
  expect([answer.status, await answer.json()]).toMatchObject([503, { checks: { folder: 'failed' } }])
  expect((await viewer.ask('/health')).status).toBe(200)
  const refused = await viewer.upload(png(5, 5))
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'folder_unavailable' }])
})

test('[VA-9] SIGTERM finishes what is being sent, answers who waits, and ends with 0', async () => {
  await using project = await createProject()
  await using viewer = await spawnViewer(project.path, {
    PATCHBAY_VIEWER_NAMING: 'off',
    PATCHBAY_DRAIN_SECONDS: '20',
  })
  await using page = await openPage(viewer.url)
  const waiting = viewer.ask('/api/next-paste?wait_seconds=60')
  const picture = png(300, 200)
  const { promise: rest, resolve: sendRest } = Promise.withResolvers<void>()
  const uploading = viewer.ask('/api/pastes', {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', [UPLOAD_GRANT_HEADER]: await viewer.grant() },
    body: new ReadableStream({
      async start(controller) {
        controller.enqueue(picture.subarray(0, 100))
        await rest
        controller.enqueue(picture.subarray(100))
        controller.close()
      },
    }),
    duplex: 'half',
  } as RequestInit)
  await waitUntil('it is being taken in', async () => (await stagedIn(project.path)).length === 1, PATIENT)
  const killed = viewer.kill('SIGTERM')
  expect((await waiting).status).toBe(503)
  expect(await page.closed).toBe(1001)
  sendRest()
  expect((await uploading).status).toBe(201)
  await killed
  expect((await viewer.exited)[0]).toBe(0)
  const files = await picturesIn(project.path)
  expect([files.length, isPaired(files)]).toEqual([2, true])
}, 120_000)

deepTest(
  '[VA-9] killed in the middle of an upload, the next start finds nothing half done',
  async () => {
    await using project = await createProject()
    const viewer = await spawnViewer(project.path, { PATCHBAY_VIEWER_NAMING: 'off' })
    await viewer.paste(png(5, 5))
    const uploading = viewer.upload(
      new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(100)) }),
    )
    const cut = uploading.catch((error: unknown) => error)
    await waitUntil('it is being taken in', async () => (await stagedIn(project.path)).length === 1, PATIENT)
    await viewer.kill('SIGKILL')
    expect(await cut).toBeInstanceOf(Error)
    await using again = await startTestViewer({ project: project.path })
    expect(await stagedIn(project.path)).toEqual([])
    expect((await again.json<{ items: object[] }>('/api/pastes')).items).toHaveLength(1)
  },
  60_000,
)

test('[VA-10] a port that is taken is said, and how to choose another', async () => {
  await using project = await createProject()
  const other = createServer((_request, response) => response.end('something else'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const [exits, words] = await endOf(project.path, { PATCHBAY_VIEWER_PORT: String(port) })
  other.closeAllConnections()
  other.close()
  expect(exits).toEqual([1])
  expect(words).toMatch(new RegExp(`^Port ${port} is taken by .*--port.*$`))
})

test('[VA-10] a second viewer of one project is told where the first one is, or who has the folder', async () => {
  await using viewer = await startTestViewer()
  const { port } = new URL(viewer.url)
  expect(await endOf(viewer.project, { PATCHBAY_VIEWER_PORT: port })).toEqual([
    [1],
    `The viewer of this project runs already: open http://localhost:${port}`,
  ])
  const [exits, words] = await endOf(viewer.project, { PATCHBAY_VIEWER_PORT: String(await freePort()) })
  expect(exits).toEqual([1])
  expect(words).toMatch(/^Another viewer has this project: process \d+ .*$/)
})

test('[VA-10] a project that is no folder is named', async () => {
  await using project = await createProject()
  const file = join(project.path, 'a-file')
  await writeFile(file, '')
  for (const path of [file, join(project.path, 'nothing')])
    expect(await endOf(path, {})).toEqual([
      [1],
      `There is no folder ${path}. Name the folder of the project with --project or PATCHBAY_VIEWER_PROJECT.`,
    ])
})

test('[VA-12] what happens is counted, without names of files', async () => {
  await using viewer = await startTestViewer()
  await using page = await openPage(viewer.url)
  const paste = await viewer.paste(png(5, 5))
  await viewer.upload('no picture')
  await viewer.ask(paste.optimized.url)
  const text = await (await viewer.ask('/metrics')).text()
  expect(page.received.length).toBeGreaterThan(0)
  expect(text).toMatch(/patchbay_viewer_uploads_total\{outcome="saved",process="viewer"\} 1/)
  expect(text).toMatch(/patchbay_viewer_uploads_total\{outcome="refused",process="viewer"\} 1/)
  expect(text).toMatch(/patchbay_viewer_pages\{state="open",process="viewer"\} 1/)
  for (const where of [text, viewer.lines.join('\n')]) expect(where).not.toContain(paste.name)
})
