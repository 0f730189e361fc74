import { describe, expect, test } from 'vitest'
import { EXAMPLES } from './examples.ts'
import { HOST, type StartProxy } from './proxy.ts'
import { ask, askPlain, askSeen, echo, readFirstChunk } from './proxy-client.ts'
import { startUpstream } from './upstream.ts'

describe.each(EXAMPLES)('$name', ({ start, missing }) => {
  test.skipIf(missing)('[DP-201] plain HTTP is sent to HTTPS under the public name', async () => {
    await using setup = await startBehind(start)
    const { status, headers } = await askPlain(setup.proxy, '/panels?tab=2')
    expect(status).toBe(308)
    expect(new URL(headers.location ?? '')).toMatchObject({
      protocol: 'https:',
      hostname: HOST,
      pathname: '/panels',
      search: '?tab=2',
    })
  })

  test.skipIf(missing)('[DP-201] every HTTPS answer asks the browser to stay with HTTPS', async () => {
    await using setup = await startBehind(start)
    for (const path of ['/', '/metrics']) {
      expect((await ask(setup.proxy, path)).headers).toHaveProperty(
        'strict-transport-security',
        'max-age=31536000; includeSubDomains',
      )
    }
  })

  test.skipIf(missing)('[DP-202] forwarding headers that a client sends are replaced', async () => {
    await using setup = await startBehind(start)
    const { headers } = await askSeen(setup.proxy, '/', {
      headers: {
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-proto': 'gopher',
        'x-forwarded-host': 'evil.example',
        'x-request-id': 'chosen-by-a-stranger',
        forwarded: 'for=203.0.113.9;host=evil.example',
      },
    })
    expect(headers).toMatchObject({
      host: HOST,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': HOST,
      'x-request-id': expect.stringMatching(/^[A-Za-z0-9_-]{32,64}$/),
    })
    expect(headers).not.toHaveProperty('forwarded')
  })

  test.skipIf(missing)('[DP-203] a WebSocket passes', async () => {
    await using setup = await startBehind(start)
    expect(await echo(setup.proxy, 'hello')).toBe('hello')
  })

  test.skipIf(missing)('[DP-204] an event arrives while its stream is still open', async () => {
    await using setup = await startBehind(start)
    expect(await readFirstChunk(setup.proxy, '/events', 20_000)).toBe('data: first\n\n')
  })

  test.skipIf(missing)('[DP-205] /metrics is refused, however it is spelt', async () => {
    await using setup = await startBehind(start)
    for (const path of ['/metrics', '/%6detrics', '//metrics', '/x/../metrics', '/metrics?a=1']) {
      expect({ path, status: (await ask(setup.proxy, path)).status }).toEqual({ path, status: 403 })
    }
  })
})

/** One node and the example in front of it. */
async function startBehind(start: StartProxy) {
  await using stack = new AsyncDisposableStack()
  const node = stack.use(await startUpstream())
  const proxy = stack.use(await start([node.port]))
  const kept = stack.move()
  return { node, proxy, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
