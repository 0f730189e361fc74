import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { startNginxExample } from './nginx-example.ts'
import { ask } from './proxy-client.ts'

const FEED = '/registry/feeds/kicad/repository.json'
const LIST = `/registry/files/${'a'.repeat(64)}/packages.json`
const PUBLIC = 'public, max-age=0, must-revalidate'

// One second is over before a busy machine has asked twice.
const LONG = [['proxy_cache_valid 200 1s', 'proxy_cache_valid 200 10m']] as const

test('[DP-214] a public feed and its list are asked for once', async () => {
  await using site = await startSite()
  for (const path of [FEED, '/registry/feeds/kicad/acme/repository.json', LIST]) {
    const texts = [await site.text(path), await site.text(path), await site.text(path)]
    expect(new Set(texts).size).toBe(1)
  }
  expect(site.asked()).toBe(3)
})

test('[DP-214] each coding is kept by itself', async () => {
  await using site = await startSite()
  const read = (coding: string) => site.text(LIST, { 'accept-encoding': coding })
  expect([await read('br'), await read('gzip'), await read('br'), await read('gzip')]).toEqual([
    '1 br',
    '2 gzip',
    '1 br',
    '2 gzip',
  ])
})

test('[DP-214] nginx answers 304 by itself', async () => {
  await using site = await startSite()
  await site.text(FEED)
  const { status } = await ask(site.proxy, FEED, { headers: { 'if-none-match': '"1"' } })
  expect(status).toBe(304)
  expect(site.asked()).toBe(1)
})

deepTest('[DP-214] what is kept is asked for again after a second', async () => {
  await using site = await startSite({ keep: [] })
  const first = await site.text(FEED)
  await expect.poll(() => site.text(FEED), { timeout: 30_000, interval: 100 }).not.toBe(first)
})

deepTest.each<[name: string, asked: Answers & { path: string; headers?: Record<string, string> }]>([
  ['is private', { path: '/registry/feeds/kicad/acme/private/repository.json' }],
  ['is a private list', { path: '/registry/private-files/acme/x/packages.json' }],
  ['says that it is private', { path: FEED, cacheControl: 'private, no-cache' }],
  ['does not say that it is public', { path: FEED, cacheControl: '' }],
  ['has a query', { path: `${FEED}?for=me` }],
  ['is a refusal', { path: FEED, status: 404 }],
  ['is a secret feed', { path: '/registry/shared/secret/kicad/repository.json' }],
  ['is asked for anew', { path: FEED, headers: { 'cache-control': 'no-cache' } }],
])('[DP-214] an answer that %s comes from the server', async (_name, { path, headers, ...answers }) => {
  await using site = await startSite(answers)
  const texts = [await site.text(path, headers), await site.text(path, headers)]
  expect(new Set(texts).size).toBe(2)
})

test('[DP-214] an answer that was kept has no request id, every other one its own, and all have HSTS', async () => {
  await using site = await startSite()
  const asked = { headers: { 'cache-control': 'no-cache' } }
  const answers = [
    await ask(site.proxy, FEED),
    await ask(site.proxy, FEED),
    await ask(site.proxy, FEED, asked),
  ]
  const [first, kept, anew] = answers.map(({ headers }) => headers['x-request-id'])
  expect(kept).toBeUndefined()
  expect(`${first} ${anew}`).toMatch(/^([a-f0-9]{32}) (?!\1)[a-f0-9]{32}$/)
  for (const { headers } of answers)
    expect(headers).toHaveProperty('strict-transport-security', 'max-age=31536000; includeSubDomains')
})

interface Answers {
  readonly cacheControl?: string
  readonly status?: number
  readonly keep?: typeof LONG | []
}

/** The shipped nginx before a node whose every answer is another one. */
async function startSite({ cacheControl = PUBLIC, status = 200, keep = LONG }: Answers = {}) {
  await using stack = new AsyncDisposableStack()
  let asked = 0
  const node = createServer((request, response) => {
    asked += 1
    const coding = request.headers['accept-encoding'] ?? ''
    response.writeHead(status, {
      'cache-control': cacheControl,
      etag: `"${asked}"`,
      vary: 'accept-encoding',
      'x-request-id': 'of the node',
    })
    response.end(`${asked} ${coding}`.trim())
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  stack.defer(async () => {
    node.closeAllConnections()
    await new Promise((resolve) => node.close(resolve))
  })
  const proxy = stack.use(await startNginxExample([(node.address() as AddressInfo).port], keep))
  const kept = stack.move()
  return {
    proxy,
    asked: () => asked,
    text: async (path: string, headers: Record<string, string> = {}) =>
      (await ask(proxy, path, { headers })).text,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
