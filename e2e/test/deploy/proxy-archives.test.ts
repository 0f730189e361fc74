import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { describe, expect } from 'vitest'
import { run } from './commands.ts'
import { EXAMPLES, noCaddy } from './examples.ts'
import { ROOT, readText } from './files.ts'
import { startNginxExample } from './nginx-example.ts'
import { HOST, type StartProxy } from './proxy.ts'
import { ask, askSeen } from './proxy-client.ts'
import { LARGEST_ARCHIVE_BYTES } from './server-config.ts'
import { startUpstream } from './upstream.ts'

const PACKAGES = '/registry/owners/acme/packages'
const IMPORTS = '/registry/owners/acme/imports'

/** As the headers of an upload announce it; of the body nothing is sent. */
const announce = (bytes: number) => ({ method: 'POST', headers: { 'content-length': String(bytes) } })

describe.each(EXAMPLES)('$name', ({ start, missing }) => {
  test.skipIf(missing)('[DP-206] an archive passes whole', async () => {
    await using setup = await startBehind(start)
    const { bytes } = await askSeen(setup.proxy, PACKAGES, { method: 'POST', body: 'x'.repeat(1_000_000) })
    expect(bytes).toBe(1_000_000)
  })

  test.skipIf(missing)('[DP-211] a stranger is refused before the largest archive was sent', async () => {
    await using setup = await startBehind(start)
    const asked = announce(LARGEST_ARCHIVE_BYTES)
    expect((await ask(setup.proxy, `${PACKAGES}?at-once`, asked)).status).toBe(401)
  })

  test.skipIf(missing)('[DP-211] the headers of uploads are the proxy’s as well', async () => {
    await using setup = await startBehind(start)
    const headers = {
      'x-forwarded-for': '203.0.113.9',
      'x-request-id': 'chosen',
      forwarded: 'for=203.0.113.9',
    }
    const seen = await askSeen(setup.proxy, PACKAGES, { method: 'POST', headers, body: 'x' })
    expect(seen.headers).toMatchObject({
      host: HOST,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-request-id': expect.stringMatching(/^[A-Za-z0-9_-]{32,64}$/),
    })
    expect(seen.headers).not.toHaveProperty('forwarded')
  })
})

test('[DP-206] nginx refuses an archive above the limit by its announced length, with 413', async () => {
  await using setup = await startBehind(startNginxExample)
  const asked = announce(LARGEST_ARCHIVE_BYTES + 1)
  expect((await ask(setup.proxy, `${PACKAGES}?at-once`, asked)).status).toBe(413)
})

test.skipIf(noCaddy)('[DP-206] the limit of Caddy for archives is that of the server', async () => {
  const sizes = [...(await adaptedCaddyfile()).matchAll(/"max_size":(\d+)/g)].map(([, size]) => Number(size))
  expect(sizes).toEqual([LARGEST_ARCHIVE_BYTES, 100_000_000])
})

test('[DP-208] nginx sends an upload to another node when one refuses the connection', async () => {
  await using stack = new AsyncDisposableStack()
  const alive = stack.use(await startUpstream())
  const gone = await startUpstream()
  await gone[Symbol.asyncDispose]()
  const proxy = stack.use(await startNginxExample([gone.port, alive.port]))
  for (let count = 0; count < 4; count += 1)
    expect((await ask(proxy, PACKAGES, { method: 'POST', body: 'x'.repeat(10_000) })).status).toBe(200)
})

deepTest('[DP-212] nginx waits for archives longer than for others', async () => {
  await using stack = new AsyncDisposableStack()
  const node = stack.use(await startUpstream())
  const proxy = stack.use(
    await startNginxExample([node.port], [['proxy_read_timeout 90s', 'proxy_read_timeout 1s']]),
  )
  const answers = await Promise.all(
    [PACKAGES, IMPORTS, '/'].map((each) => ask(proxy, `${each}?after=2500`, { method: 'POST', body: '{}' })),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 504])
})

test('[DP-212] nginx waits longer than the server does', async () => {
  const [, minutes] = /proxy_read_timeout (\d+)m;/.exec(await readText('deploy/nginx/patchbay.conf')) ?? []
  const source = await readText('areas/registry/src/publish/publish.routes.ts')
  const deadlines = [...source.matchAll(/_DEADLINE_MS = (\d+) \* 60_000/g)].map(([, each]) => Number(each))
  expect(deadlines).toHaveLength(2)
  expect(Number(minutes)).toBeGreaterThan(Math.max(...deadlines))
})

test.skipIf(noCaddy)('[DP-212] Caddy gives up on no answer', async () => {
  expect(await adaptedCaddyfile()).not.toMatch(/"(?:response_header_timeout|read_timeout|write_timeout)"/)
})

async function adaptedCaddyfile(): Promise<string> {
  const path = `${ROOT}/deploy/caddy/Caddyfile`
  const { code, output } = await run('caddy', ['adapt', '--adapter', 'caddyfile', '--config', path])
  expect(code).toBe(0)
  return output
}

async function startBehind(start: StartProxy) {
  await using stack = new AsyncDisposableStack()
  const node = stack.use(await startUpstream())
  const proxy = stack.use(await start([node.port]))
  const kept = stack.move()
  return { proxy, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
