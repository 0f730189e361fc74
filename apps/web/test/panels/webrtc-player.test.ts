import { type Locator, openPage, sharedChromium } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, expect } from 'vitest'
import { CAMERA_ARGS, publishCamera, serveWebrtc, type WebrtcServer } from './media-servers.ts'
import { type PanelVisit, soon, usePanelBench } from './panel-bench.ts'

const panels = usePanelBench({
  args: CAMERA_ARGS,
  mediaOrigins: ['http://127.0.0.1:*'],
  // Of servers that refuse or are gone.
  tolerated: /Failed to load resource/,
})

/** A server with a camera that sends to it, for all tests of this file. */
let server: WebrtcServer
let camera: AsyncDisposable
beforeAll(async () => {
  server = await serveWebrtc()
  const watched = await openPage(await sharedChromium({ args: CAMERA_ARGS }))
  camera = watched
  await publishCamera(watched.page, server)
}, 60_000)
afterAll(async () => {
  await camera[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const show = (url = server.whep) => panels.show({ kind: 'webrtc-player', state: { url } })
const shows = async (part: Locator) => await part.waitFor(soon).then(() => true)
const status = ({ page }: PanelVisit, text: string) => page.getByRole('status').filter({ hasText: text })

/** Whether the picture is not the same all over, and other than a moment ago. */
async function moves({ page }: PanelVisit): Promise<boolean> {
  return await page.evaluate(async () => {
    const video = document.querySelector('video')
    const look = () => {
      const canvas = new OffscreenCanvas(64, 36)
      const context = canvas.getContext('2d')
      if (video === null || context === null) return []
      context.drawImage(video, 0, 0, 64, 36)
      return [...context.getImageData(0, 0, 64, 36).data]
    }
    const before = look()
    await new Promise((resolve) => setTimeout(resolve, 300))
    const after = look()
    return new Set(after).size > 3 && after.some((value, at) => value !== before[at])
  })
}

deepTest('[W-760] a WHEP stream plays, and its session is ended with the panel', async () => {
  const begun = server.sessions()
  const deleted = () => server.asked.filter((line) => line.startsWith('DELETE ')).length
  const before = deleted()
  await using visit = await show()
  await status(visit, 'Live').waitFor(soon)
  await expect.poll(() => moves(visit), soon).toBe(true)
  expect(server.sessions()).toBe(begun + 1)
  await visit.page.evaluate(() => bench.unmount())
  await expect.poll(() => deleted(), soon).toBe(before + 1)
  await expect.poll(() => server.viewers(), soon).toBe(0)
})

test('[W-760] also one that the server had begun when the panel left', async () => {
  const begun = server.sessions()
  const release = server.holdAnswers()
  await using visit = await show()
  await status(visit, 'Connecting').waitFor(soon)
  await expect.poll(() => server.sessions(), soon).toBe(begun + 1)
  await visit.page.evaluate(() => bench.unmount())
  release()
  await expect.poll(() => server.asked.at(-1), soon).toBe(`DELETE /sessions/${begun + 1}`)
})

test('[W-762] it tells resolution, rate, bitrate, losses and round trip', async () => {
  await using visit = await show()
  await status(visit, 'Live').waitFor(soon)
  await visit.page.getByRole('button', { name: 'Connection details' }).click()
  const row = (name: string) => visit.page.locator('dl > div').filter({ hasText: name }).locator('dd')
  await expect.poll(() => row('Resolution').textContent(), soon).toMatch(/^\d{2,4} × \d{2,4}$/)
  await expect.poll(async () => Number(await row('Frames per second').textContent()), soon).toBeGreaterThan(0)
  await expect.poll(() => row('Bitrate').textContent(), soon).toMatch(/^[\d.]+ [kM]bit\/s$/)
  await expect.poll(() => row('Packets lost').textContent(), soon).toMatch(/^\d+ \(\d+\.\d\d %\)$/)
  await expect.poll(() => row('Round trip time').textContent(), soon).toMatch(/^\d+ ms$/)
  await expect.poll(() => row('Codec').textContent(), soon).toBe('VP8')
})

deepTest('[W-754] sound is off until somebody turns it on', async () => {
  await using visit = await show()
  await status(visit, 'Live').waitFor(soon)
  const isMuted = () => visit.page.locator('video').evaluate((video: HTMLVideoElement) => video.muted)
  expect(await isMuted()).toBe(true)
  const sound = visit.page.getByRole('button', { name: 'Sound' })
  await sound.click()
  expect(await isMuted()).toBe(false)
  const volume = () =>
    visit.page.locator('video').evaluate((video: HTMLVideoElement) => {
      const tracks = video.srcObject instanceof MediaStream ? video.srcObject.getAudioTracks() : []
      return tracks.length
    })
  expect(await volume()).toBe(1)
  await sound.click()
  expect(await isMuted()).toBe(true)
})

test('[W-761] a picture that stands still is not live, and is asked for anew', async () => {
  await using visit = await show()
  await status(visit, 'Live').waitFor(soon)
  const begun = server.sessions()
  try {
    server.setPassing(false)
    await status(visit, 'Waiting for the next picture').waitFor(soon)
    await visit.page.getByRole('heading', { name: 'No signal' }).waitFor(soon)
    await visit.page.getByText('The server sends no more pictures.').waitFor()
    await visit.page.getByText(/Trying again in \d+ s/).waitFor()
  } finally {
    server.setPassing(true)
  }
  await visit.page.getByRole('button', { name: 'Try now' }).click()
  await status(visit, 'Live').waitFor(soon)
  expect(server.sessions()).toBeGreaterThan(begun)
})

deepTest('[W-752] a server that refuses is told with its status, and tried again', async () => {
  let refusals = 0
  server.answerInstead((response) => {
    refusals += 1
    response.writeHead(503, { 'access-control-allow-origin': '*' }).end()
  })
  try {
    await using visit = await show()
    await visit.page.getByText('The server refused it (HTTP 503).').waitFor(soon)
    await expect.poll(() => refusals, soon).toBeGreaterThan(2)
    server.answerInstead(undefined)
    await status(visit, 'Live').waitFor(soon)
  } finally {
    server.answerInstead(undefined)
  }
})

const SDP = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'location' }
deepTest.for([
  ['a page', 200, { 'content-type': 'text/html' }, '<!doctype html>', 'This is a web page'],
  [
    'an answer that is none',
    201,
    { 'content-type': 'application/sdp' },
    'v=0\nnonsense',
    'as WHEP servers do',
  ],
  [
    'an answer without end',
    201,
    { 'content-type': 'application/sdp' },
    'v=0\n'.repeat(50_000),
    'as WHEP servers do',
  ],
  ['a success without a session', 204, {}, '', 'as WHEP servers do'],
] as const)('[W-763] %s is told, and nothing breaks', async ([, code, headers, body, told]) => {
  server.answerInstead((response) => response.writeHead(code, { ...SDP, ...headers }).end(body))
  try {
    await using visit = await show()
    expect(await shows(visit.page.getByText(told))).toBe(true)
  } finally {
    server.answerInstead(undefined)
  }
})

test('[W-763] a session elsewhere is left alone', async () => {
  await using elsewhere = await serveWebrtc()
  server.answerInstead((response) =>
    response
      .writeHead(201, { ...SDP, 'content-type': 'application/sdp', location: `${elsewhere.url}/sessions/1` })
      .end('not an answer'),
  )
  try {
    await using visit = await show()
    await visit.page.getByText('as WHEP servers do').waitFor(soon)
  } finally {
    server.answerInstead(undefined)
  }
  expect(elsewhere.asked).toEqual([])
})

test('[W-757] an address that the operator does not allow is told, and nothing is asked there', async () => {
  await using visit = await panels.show(
    { kind: 'webrtc-player', state: { url: server.whep.replace('127.0.0.1', 'localhost') } },
    { alsoTolerated: /Content Security Policy|CSP violation: connect-src/ },
  )
  const before = server.asked.length
  await visit.page.getByRole('heading', { name: 'Cannot play' }).waitFor(soon)
  await visit.page.getByText('PATCHBAY_MEDIA_ORIGINS').waitFor()
  expect(server.asked.length).toBe(before)
})

deepTest('[W-758] an address is entered in the panel, and followed when others set one', async () => {
  await using visit = await panels.show({ kind: 'webrtc-player' })
  await visit.page.getByText('No stream yet').waitFor()
  await visit.page.getByLabel('Address').fill(server.whep)
  await visit.page.keyboard.press('Enter')
  await status(visit, 'Live').waitFor(soon)
  expect(await visit.stored()).toEqual([{ url: server.whep }])
  const deleted = () => server.asked.filter((line) => line.startsWith('DELETE ')).length
  const before = deleted()
  await visit.patch({ url: `${server.url}/nothing` })
  await visit.page.getByText('The server refused it (HTTP 404).').waitFor(soon)
  expect(deleted()).toBeGreaterThan(before)
})
