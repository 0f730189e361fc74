import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { shows } from '../bench.ts'
import type { Site } from '../site.ts'
import { soon, usePanelBench } from './panel-bench.ts'
import { html, serveForeign } from './sites.ts'

const panels = usePanelBench()
const TICKET = /\/current\/tabs\/[^/]+\/proxy-ticket$/

/** A proxy whose pages say where they are, as the real one's do, and move when a test presses their buttons. */
function serveProxy() {
  const script = `
    const say = (message) => top.postMessage(message, '*')
    const page = (url) => say({ type: 'patchbay:page', url, title: 'T' })
    page('https://site.example/arrived')
    go.onclick = () => page('https://site.example/next')
    scroller.onclick = () => say({ type: 'patchbay:scroll', x: 0, y: 400, maxY: 1000 })
    form.onclick = () => say({ type: 'patchbay:blocked', what: 'form' })
    onmessage = () => page('https://site.example/by-itself')`
  return serveForeign(({ url }, response) => {
    const other = html('Other', `<script>${script.slice(0, script.indexOf('go.onclick'))}</script>`)
    if (url === '/other') {
      response.end(other.replace('site.example', 'evil.example'))
      return
    }
    const buttons =
      '<button id=go>Go</button><button id=scroller>Scroll</button><button id=form>Form</button>'
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(html('Proxied', `${buttons}<script>${script}</script>`))
  })
}

function grantTickets(proxyUrl: string, tokens: (string | undefined)[] = []) {
  return (site: Site) =>
    void site.answer(TICKET, (request, response) => {
      tokens.push(request.headers['x-csrf-token'] as string | undefined)
      const body = { address: `${proxyUrl}/t/`, origin: proxyUrl, expiresAt: '2100-01-01T00:00:00.000Z' }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
}

deepTest('[W-295] with the proxy the page comes from its address, in a frame without an origin', async () => {
  await using proxy = await serveProxy()
  const tokens: (string | undefined)[] = []
  const state = { url: 'https://site.example/a?b=c&d', isProxyEnabled: true }
  await using visit = await panels.show(
    { kind: 'webview', state },
    { prepare: grantTickets(proxy.url, tokens) },
  )
  const frame = visit.page.frameLocator('iframe').frameLocator('iframe')
  await frame.getByRole('heading', { name: 'Proxied' }).waitFor()
  expect(proxy.asked).toEqual([`/t/${encodeURIComponent(state.url)}`])
  expect(tokens).toEqual(['csrf-of-the-bench'])
  expect(await visit.page.frameLocator('iframe').locator('iframe').getAttribute('sandbox')).toBe(
    'allow-scripts allow-forms allow-popups',
  )
  expect(await frame.locator('html').evaluate(() => self.origin)).toBe('null')
})

test('[W-292] reload loads the page again, with a new ticket', async () => {
  await using proxy = await serveProxy()
  let given = 0
  await using visit = await panels.show(
    { kind: 'webview', state: { url: 'https://site.example/', isProxyEnabled: true } },
    {
      prepare: (site) =>
        void site.answer(TICKET, (_, response) => {
          given += 1
          const body = { address: `${proxy.url}/t${given}/`, expiresAt: '2100-01-01T00:00:00.000Z' }
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
        }),
    },
  )
  const frame = visit.page.frameLocator('iframe').frameLocator('iframe')
  await frame.getByRole('heading', { name: 'Proxied' }).waitFor()
  const [first = ''] = proxy.asked
  await visit.page.getByRole('button', { name: 'Reload' }).click()
  await expect.poll(() => proxy.asked.length, soon).toBe(2)
  expect(first).toMatch(/^\/t\d+\//)
  expect(proxy.asked[1]).toMatch(/^\/t\d+\//)
  expect(proxy.asked[1]?.slice(0, 4)).not.toBe(first.slice(0, 4))
})

test('[W-295] without a proxy the panel says so and shows the page directly', async () => {
  await using foreign = await serveForeign((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html('Direct'))
  })
  const problem = { type: 'about:blank', title: 'x', status: 409, code: 'proxy_not_available' }
  await using visit = await panels.show(
    { kind: 'webview', state: { url: foreign.url, isProxyEnabled: true } },
    {
      expectedFaults: [/409/],
      prepare: (site) =>
        void site.answer(TICKET, (_, response) => {
          response.writeHead(409, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem))
        }),
    },
  )
  await visit.page.getByText('The proxy is not enabled on this server').waitFor()
  const page = visit.page
    .frameLocator('iframe')
    .frameLocator('iframe')
    .getByRole('heading', { name: 'Direct' })
  expect(await shows(page)).toBe(true)
})

deepTest(
  '[W-296] the address field follows the page, the line its scrolling, and a form that was not sent is told',
  async () => {
    await using proxy = await serveProxy()
    await using visit = await panels.show(
      { kind: 'webview', state: { url: 'https://site.example/', isProxyEnabled: true } },
      { prepare: grantTickets(proxy.url) },
    )
    const { page } = visit
    const field = page.getByLabel('Address', { exact: true })
    await expect.poll(() => field.inputValue(), soon).toBe('https://site.example/arrived')
    const frame = page.frameLocator('iframe').frameLocator('iframe')
    await frame.getByRole('button', { name: 'Scroll' }).click()
    await expect
      .poll(() => page.getByRole('meter').getAttribute('aria-valuetext'), soon)
      .toBe('Scrolled 40 %')
    await frame.getByRole('button', { name: 'Form' }).click()
    await page.getByText('The proxy only reads pages').waitFor()
  },
)

deepTest('[W-296] a message of any other window changes nothing', async () => {
  await using proxy = await serveProxy()
  await using visit = await panels.show(
    { kind: 'webview', state: { url: 'https://site.example/', isProxyEnabled: true } },
    // With a window beside the panel's, which stays.
    { prepare: grantTickets(proxy.url), isAlone: true },
  )
  const { page } = visit
  const field = page.getByLabel('Address', { exact: true })
  await expect.poll(() => field.inputValue(), soon).toBe('https://site.example/arrived')
  await page.evaluate(() =>
    postMessage({ type: 'patchbay:page', url: 'https://evil.example/', title: '' }, '*'),
  )
  await page.evaluate((src) => {
    const other = document.createElement('iframe')
    other.src = src
    document.body.append(other)
  }, `${proxy.url}/other`)
  await page.frameLocator('body > iframe').getByRole('heading', { name: 'Other' }).waitFor()
  const frame = page.frameLocator('iframe[title]').frameLocator('iframe')
  await frame.getByRole('button', { name: 'Scroll' }).click()
  await expect.poll(() => page.getByRole('meter').getAttribute('aria-valuetext'), soon).toBe('Scrolled 40 %')
  expect(await field.inputValue()).toBe('https://site.example/arrived')
})

deepTest('[W-297] where the person goes is stored, and the frame stays', async () => {
  await using proxy = await serveProxy()
  await using visit = await panels.show(
    { kind: 'webview', state: { url: 'https://site.example/', isProxyEnabled: true } },
    { prepare: grantTickets(proxy.url) },
  )
  await visit.page.frameLocator('iframe').frameLocator('iframe').getByRole('button', { name: 'Go' }).click()
  await expect.poll(() => visit.stored(), soon).toEqual([{ url: 'https://site.example/next' }])
  await expect
    .poll(() => visit.page.getByLabel('Address', { exact: true }).inputValue(), soon)
    .toMatch(/next$/)
  await visit.page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect.poll(() => proxy.asked.length, soon).toBe(2)
  expect(proxy.asked[1]).toBe(`/t/${encodeURIComponent('https://site.example/arrived')}`)
})

deepTest('[W-297] a page that moves by itself, or was redirected, stores nothing', async () => {
  await using proxy = await serveProxy()
  await using visit = await panels.show(
    { kind: 'webview', state: { url: 'https://site.example/', isProxyEnabled: true } },
    { prepare: grantTickets(proxy.url) },
  )
  const field = visit.page.getByLabel('Address', { exact: true })
  await expect.poll(() => field.inputValue(), soon).toMatch(/arrived$/)
  await visit.page
    .frameLocator('iframe')
    .locator('iframe')
    .evaluate((frame: HTMLIFrameElement) => frame.contentWindow?.postMessage('move', '*'))
  await expect.poll(() => field.inputValue(), soon).toMatch(/by-itself$/)
  // Longer than what a person does would take to be stored; the first press is stored, and nothing before it.
  await visit.page.frameLocator('iframe').frameLocator('iframe').getByRole('button', { name: 'Go' }).click()
  await expect.poll(() => visit.stored(), soon).toEqual([{ url: 'https://site.example/next' }])
  expect(proxy.asked).toHaveLength(1)
})
