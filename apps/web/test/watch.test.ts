import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openPage, sharedChromium } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { describe, expect } from 'vitest'
import { serveApp } from './site.ts'

/** Serves a page that holds just this, under a policy, and tells what its watch complains about. */
async function faultsOf(body: string, expectedFaults: RegExp[] = []): Promise<string> {
  await using site = await serveApp('/no/app')
  site.answer(/^\/$/, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "style-src 'none'" })
    response.end(`<!doctype html><link rel="icon" href="data:,"><body>${body}</body>`)
  })
  const watched = await openPage(await sharedChromium(), { expectedFaults })
  await watched.page.goto(site.url)
  return await watched[Symbol.asyncDispose]().then(
    () => 'none',
    (error: Error) => error.message,
  )
}

describe('[W-90] a watched page', () => {
  test('[W-90] is content with a page that has no faults', async () => {
    expect(await faultsOf('<p>Fine</p>')).toBe('none')
  })

  deepTest.each([
    {
      fault: 'a console error',
      body: '<script>console.error("oh no")</script>',
      says: 'console error: oh no',
    },
    { fault: 'a console warning', body: '<script>console.warn("hm")</script>', says: 'console warning: hm' },
    {
      fault: 'an uncaught error',
      body: '<script>throw new Error("thrown")</script>',
      says: 'uncaught: Error: thrown',
    },
    {
      fault: 'an unhandled rejection',
      body: '<script>Promise.reject(new Error("rejected"))</script>',
      says: 'uncaught: Error: rejected',
    },
    {
      fault: 'a policy violation',
      body: '<style>p { color: red }</style>',
      says: 'CSP violation: style-src-elem',
    },
    {
      fault: 'a request beyond loopback',
      body: '<img src="http://patchbay.invalid/x.png">',
      says: 'request beyond loopback: http://patchbay.invalid/x.png',
    },
  ])('[W-90] reports $fault', async ({ body, says }) => {
    expect(await faultsOf(body)).toContain(says)
  })

  test('[W-90] has no way to an address that is not its own, also when it is a number', async () => {
    const asked: string[] = []
    await using elsewhere = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end()
    })
    elsewhere.listen(0, '127.0.0.2')
    await once(elsewhere, 'listening')
    const { port } = elsewhere.address() as AddressInfo
    const says = await faultsOf(`<img src="http://127.0.0.2:${port}/x.png">`)
    expect(says).toContain('net::ERR_NAME_NOT_RESOLVED')
    expect(asked).toEqual([])
  })

  test('[W-90] lets an expected fault pass, and misses it when it does not happen', async () => {
    expect(await faultsOf('<script>console.error("oh no")</script>', [/oh no/])).toBe('none')
    expect(await faultsOf('<p>Fine</p>', [/oh no/])).toContain('expected, but did not happen: /oh no/')
  })
})
