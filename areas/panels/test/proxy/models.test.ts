import { SettableClock } from '@patchbay/testkit/clock'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { startSite } from './sites.ts'
import { startProxy, type TestProxy, takeProxy } from './start-proxy.ts'

const MIB = 1024 * 1024

test('[D-227] a model comes as bytes to be kept, whatever the site calls it', async () => {
  const model = Buffer.from('glTF\x02\x00\x00\x00')
  await using site = await startSite((_asked, response) => {
    response
      .writeHead(200, {
        'content-type': 'text/html',
        'set-cookie': 'a=b',
        'content-length': String(model.length),
      })
      .end(model)
  })
  await using node = await takeProxy()
  const answer = await fetchModel(node, site.at('site', '/cube.glb'))
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="model"',
    'content-length': String(model.length),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  expect(answer.headers.get('set-cookie')).toBeNull()
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(model)
  expect(site.requests[0]?.headers).not.toHaveProperty('x-test-person')
})

test('[D-227] whoever may read gets one, others do not and nothing is fetched for them', async () => {
  await using site = await startSite((_asked, response) => response.end('x'))
  await using node = await takeProxy()
  node.access.grant('bob', 'ada', 'read')
  const path = modelPath(site.at('site'))
  expect((await node.as('eve').ask(path)).status).toBe(403)
  expect((await node.ask(path)).status).toBe(401)
  expect((await node.as('ada', { scopes: ['webview:ada/board'] }).ask(path)).status).toBe(403)
  expect(node.dialled).toEqual([])
  expect((await node.as('bob').ask(path)).status).toBe(200)
})

test.for([
  ['http://10.0.0.1/', 400, 'source_refused'],
  ['http://unknown.example/', 400, 'source_refused'],
  ['http://ada:secret@site.localhost/', 400, 'source_refused'],
  ['http://site.localhost:1/', 502, 'source_unavailable'],
  ['file:///etc/passwd', 400, 'invalid_request'],
] as const)('[D-228] %s is %s %s', async ([url, status, code]) => {
  await using node = await takeProxy()
  const answer = await fetchModel(node, url)
  expect(answer.status).toBe(status)
  const text = await answer.text()
  expect(JSON.parse(text)).toMatchObject({ code })
  expect(text).not.toMatch(/ECONN|127\.0\.0\.1/)
})

test('[D-228] what the site does not have cannot be had', async () => {
  await using site = await startSite((_asked, response) => response.writeHead(404).end('not here'))
  await using node = await takeProxy()
  expect(await (await fetchModel(node, site.at('site'))).json()).toMatchObject({ code: 'source_unavailable' })
})

test('[D-228] 64 MiB pass, and a site that says that it sends more is refused', async () => {
  const canceled = Promise.withResolvers<undefined>()
  await using site = await startSite((asked, response) => {
    const size = asked.url === '/most' ? 64 * MIB : 64 * MIB + 1
    response.writeHead(200, { 'content-length': String(size) }).write('x')
    response.once('close', () => canceled.resolve(undefined))
  })
  await using node = await takeProxy()
  const most = await fetchModel(node, site.at('site', '/most'))
  expect([most.status, most.headers.get('content-length')]).toEqual([200, String(64 * MIB)])
  await most.body?.cancel()
  await canceled.promise
  expect(await (await fetchModel(node, site.at('site', '/more'))).json()).toMatchObject({
    code: 'source_refused',
    reason: 'too_large',
  })
})

deepTest('[D-228] 64 MiB pass, more is refused or breaks off', { timeout: 60_000 }, async () => {
  await using site = await startSite((asked, response) => {
    const size = asked.url === '/most' ? 64 * MIB : 64 * MIB + 1
    if (asked.url === '/declared') response.setHeader('content-length', String(size))
    const piece = Buffer.alloc(MIB)
    let sent = 0
    const send = () => {
      while (sent < size) {
        const part = piece.subarray(0, Math.min(MIB, size - sent))
        sent += part.length
        if (!response.write(part)) {
          response.once('drain', send)
          return
        }
      }
      response.end()
    }
    send()
  })
  await using node = await takeProxy()
  expect((await (await fetchModel(node, site.at('site', '/most'))).arrayBuffer()).byteLength).toBe(64 * MIB)
  expect(await (await fetchModel(node, site.at('site', '/declared'))).json()).toMatchObject({
    code: 'source_refused',
    reason: 'too_large',
  })
  const tooMuch = await fetchModel(node, site.at('site', '/more'))
  await expect(tooMuch.arrayBuffer()).rejects.toThrow()
})

test('[D-228] an address gets thirty in a minute', async () => {
  await using site = await startSite((_asked, response) => response.end('x'))
  await using node = await startProxy({ clock: new SettableClock() })
  const answers = await Promise.all(Array.from({ length: 35 }, () => fetchModel(node, site.at('site'))))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
  const [refused] = answers.filter(({ status }) => status === 429)
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
})

async function fetchModel(node: TestProxy, url: string): Promise<Response> {
  return await node.as('ada').ask(modelPath(url))
}

function modelPath(url: string): string {
  return `/api/workspaces/editor/ada/board/models?url=${encodeURIComponent(url)}`
}
