import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { complaints, overflowing } from '../complaints.ts'
import type { Site } from '../site.ts'
import type { Mounting } from './bench/mount.ts'
import { NARROW, type PanelVisit, usePanelBench, WIDE } from './panel-bench.ts'
import { html, serveForeign } from './sites.ts'

// The checker talks to frames that do not answer, and software draws slowly: the browser says so now and then.
const panels = usePanelBench({
  tolerated:
    /'postMessage' on 'DOMWindow'|GPU stall due to ReadPixels|(?:connect|media)-src|Content Security Policy/,
})
const CODE = '// Blink\nfor (const lamp of [1, 2]) console.log("on", lamp, /x+/)\n'
const LAST_RUN = {
  code: CODE,
  by: { kind: 'api_key', name: 'Nightly agent', handle: 'ada' },
  at: new Date().toISOString(),
}
const serve = () =>
  serveForeign(
    (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(html('Foreign')),
  )

const MOUNTINGS: readonly (readonly [string, (url: string) => Mounting])[] = [
  ['a web view', (url) => ({ kind: 'webview', state: { url } })],
  ['an empty web view', () => ({ kind: 'webview' })],
  ['a web view without header', (url) => ({ kind: 'webview', state: { url, isHeaderHidden: true } })],
  ['a panel of somebody else', (url) => ({ kind: 'web', url })],
  ['a code editor', () => ({ kind: 'code-editor', state: { text: CODE, fileName: 'blink.js' } })],
  ['a script runner', () => ({ kind: 'script-runner', state: { code: CODE } })],
  ['an empty 3D viewer', () => ({ kind: 'viewer-3d' })],
  ['an empty 3D board viewer', () => ({ kind: 'viewer-3d-board' })],
  ['a system log', () => ({ kind: 'system-log' })],
  ['files', () => ({ kind: 'files' })],
  [
    'a code editor with a conflict',
    () => ({ kind: 'code-editor', state: { text: CODE, conflict: 'another-page' } }),
  ],
  ['a sandbox that offers to run code again', () => ({ kind: 'sandbox', state: { lastRun: LAST_RUN } })],
  ['a script runner with a file', () => ({ kind: 'script-runner', state: { path: 'firmware/blink.py' } })],
  ['an empty schematic editor', () => ({ kind: 'schematic-editor' })],
  ['an empty curriculum', () => ({ kind: 'curriculum' })],
  ['an empty live stream', () => ({ kind: 'live-stream' })],
  ['a live stream that is not allowed', (url) => ({ kind: 'live-stream', state: { url, kind: 'hls' } })],
  ['an empty zoom camera', () => ({ kind: 'zoom-camera' })],
  ['an empty WebRTC player', () => ({ kind: 'webrtc-player' })],
  ['a course of one lesson', () => ({ kind: 'curriculum', state: { folder: 'firmware' } })],
]

const LOOKS = [
  { colorScheme: 'light', viewport: WIDE },
  { colorScheme: 'dark', viewport: WIDE },
  { colorScheme: 'light', viewport: NARROW },
  { colorScheme: 'dark', viewport: NARROW },
] as const
type Look = (typeof LOOKS)[number]

async function findings({ page }: PanelVisit) {
  return {
    complaints: await complaints(page, { within: '#root', hasFrames: false }),
    sticksOut: await page.evaluate(overflowing),
    width: await page.evaluate(() => document.documentElement.scrollWidth),
  }
}

/** Our server, with a few files. */
function answerFiles(site: Site): void {
  const paths = ['README.md', 'firmware/src/main.c', 'a very long name that somebody gave to a table.csv']
  const file = { revision: 1, size: 1_234, sha256: '0'.repeat(64), mediaType: 'text/plain' }
  const listed = {
    revision: 1,
    folders: [],
    files: paths.map((path) => ({ ...file, path })),
    items: [],
    nextCursor: null,
  }
  site.answer(/^\/api\/workspaces\/editor\/ada\/rover\/files(?:\/changed-paths)?$/, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(listed))
  })
  site.answer(/^\/api\/workspaces\/editor\/ada\/rover\/files\/content$/, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('print("on")\n')
  })
  site.answer(/\/devices$/, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ items: [], nextCursor: null, stop: null }))
  })
  site.answer(/\/course-progress$/, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ done: [] }))
  })
}

/** Shows a panel, with something in it. */
async function show(mounting: Mounting, look: Look): Promise<PanelVisit> {
  // A button that is just becoming one has colors that nobody reads.
  const visit = await panels.show(mounting, { ...look, reducedMotion: 'reduce', prepare: answerFiles })
  await visit.page.locator('#root h1 + div').waitFor()
  if (mounting.kind === 'files') await visit.page.getByRole('treeitem').first().waitFor()
  if (mounting.kind === 'system-log')
    await visit.page.evaluate(() => {
      for (const level of ['debug', 'info', 'warn', 'error'] as const)
        bench.log({
          source: 'agent',
          level,
          text: 'navigated to https://example.com/a/very/long/address',
          about: 'Docs',
        })
    })
  return visit
}

// Each in one look, with every look among them.
deepTest.each(
  MOUNTINGS.map(([name, mounting], at) => [name, mounting, LOOKS[at % LOOKS.length] ?? LOOKS[0]] as const),
)('[W-317][W-318] nothing is wrong with %s', async (_, mounting, look) => {
  await using foreign = await serve()
  await using visit = await show(mounting(foreign.url), look)
  expect(await findings(visit)).toEqual({ complaints: [], sticksOut: [], width: look.viewport.width })
  await visit.page.setViewportSize(NARROW)
  expect(await visit.page.evaluate(overflowing)).toEqual([])
  expect(await visit.page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width)
})

deepTest.each(MOUNTINGS)(
  '[W-317][W-318] in either theme, wide or narrow: %s',
  async (_, mounting) => {
    await using foreign = await serve()
    for (const look of LOOKS) {
      await using visit = await show(mounting(foreign.url), look)
      const { width } = look.viewport
      expect({ look, ...(await findings(visit)) }).toEqual({ look, complaints: [], sticksOut: [], width })
    }
  },
  90_000,
)

deepTest('[W-317] nor with the search of the editor', async () => {
  await using visit = await panels.show({ kind: 'code-editor', state: { text: CODE, fileName: 'a.js' } })
  await visit.page.getByRole('textbox', { name: 'Bench' }).click()
  await visit.page.keyboard.press('Control+f')
  await visit.page.getByPlaceholder('Find').fill('lamp')
  expect(await complaints(visit.page, { within: '#root' })).toEqual([])
})

deepTest('[W-317] nor with a refused address', async () => {
  await using visit = await panels.show({ kind: 'webview' })
  await visit.page.getByLabel('Address', { exact: true }).fill('no address')
  await visit.page.keyboard.press('Enter')
  await visit.page.getByText('An address has no spaces in it.').waitFor()
  expect(await complaints(visit.page, { within: '#root' })).toEqual([])
})

test.each(MOUNTINGS)('[W-319] whoever may only look changes nothing: %s', async (_, mounting) => {
  await using foreign = await serve()
  await using visit = await panels.show(
    { ...mounting(foreign.url), mayChange: false },
    { prepare: answerFiles },
  )
  const { page } = visit
  await page.locator('#root h1 + div').waitFor()
  for (const field of await page.getByRole('textbox').all()) {
    await field.click()
    await page.keyboard.type('typed')
    await page.keyboard.press('Enter')
  }
  await page.evaluate(() => {
    // A file can be looked at by anybody; without a hand the browser refuses the dialog.
    for (const button of document.querySelectorAll<HTMLElement>(
      '#root button:not([aria-label="Open a file"])',
    ))
      button.click()
  })
  // What is typed is stored after a pause, or at once when the panel is closed.
  await page.evaluate(() => bench.unmount())
  await page.locator('#root > *').first().waitFor({ state: 'detached' })
  // Time for what follows a closed panel; nothing does.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)))
  expect(await visit.stored()).toEqual([])
})
