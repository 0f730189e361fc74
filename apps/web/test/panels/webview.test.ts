import { atLatest, deepTest } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { soon, usePanelBench } from './panel-bench.ts'
import { html, serveForeign } from './sites.ts'

const panels = usePanelBench()
const servePages = () =>
  serveForeign(({ url }, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html(`Page ${url}`))
  })

test('[W-290] a page of another origin is shown with its origin, no referrer and no permissions', async () => {
  const referrers: (string | undefined)[] = []
  await using foreign = await serveForeign((request, response) => {
    referrers.push(request.headers.referer)
    response.writeHead(200, { 'content-type': 'text/html' }).end(html('Foreign'))
  })
  await using visit = await panels.show({ kind: 'webview', state: { url: `${foreign.url}/a` } })
  const frame = visit.page.frameLocator('iframe').frameLocator('iframe')
  await frame.getByRole('heading', { name: 'Foreign' }).waitFor()
  expect(referrers).toEqual([undefined])
  expect(await frame.locator('html').evaluate(() => self.origin)).toBe(foreign.url)
  const element = visit.page.frameLocator('iframe').locator('iframe')
  expect(await element.getAttribute('allow')).toBeNull()
  expect(await element.getAttribute('sandbox')).not.toContain('top-navigation')
})

deepTest('[W-290] a page of our own gets no origin and does not reach the workspace', async () => {
  await using visit = await panels.show(
    { kind: 'webview' },
    {
      prepare: (site) =>
        void site.answer(/^\/own$/, (_, response) => {
          response.writeHead(200, { 'content-type': 'text/html' }).end(html('Own'))
        }),
    },
  )
  await visit.patch({ url: `${visit.site.url}/own` })
  const body = visit.page.frameLocator('iframe').frameLocator('iframe').locator('html')
  await body.waitFor()
  expect(await body.evaluate(() => self.origin)).toBe('null')
  const reach = await body.evaluate(() => {
    try {
      return parent.document.title
    } catch (error) {
      return (error as Error).name
    }
  })
  expect(reach).toBe('SecurityError')
})

deepTest(
  '[W-291] what is typed is shown and stored; what is no address is refused and changes nothing',
  async () => {
    await using foreign = await servePages()
    await using visit = await panels.show({ kind: 'webview', state: { url: `${foreign.url}/first` } })
    const field = visit.page.getByLabel('Address', { exact: true })
    await field.fill('ftp://example.com')
    await field.press('Enter')
    await visit.page.getByText('Only http and https addresses can be shown, not ftp.').waitFor()
    expect(await visit.stored()).toEqual([])
    await field.press('Escape')
    expect(await field.inputValue()).toBe(`${foreign.url}/first`)
    await field.fill(`${foreign.url.slice('http://'.length)}/second`)
    await field.press('Enter')
    await visit.page.frameLocator('iframe').frameLocator('iframe').getByText('Page /second').waitFor()
    expect(await visit.stored()).toEqual([{ url: `${foreign.url}/second` }])
    await expect.poll(() => foreign.asked, soon).toEqual(['/first', '/second'])
  },
)

deepTest('[W-292] back, forward and reload', async () => {
  await using foreign = await servePages()
  await using visit = await panels.show({ kind: 'webview', state: { url: `${foreign.url}/a` } })
  const { page } = visit
  const frame = page.frameLocator('iframe').frameLocator('iframe')
  const shows = (path: string) => frame.getByRole('heading', { name: `Page ${path}`, exact: true }).waitFor()
  await shows('/a')
  const places = await page.evaluate(() => history.length)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  expect(await button('Back').isDisabled()).toBe(true)
  await visit.patch({ url: `${foreign.url}/b` })
  await shows('/b')
  await button('Back').click()
  await shows('/a')
  expect((await visit.stored()).at(-1)).toEqual({ url: `${foreign.url}/a` })
  await button('Forward').click()
  await shows('/b')
  expect(await button('Forward').isDisabled()).toBe(true)
  await button('Reload').click()
  await expect.poll(() => foreign.asked, soon).toEqual(['/a', '/b', '/a', '/b', '/b'])
  expect(await page.evaluate(() => history.length)).toBe(places)
})

test('[W-293] navigating, reloading and hiding the header from outside', async () => {
  await using foreign = await servePages()
  await using visit = await panels.show({ kind: 'webview' })
  const { page } = visit
  await page.getByText('No page yet').waitFor()
  const first = await visit.patch({ url: `${foreign.url}/a` })
  await page.evaluate((revision) => bench.shows(revision), first)
  await expect.poll(() => foreign.asked, soon).toEqual(['/a'])
  const second = await visit.patch({ refresh: 1 })
  await page.evaluate((revision) => bench.shows(revision), second)
  await expect.poll(() => foreign.asked, soon).toEqual(['/a', '/a'])
  const third = await visit.patch({ isHeaderHidden: true })
  await page.evaluate((revision) => bench.shows(revision), third)
  expect(await page.getByLabel('Address', { exact: true }).count()).toBe(0)
  expect(foreign.asked).toEqual(['/a', '/a'])
  expect(await visit.stored()).toEqual([])
})

deepTest('[W-293] a page that never comes does not keep the sender waiting', async () => {
  await using foreign = await serveForeign(() => {})
  await using visit = await panels.show({ kind: 'webview' })
  const revision = await visit.patch({ url: `${foreign.url}/slow` })
  const begun = performance.now()
  await visit.page.evaluate((wanted) => bench.shows(wanted), revision)
  expect(performance.now() - begun).toBeLessThan(atLatest(9000))
})

test('[W-294] a handle brings the header back', async () => {
  await using foreign = await servePages()
  await using visit = await panels.show({
    kind: 'webview',
    state: { url: foreign.url, isHeaderHidden: true },
  })
  await visit.page.getByRole('button', { name: 'Show the address bar' }).click()
  await visit.page.getByLabel('Address', { exact: true }).waitFor()
  expect(await visit.stored()).toEqual([{ isHeaderHidden: false }])
  await visit.page.getByRole('button', { name: 'Hide the address bar' }).click()
  await visit.page.getByRole('button', { name: 'Show the address bar' }).waitFor()
})

test('[W-298] whoever sees no page is offered the proxy, until the offer is closed', async () => {
  await using foreign = await servePages()
  await using visit = await panels.show({ kind: 'webview', state: { url: foreign.url }, isStoring: false })
  const { page } = visit
  await page.getByRole('button', { name: 'Turn on the proxy' }).click()
  expect(await visit.stored()).toEqual([{ isProxyEnabled: true }])
  await page.getByRole('button', { name: 'Close this hint' }).click()
  await page.getByText('Page not showing?').waitFor({ state: 'detached' })
})

test('[W-299] a panel that somebody added shows its page, and from where it comes', async () => {
  await using foreign = await servePages()
  await using visit = await panels.show({ kind: 'web', url: `${foreign.url}/panel` })
  const frame = visit.page.frameLocator('iframe').frameLocator('iframe')
  await frame.getByText('Page /panel').waitFor()
  expect(await frame.locator('html').evaluate(() => self.origin)).toBe(foreign.url)
  await visit.page.getByRole('link', { name: foreign.url }).waitFor()
})

test('[W-299] one without a page says so', async () => {
  await using visit = await panels.show({ kind: 'web' })
  await visit.page.getByText('This panel has no page').waitFor()
  expect(await visit.page.locator('iframe').count()).toBe(0)
})
