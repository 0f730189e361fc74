// The pictures of the media panels, taken anew: `node apps/web/test/panels/take-media-pictures.ts`.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workspacePolicy } from '@patchbay/contracts/core'
import { openPage, type Page, screenshot, startChromium } from '@patchbay/testkit/chromium'
import { serveApp } from '../site.ts'
import type { Mounting } from './bench/mount.ts'
import { buildBench } from './build-bench.ts'
import { answerCamera } from './camera-device.ts'
import {
  CAMERA_ARGS,
  publishCamera,
  recordVideo,
  serveHls,
  serveMjpeg,
  serveWebrtc,
} from './media-servers.ts'
import { answerSession } from './sites.ts'

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../../../docs/pictures/', import.meta.url))
const DESK = { width: 900, height: 560 }
const PHONE = { width: 390, height: 700 }
const LOOKS = [
  { look: 'light', options: { viewport: DESK, colorScheme: 'light' } },
  { look: 'dark', options: { viewport: DESK, colorScheme: 'dark' } },
  { look: 'phone', options: { viewport: PHONE, colorScheme: 'light', hasTouch: true } },
] as const

await using browser = await startChromium({ args: CAMERA_ARGS })
await using server = await serveWebrtc()
await using sender = await openPage(browser)
await publishCamera(sender.page, server)
await using recorder = await openPage(browser)
await using hls = await serveHls(await recordVideo(recorder.page, 12), { isEndless: true })
await using camera = await serveMjpeg()
await using site = await serveApp(await buildBench(), {
  'content-security-policy': workspacePolicy(['http://127.0.0.1:*']),
})
answerSession(site)
answerCamera(site)

type Scene = readonly [name: string, mounting: Mounting, ready: (page: Page) => Promise<unknown>]
const SCENES: readonly Scene[] = [
  [
    'hls',
    { kind: 'live-stream', state: { url: hls.playlist } },
    (page) => page.getByText(/HLS · 640/).waitFor(),
  ],
  [
    'mjpeg',
    { kind: 'live-stream', state: { url: camera.stream } },
    (page) => page.getByText(/MJPEG · 640/).waitFor(),
  ],
  [
    'lost',
    { kind: 'live-stream', state: { url: 'http://127.0.0.1:9/stream.mjpg' } },
    (page) => page.getByRole('heading', { name: 'No signal' }).waitFor(),
  ],
  [
    'refused',
    { kind: 'live-stream', state: { url: 'http://localhost:9/live.m3u8', kind: 'mjpeg' } },
    (page) => page.getByRole('heading', { name: 'Cannot play' }).waitFor(),
  ],
  [
    'webrtc',
    { kind: 'webrtc-player', state: { url: server.whep } },
    async (page) => {
      await page.getByText(/WebRTC · .* fps/).waitFor()
      await page.getByRole('button', { name: 'Connection details' }).click()
      await page
        .getByText(/^\d+ ms$/)
        .first()
        .waitFor()
    },
  ],
  [
    'zoom',
    {
      kind: 'zoom-camera',
      state: {
        wideUrl: server.whep,
        device: 'ptz-camera',
        region: { x: 0.3, y: 0.2, width: 0.35, height: 0.35 },
      },
    },
    async (page) => {
      await page.getByText(/WebRTC · .* fps/).waitFor()
      await page.getByText(/^Pan /).waitFor()
    },
  ],
]
for (const [name, mounting, isReady] of SCENES)
  for (const { look, options } of LOOKS) {
    const { page } = await openPage(browser, { ...options, reducedMotion: 'reduce' })
    await page.goto(site.url)
    await page.waitForFunction(() => 'bench' in globalThis)
    await page.evaluate((given) => bench.mount(given), mounting)
    await isReady(page)
    await screenshot(page, join(FOLDER, `media-${name}-${look}.png`))
    await page.context().close()
  }
