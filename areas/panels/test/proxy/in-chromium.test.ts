import type { RequestListener } from 'node:http'
import { type Browser, openPage, type Page, sharedChromium } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, expect } from 'vitest'
import { servePage, startSite } from './sites.ts'
import { readPlace, readTold, type Setup, startWorkspace } from './workspace-page.ts'

const NO_FRAMES = {
  'x-frame-options': 'DENY',
  'content-security-policy': "frame-ancestors 'none'",
  'set-cookie': 'theirs=1',
}
const SOON = { timeout: 15_000 }
const LONG = { timeout: 60_000 }

let browser: Browser
/** One for all: each test has a page and a ticket of its own. */
let setup: Setup
beforeAll(async () => {
  browser = await sharedChromium()
  setup = await startWorkspace()
})
afterAll(() => setup[Symbol.asyncDispose]())

const frameOf = (page: Page) => page.frameLocator('#view')

/** A site of several pages, by path. */
function servePages(pages: Record<string, string>): RequestListener {
  return (asked, response) => {
    const path = (asked.url ?? '/').split('?')[0] ?? '/'
    if (path === '/moved') response.writeHead(302, { location: '/arrived' }).end()
    else
      servePage(`<!doctype html><title>${path}</title>${pages[path] ?? `<h1>${path}</h1>`}`, NO_FRAMES)(
        asked,
        response,
      )
  }
}

test('[D-221] a site that forbids framing shows in a frame of the workspace', LONG, async () => {
  await using site = await startSite(servePage('<title>Hi</title><h1>Hello</h1>', NO_FRAMES))
  await using opened = await openPage(browser)
  await opened.page.goto(await setup.addressOf(site.at('site')))
  await frameOf(opened.page).getByRole('heading', { name: 'Hello' }).waitFor(SOON)
  await expect.poll(() => readPlace(opened.page), SOON).toEqual([site.at('site'), 'Hi'])
})

test('[D-221] without the proxy it does not, and somebody else cannot frame the proxy', LONG, async () => {
  await using site = await startSite(servePage('<h1>Hello</h1>', NO_FRAMES))
  await using opened = await openPage(browser, {
    expectedFaults: [/frame-ancestors 'none'|X-Frame-Options/i, /frame-ancestors http:\/\/localhost/],
  })
  const { page } = opened
  await page.goto(`http://localhost:${setup.workspace.port}/?show=${encodeURIComponent(site.at('site'))}`)
  await expect.poll(() => opened.faults().length, SOON).toBe(1)
  const { search } = new URL(await setup.addressOf(site.at('site')))
  await page.goto(setup.workspace.at('evil', `/${search}`))
  await expect.poll(() => opened.faults().length, SOON).toBe(2)
  expect(await frameOf(page).getByRole('heading').count()).toBe(0)
})

deepTest('[D-222] links, forms that ask, redirects and new titles are reported', LONG, async () => {
  await using site = await startSite(
    servePages({
      '/': '<a href="dir/two?a=1">two</a>',
      '/dir/two': '<a href="../moved" target="_top">on</a>',
      '/arrived':
        '<form action="/search"><input name="q" value="a b"><button name="go" value="1">Ask</button></form>',
      '/search': '<button onclick="document.title = \'renamed\'">rename</button>',
    }),
  )
  await using opened = await openPage(browser)
  const { page } = opened
  await page.goto(await setup.addressOf(site.at('site')))
  const expectPlace = async (path: string, title: string) => {
    await expect.poll(() => readPlace(page), SOON).toEqual([site.at('site', path), title])
  }
  await expectPlace('/', '/')
  await frameOf(page).getByRole('link', { name: 'two' }).click()
  await expectPlace('/dir/two?a=1', '/dir/two')
  await frameOf(page).getByRole('link', { name: 'on' }).click()
  await expectPlace('/arrived', '/arrived')
  await frameOf(page).getByRole('button', { name: 'Ask' }).click()
  await expectPlace('/search?q=a+b&go=1', '/search')
  await frameOf(page).getByRole('button', { name: 'rename' }).click()
  await expectPlace('/search?q=a+b&go=1', 'renamed')
})

deepTest("[D-222] parts of a page and steps in the page's own history are reported", LONG, async () => {
  await using site = await startSite(
    servePages({
      '/': `<a href="#part">part</a><button onclick="history.pushState({ n: 1 }, '', '/app/next?x=1')">push</button>
        <button onclick="history.back()">back</button><p style="height:3000px"></p><h2 id="part">Part</h2>`,
    }),
  )
  await using opened = await openPage(browser)
  const { page } = opened
  await page.goto(await setup.addressOf(site.at('site')))
  const expectPlace = async (path: string) => {
    await expect.poll(async () => (await readPlace(page))[0], SOON).toEqual(site.at('site', path))
  }
  await frameOf(page).getByRole('link', { name: 'part' }).click()
  await expectPlace('/#part')
  await expect
    .poll(async () => (await readTold(page, 'patchbay:scroll')).at(-1)?.y ?? 0, SOON)
    .toBeGreaterThan(1_000)
  const press = (name: string) => frameOf(page).getByRole('button', { name }).dispatchEvent('click')
  await press('push')
  await expectPlace('/app/next?x=1')
  await press('back')
  await expectPlace('/#part')
  await press('back')
  await expectPlace('/')
  // What a person typed with a part in it is shown there.
  await page.goto(await setup.addressOf(site.at('site', '/#part')))
  await expectPlace('/#part')
  await expect
    .poll(async () => (await readTold(page, 'patchbay:scroll')).at(-1)?.y ?? 0, SOON)
    .toBeGreaterThan(1_000)
})

test('[D-222] a page that says what went wrong reports its address as well', LONG, async () => {
  await using opened = await openPage(browser, { expectedFaults: [/status of 403/] })
  await opened.page.goto(await setup.addressOf('http://10.0.0.1/x'))
  await expect
    .poll(() => readPlace(opened.page), SOON)
    .toEqual(['http://10.0.0.1/x', 'The proxy does not go there'])
})

test('[D-223] scrolling is reported four times a second, and where it ends', LONG, async () => {
  await using site = await startSite(servePage('<p style="height:9000px">'))
  await using opened = await openPage(browser)
  const { page } = opened
  await page.goto(await setup.addressOf(site.at('site')))
  await expect.poll(() => readPlace(page), SOON).toEqual([site.at('site'), ''])
  const frame = page.frames().find((each) => each.url().includes('/page/'))
  await frame?.evaluate(async () => {
    for (let y = 1; y <= 60; y += 1) {
      scrollTo(0, y * 10)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  })
  await expect.poll(async () => (await readTold(page, 'patchbay:scroll')).at(-1)?.y, SOON).toBe(600)
  const told = await readTold(page, 'patchbay:scroll')
  expect(told.length).toBeGreaterThan(1)
  const gaps = told.slice(1).map(({ at }, index) => at - (told[index]?.at ?? 0))
  // Messages may be delivered late, so two may come close together; all of them together may not.
  const seconds = ((told.at(-1)?.at ?? 0) - (told[0]?.at ?? 0)) / 1_000
  expect(gaps.length).toBeLessThanOrEqual(Math.ceil(seconds * 4) + 1)
  expect(told.at(-1)?.maxY).toBeGreaterThan(8_000)
})

const ATTACK = `<!doctype html><title>Attack</title><pre id="found"></pre><script>
  const attempts = {
    cookie: () => document.cookie,
    localStorage: () => localStorage.getItem('ours'),
    parentDocument: () => parent.document.title,
    parentCookie: () => parent.document.cookie,
    parentStorage: () => parent.localStorage.getItem('ours'),
    frameElement: () => String(frameElement),
    top: () => { top.location = 'http://evil.localhost/' },
    origin: () => self.origin,
    ours: () => { const sync = new XMLHttpRequest(); sync.open('GET', WORKSPACE, false); sync.send(); return sync.responseText },
  }
  const found = {}
  for (const [name, attempt] of Object.entries(attempts))
    try { found[name] = String(attempt()) } catch (error) { found[name] = error.name }
  localStorage.setItem('a', 1)
  found.memory = localStorage.getItem('a') + localStorage.length
  document.getElementById('found').textContent = JSON.stringify(found)
</script>`

test('[D-224] a page reads nothing of ours and leads the workspace nowhere', LONG, async () => {
  const workspace = `http://localhost:${setup.workspace.port}/`
  await using site = await startSite(
    servePage(ATTACK.replace('WORKSPACE', JSON.stringify(workspace)), NO_FRAMES),
  )
  await using opened = await openPage(browser, {
    expectedFaults: [/Unsafe attempt to initiate navigation/, /CORS policy/, /net::ERR_FAILED/],
  })
  const { page } = opened
  const address = await setup.addressOf(site.at('site'))
  await page.goto(address)
  const found = frameOf(page).locator('#found')
  await expect.poll(() => found.textContent(), SOON).toContain('memory')
  expect(JSON.parse((await found.textContent()) ?? '')).toEqual({
    cookie: '',
    localStorage: 'null',
    parentDocument: 'SecurityError',
    parentCookie: 'SecurityError',
    parentStorage: 'SecurityError',
    frameElement: 'null',
    top: 'SecurityError',
    origin: 'null',
    ours: 'NetworkError',
    memory: '11',
  })
  expect(page.url()).toBe(address)
  expect(await page.evaluate('document.cookie + localStorage.length')).toBe('ours=secret1')
})

test('[D-225] forms that send something are stopped, and the workspace is told', LONG, async () => {
  const form = `<form method="post" action="/send"><input name="password" value="secret"><button>Send</button></form>
    <button onclick="document.forms[0].submit()">By script</button>
    <button onclick="around()">Around</button><script>
      const around = () => {
        document.addEventListener('submit', (event) => event.stopPropagation(), true)
        document.forms[0].requestSubmit()
      }
    </script>`
  await using site = await startSite(servePages({ '/': form }))
  await using opened = await openPage(browser, {
    expectedFaults: [/form-action 'none'/, /CSP violation: form-action/],
  })
  const { page } = opened
  await page.goto(await setup.addressOf(site.at('site')))
  const blocked = async () => (await readTold(page, 'patchbay:blocked')).map(({ what }) => what)
  await frameOf(page).getByRole('button', { name: 'Send' }).click()
  await expect.poll(blocked, SOON).toEqual(['form'])
  await frameOf(page).getByRole('button', { name: 'By script' }).click()
  await expect.poll(blocked, SOON).toEqual(['form', 'form'])
  await frameOf(page).getByRole('button', { name: 'Around' }).click()
  await expect.poll(() => opened.faults().some((fault) => fault.includes('form-action')), SOON).toBe(true)
  expect(site.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /'])
})

test('[D-226] a link to a new tab opens the site itself, which knows nothing of us', LONG, async () => {
  await using site = await startSite(
    servePages({ '/': '<a href="/other" target="_blank" rel="opener">new</a>' }),
  )
  await using opened = await openPage(browser)
  const { page } = opened
  await page.goto(await setup.addressOf(site.at('site')))
  const next = page.context().waitForEvent('page', SOON)
  await frameOf(page).getByRole('link', { name: 'new' }).click()
  const tab = await next
  await tab.getByRole('heading', { name: '/other' }).waitFor(SOON)
  expect(tab.url()).toBe(site.at('site', '/other'))
  expect(await tab.evaluate('[opener, document.referrer, origin]')).toEqual([
    null,
    '',
    new URL(site.at('site')).origin,
  ])
  const asked = site.requests.find(({ url }) => url === '/other')
  expect(asked?.headers.referer).toBeUndefined()
})

deepTest('[D-217] no picture, link or request of a page carries the ticket to the site', LONG, async () => {
  const page = `<meta name="referrer" content="unsafe-url"><img src="/a.png" referrerpolicy="unsafe-url">
    <a href="/next" referrerpolicy="unsafe-url">next</a>`
  await using site = await startSite(servePages({ '/': page }))
  await using opened = await openPage(browser)
  await opened.page.goto(await setup.addressOf(site.at('site')))
  await expect.poll(() => site.requests.some(({ url }) => url === '/a.png'), SOON).toBe(true)
  await frameOf(opened.page).getByRole('link', { name: 'next' }).click()
  await expect.poll(() => site.requests.some(({ url }) => url === '/next'), SOON).toBe(true)
  expect(site.requests.map(({ headers }) => headers.referer)).toEqual(site.requests.map(() => undefined))
  expect(JSON.stringify(site.requests.map(({ rawHeaders }) => rawHeaders))).not.toContain('/page/')
})
