import { request } from 'node:http'
import type { Outbound } from '@patchbay/kernel/outbound'
import { SettableClock } from '@patchbay/testkit/clock'
import { atLatest, deepTest, depth } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { openLoopback, type Site, servePage, startSite } from './sites.ts'
import { startProxy, type TestProxy, takeProxy } from './start-proxy.ts'

const MIB = 1024 * 1024

const openFor = (node: TestProxy, site: Site, handle = 'ada') =>
  node.openTicket({ handle, url: site.at('site') })

test('[D-204] without a ticket nothing is fetched', async () => {
  await using site = await startSite(servePage('<p>here'))
  await using node = await takeProxy()
  const target = encodeURIComponent(site.at('site'))
  const unknown = 'A'.repeat(43)
  for (const token of [unknown, 'short', `${unknown}A`, '%00', "' or 1=1 --"]) {
    const answer = await fetch(`${node.proxyUrl}/page/${encodeURIComponent(token)}/${target}`)
    expect({ token, status: answer.status }).toEqual({ token, status: 403 })
    expect(await answer.text()).toContain('Reload the web view')
  }
  expect(node.dialled).toEqual([])
})

test('[D-205] only frames are answered: no tab, no picture, no script', async () => {
  await using site = await startSite(servePage('<p>here'))
  await using node = await takeProxy()
  const statusFor = async (destination: string) =>
    (await ask(node, await openFor(node, site), site.at('site'), { 'sec-fetch-dest': destination })).status
  for (const destination of ['document', 'image', 'script', 'empty', 'object', 'embed', 'frame'])
    expect({ destination, status: await statusFor(destination) }).toEqual({ destination, status: 403 })
  expect(node.dialled).toEqual([])
  expect(await statusFor('iframe')).toBe(200)
})

test('[D-206] the listener answers for its own host, and to reading alone', async () => {
  await using site = await startSite(servePage('<p>here'))
  await using node = await takeProxy()
  const address = await openFor(node, site)
  for (const host of ['evil.example', '127.0.0.1', `127.0.0.1:${new URL(node.proxyUrl).port}`, 'localhost'])
    expect({ host, status: (await ask(node, address, site.at('site'), { host })).status }).toEqual({
      host,
      status: 421,
    })
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect((await fetch(address + encodeURIComponent(site.at('site')), { method })).status).toBe(405)
  expect(node.dialled).toEqual([])
  expect((await fetch(`${node.proxyUrl}/api/workspaces/editor/ada`)).status).toBe(404)
})

test('[D-208] a site learns nothing of who asks, and gives nothing back but the page', async () => {
  await using site = await startSite(
    servePage('<p>here', { 'set-cookie': 'tracker=1; Path=/', 'x-secret': 'of the site' }),
  )
  await using node = await takeProxy()
  const answer = await ask(node, await openFor(node, site), site.at('site', '/a?b=c'), {
    cookie: '__Host-patchbay=secret; tracker=1',
    authorization: 'Bearer secret',
    'x-api-key': 'secret',
    referer: 'http://workspace.example/workspaces/ada/board',
    origin: 'http://workspace.example',
    'x-forwarded-for': '203.0.113.9',
    'accept-language': 'de-CH,de;q=0.9',
    'user-agent': 'Browser of Ada',
  })
  expect(answer.status).toBe(200)
  expect(site.requests).toHaveLength(1)
  const [asked] = site.requests
  expect(asked?.url).toBe('/a?b=c')
  expect(asked?.headers).toEqual({
    host: `site.localhost:${site.port}`,
    connection: 'close',
    'user-agent': 'patchbay-test',
    'accept-encoding': 'identity',
    accept: expect.stringContaining('text/html'),
    'accept-language': 'de-CH,de;q=0.9',
  })
  expect(answer.headers).not.toHaveProperty('set-cookie')
  expect(answer.headers).not.toHaveProperty('x-secret')
})

test('[D-209] a document of 8 MiB is shown, a larger one is not', async () => {
  await using site = await startSite((asked, response) => {
    const isDeclared = asked.url === '/declared'
    const size = asked.url === '/most' ? 8 * MIB : 8 * MIB + 1
    response.writeHead(200, {
      'content-type': 'text/html',
      ...(isDeclared ? { 'content-length': String(size) } : {}),
    })
    response.end(Buffer.alloc(size, 'x'))
  })
  await using node = await takeProxy()
  expect((await node.show(site.at('site', '/most'))).status).toBe(200)
  for (const path of ['/more', '/declared']) {
    const answer = await node.show(site.at('site', path))
    expect(answer.status).toBe(502)
    expect(await answer.text()).toContain('The page is too large')
  }
})

test('[D-209] five redirects are followed, a sixth is not', async () => {
  await using site = await startSite((asked, response) => {
    const left = Number(asked.url?.slice(1))
    if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end()
    else servePage('<p>arrived')(asked, response)
  })
  await using node = await takeProxy()
  const arrived = await node.show(site.at('site', '/5'))
  expect(await arrived.text()).toContain('<p>arrived')
  expect((await node.show(site.at('site', '/6'))).status).toBe(502)
})

deepTest('[D-209] a site that says nothing is given up after 15 seconds', { timeout: 60_000 }, async () => {
  await using site = await startSite(() => undefined)
  const way = openLoopback()
  const allowedMs: number[] = []
  const outbound: Outbound = {
    ...way.outbound,
    open(url, options) {
      allowedMs.push(options.deadlineMs)
      return way.outbound.open(url, {
        ...options,
        deadlineMs: depth({ common: 200, deep: options.deadlineMs }),
      })
    },
  }
  await using node = await startProxy({ way: { ...way, outbound } })
  const begun = performance.now()
  const answer = await node.show(site.at('site'))
  expect(answer.status).toBe(504)
  expect(allowedMs).toEqual([15_000])
  // In the common run longer by what a busy machine takes; without a deadline it would last until the test is given up.
  expect(performance.now() - begun).toBeLessThan(atLatest(20_000))
})

deepTest(
  '[D-209] a ticket loads so many pages in a minute, and another one is not held back by it',
  async () => {
    await using site = await startSite(servePage('<p>here'))
    await using node = await startProxy({ clock: new SettableClock() })
    const statuses: number[] = []
    for (let round = 0; round < 13; round += 1)
      statuses.push(
        ...(await Promise.all(Array.from({ length: 10 }, () => node.show(site.at('site'))))).map(
          ({ status }) => status,
        ),
      )
    expect(statuses.filter((status) => status === 200)).toHaveLength(120)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    expect((await fetch((await openFor(node, site)) + encodeURIComponent(site.at('site')))).status).toBe(200)
  },
)

test('[D-209][D-240] a node loads so many pages at once, not all for one person, and says so to the next', async () => {
  const waiting: (() => void)[] = []
  await using site = await startSite((asked, response) => {
    waiting.push(() => servePage('<p>here')(asked, response))
  })
  await using node = await takeProxy()
  node.access.grant('bob', 'ada', 'write')
  const [adas, bobs] = [await openFor(node, site), await openFor(node, site, 'bob')]
  const show = (ticket: string) => fetch(ticket + encodeURIComponent(site.at('site')))
  const pages = [...Array.from({ length: 11 }, () => node.show(site.at('site'))), show(adas)]
  await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(12)
  for (const ticket of [adas, await openFor(node, site)]) expect((await show(ticket)).status).toBe(503)
  pages.push(...Array.from({ length: 4 }, () => show(bobs)))
  await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(16)
  expect((await show(bobs)).status).toBe(503)
  for (const answer of waiting) answer()
  expect((await Promise.all(pages)).map(({ status }) => status)).toEqual(pages.map(() => 200))
})

test('[D-209] a page that nobody waits for any more is not loaded to its end', async () => {
  await using site = await startSite((_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).write('<p>')
  })
  await using node = await takeProxy()
  const gone = new AbortController()
  const answer = node.show(site.at('site'), { signal: gone.signal }).catch(() => 'gone')
  await expect.poll(() => site.requests.length, { timeout: 10_000 }).toBe(1)
  gone.abort()
  expect(await answer).toBe('gone')
  await expect.poll(() => site.requests[0]?.socket.destroyed, { timeout: 10_000 }).toBe(true)
})

test('[D-242] of a text the beginning is shown, soon, whatever is in it', async () => {
  const text = `\u20ac${'<'.repeat(8 * MIB - 10)}`
  await using site = await startSite((asked, response) => {
    const body = asked.url === '/long' ? text : text.slice(0, MIB)
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(body)
  })
  await using node = await takeProxy()
  const long = await (await node.show(site.at('site', '/long'))).text()
  expect(long).toContain(`<pre>\u20ac${'&#60;'.repeat(MIB - 1)}</pre><p class="where">Only the beginning`)
  expect(long).toContain(`href="${site.at('site', '/long')}"`)
  const whole = await (await node.show(site.at('site', '/whole'))).text()
  expect(whole).toContain(`<pre>\u20ac${'&#60;'.repeat(MIB - 1)}</pre>`)
  expect(whole).not.toContain('Only the beginning')
})

test('[D-210] the answer has our headers, and none of the site', async () => {
  const theirs = {
    'x-frame-options': 'DENY',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'unsafe-url',
    'clear-site-data': '"*"',
    'service-worker-allowed': '/',
    'strict-transport-security': 'max-age=1',
    link: '</x>; rel=preload',
    refresh: '0; url=/elsewhere',
    'access-control-allow-origin': '*',
    'content-disposition': 'attachment',
    'x-site': '1',
  }
  await using site = await startSite(servePage('<p>here', theirs))
  await using node = await takeProxy()
  const answer = await node.show(site.at('site'))
  const {
    date: _date,
    'content-length': _length,
    'x-request-id': _id,
    ...headers
  } = Object.fromEntries(answer.headers)
  expect(headers).toEqual({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox; form-action 'none'; frame-ancestors http://patchbay.localhost",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow',
    connection: 'keep-alive',
    'keep-alive': expect.any(String),
  })
})

test.for([
  ['text/plain', 'a <b>', '<pre>a &#60;b&#62;</pre>'],
  ['application/json', '{"a":"<b>"}', '<pre>{&#34;a&#34;:&#34;&#60;b&#62;&#34;}</pre>'],
  ['application/vnd.api+json', '{}', '<pre>{}</pre>'],
  ['application/rss+xml', '<rss/>', '<pre>&#60;rss/&#62;</pre>'],
  ['text/javascript', 'alert(1)', '<pre>alert(1)</pre>'],
  ['image/png', 'PNG', '<img src="data:image/png;base64,UE5H" alt="file">'],
  ['image/svg+xml', '<svg onload="x()"/>', '<img src="data:image/svg+xml;base64,'],
  ['text/html', '<p>a', '<p>a'],
  ['application/xhtml+xml', '<p>a</p>', '<p>a</p>'],
  ['', '<p>a', '<p>a'],
  ['application/pdf', '%PDF', 'a file of the type “application/pdf”'],
  ['application/octet-stream', 'x', 'a file of the type “application/octet-stream”'],
  ['application/x-shockwave-flash', 'x', 'This is not a page'],
  ['video/mp4', 'x', 'This is not a page'],
  ['text/"><script>alert(1)</script>', 'x', '<pre>x</pre>'],
  ['x/<script>alert(1)</script>', 'x', 'x/&#60;script&#62;'],
])('[D-211] %s is shown as a page', async ([type = '', body = '', shown = '']) => {
  await using site = await startSite((_asked, response) => {
    response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(body)
  })
  await using node = await takeProxy()
  const answer = await node.show(site.at('site', '/a/file?x'))
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const text = await answer.text()
  expect(text).toContain(shown)
  expect(text).toContain(`data-url="${site.at('site', '/a/file?x')}"`)
})

test('[D-212] what the site sends in another encoding arrives as UTF-8', async () => {
  await using site = await startSite((_asked, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html; charset=windows-1251' })
      .end(Buffer.from([0xcf, 0xf0, 0xe8]))
  })
  await using node = await takeProxy()
  expect(await (await node.show(site.at('site'))).text()).toContain('При')
})

test('[D-215] a page that moved leads its links to where it is now', async () => {
  await using site = await startSite((asked, response) => {
    if (asked.url === '/new/place') servePage('<a href=next>x</a>')(asked, response)
    else response.writeHead(301, { location: '/new/place' }).end()
  })
  await using node = await takeProxy()
  const text = await (await node.show(site.at('site', '/old#part'))).text()
  expect(text).toContain(`<base href="${site.at('site', '/new/place')}#part">`)
})

test.for([
  ['not an address', 'nonsense', 400, 'This is not a web address'],
  ['another scheme', 'ftp://site.localhost/', 400, 'This is not a web address'],
  ['a script', 'javascript:alert(1)', 400, 'This is not a web address'],
  ['nothing', '', 400, 'This is not a web address'],
  ['far too long', `http://site.localhost/${'x'.repeat(2_100)}`, 400, 'This is not a web address'],
  ['a password', 'http://ada:secret@site.localhost/', 400, 'The proxy does not go there'],
  ['a private address', 'http://10.0.0.1/', 403, 'The proxy does not go there'],
  ['an unknown name', 'http://unknown.example/', 403, 'The proxy does not go there'],
  ['a closed port', 'http://site.localhost:1/', 502, 'The site cannot be reached'],
] as const)('[D-219] %s is answered in words', async ([, url, status, words]) => {
  await using node = await takeProxy()
  const answer = await node.show(url)
  expect(answer.status).toBe(status)
  const text = await answer.text()
  expect(text).toContain(`<h1>${words}</h1>`)
  expect(text).not.toMatch(/ECONN|127\.0\.0\.1|undici|at .*\.ts/)
  expect(text.includes('data-url=')).toBe(words !== 'This is not a web address')
})

test('[D-219] a site that breaks off, or answers nothing sensible, is told as that', async () => {
  await using site = await startSite((asked, response) => {
    if (asked.url === '/break') {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '100' }).write('<p>')
      setTimeout(() => response.destroy(), 50)
    } else if (asked.url === '/zipped') response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
    else if (asked.url === '/empty') response.writeHead(204).end()
    else response.writeHead(404).end()
  })
  await using node = await takeProxy()
  const shown = async (path: string) => {
    const answer = await node.show(site.at('site', path))
    return [answer.status, /<h1>(.*)<\/h1>/.exec(await answer.text())?.[1]]
  }
  expect(await shown('/break')).toEqual([502, 'The site broke off'])
  expect(await shown('/zipped')).toEqual([502, 'The site gave no usable answer'])
  expect(await shown('/empty')).toEqual([200, 'There is nothing to show'])
  expect(await shown('/missing')).toEqual([404, 'The site answered with 404'])
})

test.for([
  [404, 404],
  [401, 401],
  [429, 429],
  [500, 502],
  [503, 502],
] as const)('[D-220] the page that a site has for %s is shown with %s', async ([given, answered]) => {
  await using site = await startSite((_asked, response) => {
    response.writeHead(given, { 'content-type': 'text/html' }).end('<h1>Our own words</h1>')
  })
  await using node = await takeProxy()
  const answer = await node.show(site.at('site'))
  expect(answer.status).toBe(answered)
  expect(await answer.text()).toContain('<h1>Our own words</h1>')
})

/** With headers that `fetch` would not send. */
async function ask(
  { proxyUrl }: TestProxy,
  address: string,
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: Record<string, unknown> }> {
  return await new Promise((resolve, reject) => {
    const path = new URL(address).pathname + encodeURIComponent(url)
    request(proxyUrl + path, { headers }, (response) => {
      response
        .resume()
        .once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }))
    })
      .once('error', reject)
      .end()
  })
}
