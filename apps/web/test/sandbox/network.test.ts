import { setTimeout as wait } from 'node:timers/promises'
import { sandboxFramePage } from '@patchbay/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChromium } from '@patchbay/testkit/chromium'
import { type Bench, type SandboxPage, startBench } from './bench.ts'
import { serveSandbox } from './sandbox-site.ts'
import { type Ears, listen } from './ears.ts'
import { WAYS } from './network-ways.ts'

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

/** Long enough for a connection to loopback, many times over. */
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
  // Side by side, because each has to be listened to for a while; each lane has ears and a sandbox of its own.
  const opened = new AsyncDisposableStack()
  const free: Lane[] = []
  afterAll(() => opened.disposeAsync())

  test.concurrent.for(Object.entries(WAYS))('by %s', { timeout: 60_000 }, async ([, code]) => {
    const lane = free.pop() ?? (await openLane(opened))
    const { page } = lane.inside
    const before = lane.around.heard()
    const pages = page.context().pages().length
    const address = page.url()
    const { status } = await lane.inside.evaluate(named(code, lane.around))
    expect(['executed', 'error']).toContain(status)
    await wait(LISTENING_MS)
    expect(lane.around.heard() - before).toBe(0)
    expect(page.context().pages()).toHaveLength(pages)
    expect(page.url()).toBe(address)
    free.push(lane)
  })
})

interface Lane {
  readonly around: Ears
  readonly inside: SandboxPage
}

async function openLane(opened: AsyncDisposableStack): Promise<Lane> {
  return { around: opened.use(await listen()), inside: opened.use(await bench.open()) }
}

test('[W-330] nor the server that the frame came from', async () => {
  await using own = await bench.open()
  const { requests } = bench.site
  const before = requests.filter((path) => path.includes('secret')).length
  for (const code of [
    `location = '/?secret'`,
    `location = '/panels/sandbox-frame?secret'`,
    `fetch('/?secret').catch(() => 0)`,
    `new Image().src = '/?secret'`,
    `document.body.innerHTML = '<iframe src="/?secret"></iframe>'`,
    `const s = document.createElement('script'); s.src = '/?secret'; document.body.append(s)`,
  ]) {
    await own.evaluate(code)
    await wait(LISTENING_MS)
  }
  expect(requests.filter((path) => path.includes('secret'))).toHaveLength(before)
}, 60_000)

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
test('[W-330] by connecting ahead of time, in a browser that does', async () => {
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
}, 120_000)
