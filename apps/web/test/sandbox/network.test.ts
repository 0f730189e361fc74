import { setTimeout as wait } from 'node:timers/promises'
import { sandboxFramePage } from '@patchbay/contracts/panels'
import { type Page, startChromium } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { addSandbox, type Bench, evaluateIn, type SandboxPage, startBench } from './bench.ts'
import { type Ears, listen } from './ears.ts'
import { WAYS } from './network-ways.ts'
import { serveSandbox } from './sandbox-site.ts'

const BOOTSTRAP = /<script>(.*)<\/script>/s.exec(sandboxFramePage([]).html)?.[1] ?? ''
const named = (code: string, { http, stun }: Ears): string =>
  `{ const T = ${JSON.stringify(`${http}/`)}, U = ${JSON.stringify(stun)}, BOOTSTRAP = ${JSON.stringify(BOOTSTRAP)}; ${code} }`

let bench: Bench
let ears: Ears
let sandbox: SandboxPage
beforeAll(async () => {
  bench = await startBench()
  ears = await listen()
  sandbox = await bench.open()
}, 120_000)
afterAll(async () => {
  await bench[Symbol.asyncDispose]()
  await ears[Symbol.asyncDispose]()
})

/** That nothing comes: long enough for a connection to loopback, many times over. */
const LISTENING_MS = 500

test.each(['fetch', 'img', 'WebSocket', 'iframe', 'WebRTC', 'script src', 'location'])(
  'control: outside of a sandbox %s is heard',
  async (name) => {
    const page = await bench.browser.newPage()
    await page.goto('data:text/html,<body></body>')
    const before = ears.heard()
    await page.evaluate(named(WAYS[name] ?? '', ears)).catch(() => undefined)
    await expect.poll(() => ears.heard(), { timeout: 20_000 }).toBeGreaterThan(before)
    await page.close()
  },
  60_000,
)

describe('[W-330] code reaches nobody', () => {
  // Each way has ears and a sandbox of its own, so that all are listened to at the same time.
  const PAGES = 4
  const opened = new AsyncDisposableStack()
  const tried = new Map<string, { readonly status: string; readonly around: Ears }>()
  const pages: Page[] = []
  beforeAll(async () => {
    const ways = Object.entries(WAYS)
    await Promise.all(
      Array.from({ length: PAGES }, async (_, lane) => {
        const { page } = opened.use(await bench.open())
        pages.push(page)
        for (const [place, [name, code]] of ways.entries()) {
          if (place % PAGES !== lane) continue
          const around = opened.use(await listen())
          await addSandbox(page, `way-${place}`)
          const { status } = await evaluateIn(page, `way-${place}`, named(code, around))
          tried.set(name, { status, around })
        }
      }),
    )
    await wait(LISTENING_MS)
  }, 120_000)
  afterAll(() => opened.disposeAsync())

  test.each(Object.keys(WAYS))('by %s', (name) => {
    const way = tried.get(name)
    expect(['executed', 'error']).toContain(way?.status)
    expect(way?.around.heard()).toBe(0)
  })

  test('and none opens a page or leaves the one it is in', () => {
    for (const page of pages) {
      expect(page.context().pages()).toEqual([page])
      expect(page.url()).toBe(`${bench.site.url}/`)
    }
  })
})

deepTest(
  '[W-330] nor the server that the frame came from',
  async () => {
    await using own = await bench.open()
    const { requests } = bench.site
    const before = requests.filter((path) => path.includes('secret')).length
    const codes = [
      `location = '/?secret'`,
      `location = '/panels/sandbox-frame?secret'`,
      `fetch('/?secret').catch(() => 0)`,
      `new Image().src = '/?secret'`,
      `document.body.innerHTML = '<iframe src="/?secret"></iframe>'`,
      `const s = document.createElement('script'); s.src = '/?secret'; document.body.append(s)`,
    ]
    for (const [place, code] of codes.entries()) {
      await addSandbox(own.page, `server-${place}`)
      await evaluateIn(own.page, `server-${place}`, code)
    }
    await wait(LISTENING_MS)
    expect(requests.filter((path) => path.includes('secret'))).toHaveLength(before)
  },
  60_000,
)

test('[W-331] an origin that was declared is reached, and no other', async () => {
  await using declared = await listen()
  const origin = declared.http.replace('http:', 'https:')
  await using open = await bench.open({ connect: [origin] })
  const before = ears.heard()
  await open.evaluate(`fetch(${JSON.stringify(ears.http.replace('http:', 'https:'))}).catch(() => 0)`)
  await open.evaluate(`fetch(${JSON.stringify(origin)}).catch(() => 0)`)
  await expect.poll(() => declared.heard(), { timeout: 20_000 }).toBeGreaterThan(0)
  expect(ears.heard()).toBe(before)
}, 60_000)

describe('[W-332] code sees nothing of the page around it', () => {
  test.each([
    ['top.document', /SecurityError/],
    ['parent.document', /SecurityError/],
    ['parent.location.href', /SecurityError/],
    ['frameElement.id', /SecurityError|TypeError/],
    ['document.cookie', /SecurityError/],
    ['localStorage.length', /SecurityError/],
    ['sessionStorage.length', /SecurityError/],
    ['indexedDB.open("x")', /SecurityError/],
    ['caches.keys()', /SecurityError/],
    ['navigator.serviceWorker.getRegistrations()', /SecurityError/],
    ['top.boxes', /SecurityError/],
    ['navigator.storage.getDirectory()', /SecurityError/],
  ])(
    '%s',
    async (code, error) => {
      const { status, error: said } = await sandbox.evaluate(code)
      expect(status).toBe('error')
      expect(said).toMatch(error)
    },
    60_000,
  )

  test('its origin is nobody', async () => {
    expect(
      await sandbox.value('[origin, document.referrer, typeof RTCPeerConnection, typeof event]'),
    ).toEqual(['null', '', 'undefined', 'undefined'])
  })
})

/** Connections ahead of time exist only in a profile that is kept, and in the whole browser. */
deepTest(
  '[W-330] by connecting ahead of time, in a browser that does',
  async () => {
    const browser = await startChromium({ isWhole: true, args: ['--site-per-process'] })
    try {
      const session = await browser.newBrowserCDPSession()
      const outside = await serveSandbox(new Map(), `<link rel="preconnect" href="${ears.http}">`)
      const before = ears.heard()
      await session.send('Target.createTarget', { url: outside.url })
      await expect.poll(() => ears.heard(), { timeout: 20_000 }).toBeGreaterThan(before)
      await outside[Symbol.asyncDispose]()

      // The same page again, as one that runs the code in a sandbox and then says so by asking for an address.
      await using quiet = await listen()
      const { files, requests, url } = bench.site
      const code = ['preconnect', 'dns-prefetch', 'prefetch']
        .map((name) => named(WAYS[name] ?? '', quiet))
        .join(';')
      files.set(
        '/ahead.js',
        `import './page.js'; const box = createSandbox(document.querySelector('#first'), { connect: [], title: 'x',
        async onReady(isReady) { if (isReady) { const { status } = await box.evaluate(${JSON.stringify(code)}, 20000); await fetch('/ran-' + status) } } })`,
      )
      await session.send('Target.createTarget', { url: `${url}/?ahead` })
      await expect.poll(() => requests.includes('/ran-executed'), { timeout: 30_000 }).toBe(true)
      await wait(2_000)
      expect(quiet.heard()).toBe(0)
    } finally {
      await browser.close()
    }
  },
  120_000,
)
