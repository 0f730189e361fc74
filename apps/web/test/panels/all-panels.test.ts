import { expect, test } from 'vitest'
import { complaints, overflowing } from '../complaints.ts'
import type { Mounting } from './bench/mount.ts'
import { NARROW, usePanelBench, WIDE } from './panel-bench.ts'
import { html, serveForeign } from './sites.ts'

// The checker talks to frames that do not answer, and software draws slowly: the browser says so now and then.
const panels = usePanelBench({ tolerated: /'postMessage' on 'DOMWindow'|GPU stall due to ReadPixels/ })
const CODE = '// Blink\nfor (const lamp of [1, 2]) console.log("on", lamp, /x+/)\n'
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
  ['a system log', () => ({ kind: 'system-log' })],
]

const LOOKS = [
  { name: 'light and wide', colorScheme: 'light', viewport: WIDE },
  { name: 'dark and wide', colorScheme: 'dark', viewport: WIDE },
  { name: 'light and narrow', colorScheme: 'light', viewport: NARROW },
  { name: 'dark and narrow', colorScheme: 'dark', viewport: NARROW },
] as const

test.each(MOUNTINGS)(
  '[W-317][W-318] nothing is wrong with %s',
  async (_, mounting) => {
    await using foreign = await serve()
    for (const { name, ...look } of LOOKS) {
      // A button that is just becoming one has colours that nobody reads.
      await using visit = await panels.show(mounting(foreign.url), { ...look, reducedMotion: 'reduce' })
      const { page } = visit
      await page.locator('#root h1 + div').waitFor()
      if (mounting('').kind === 'system-log')
        await page.evaluate(() => {
          for (const level of ['debug', 'info', 'warn', 'error'] as const)
            bench.log({
              source: 'agent',
              level,
              text: 'navigated to https://example.com/a/very/long/address',
              about: 'Docs',
            })
        })
      expect({
        name,
        complaints: await complaints(page, { within: '#root' }),
        sticksOut: await page.evaluate(overflowing),
        width: await page.evaluate(() => document.documentElement.scrollWidth),
      }).toEqual({ name, complaints: [], sticksOut: [], width: look.viewport.width })
    }
  },
  90_000,
)

test('[W-317] nor with the search of the editor and a refused address', async () => {
  await using visit = await panels.show({ kind: 'code-editor', state: { text: CODE, fileName: 'a.js' } })
  await visit.page.getByRole('textbox', { name: 'Bench' }).click()
  await visit.page.keyboard.press('Control+f')
  await visit.page.getByPlaceholder('Find').fill('lamp')
  expect(await complaints(visit.page, { within: '#root' })).toEqual([])
  await using web = await panels.show({ kind: 'webview' })
  await web.page.getByLabel('Address', { exact: true }).fill('no address')
  await web.page.keyboard.press('Enter')
  await web.page.getByText('An address has no spaces in it.').waitFor()
  expect(await complaints(web.page, { within: '#root' })).toEqual([])
})

test('[W-319] whoever may only look changes nothing', async () => {
  await using foreign = await serve()
  for (const [name, mounting] of MOUNTINGS) {
    await using visit = await panels.show({ ...mounting(foreign.url), mayChange: false })
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
    // Longer than typing takes to be stored.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 700)))
    expect([name, ...(await visit.stored())]).toEqual([name])
  }
}, 90_000)
