import { once } from 'node:events'
import { connect as connectHttp2, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2'
import { DEFAULT_WEBSOCKET_LIMITS } from '@patchbay/kernel/websocket'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { run } from './commands.ts'
import { GATEWAY_EXAMPLES, noCaddy } from './examples.ts'
import { ROOT, readText } from './files.ts'
import { confirm, connect, delivered, runFlow } from './gateway-flow.ts'
import { startGatewayNodes } from './gateway-nodes.ts'
import { startGatewayNginx } from './nginx-example.ts'
import { GATEWAY_HOST, type Proxy } from './proxy.ts'
import { ask, askPlain, askSeen } from './proxy-client.ts'
import { startUpstream } from './upstream.ts'

/** As long as an answer may be. Recognizable all through, in whatever piece of it a log might hold. */
const LONG_CODE = 'SECRETCODE'.repeat(1_190)
const RECOGNIZABLE = /SECRETCODE|CODESECRET/

let rig: Awaited<ReturnType<typeof startGatewayNodes>>
beforeAll(async () => {
  rig = await startGatewayNodes(2)
})
afterAll(() => rig[Symbol.asyncDispose]())

describe.each(GATEWAY_EXAMPLES)('$name', ({ start, missing, givesUp }) => {
  test.skipIf(missing)(
    '[DP-320] sockets at /ws and / register, on either node, and get their codes',
    async () => {
      await using proxy = await start(rig.ports)
      using first = await connect(proxy)
      using second = await connect(proxy, '/')
      await waitUntil('each node has one', async () => {
        const counts = await Promise.all(rig.nodes.map((node) => node.sockets()))
        return counts.every((count) => count === 1)
      })
      // Its three requests go to the nodes in turn, so each flow has one on the node without its socket.
      for (const client of [first, second, first])
        expect(await runFlow(proxy, client, 'short')).toEqual(delivered('short'))
    },
  )

  deepTest.skipIf(missing)('[DP-321] an answer of 12 kB passes, as address and as form', async () => {
    await using proxy = await start(rig.ports)
    using client = await connect(proxy)
    for (const method of ['GET', 'POST'])
      expect(await runFlow(proxy, client, LONG_CODE, method)).toEqual(delivered(LONG_CODE))
  })

  test.skipIf(missing)('[DP-321] so does one that a browser brings over HTTP/2', async () => {
    await using proxy = await start(rig.ports)
    using client = await connect(proxy)
    const { status, cookies } = await callBackOverHttp2(proxy, await client.register())
    expect({ status, pieces: cookies.length }).toEqual({ status: 303, pieces: 4 })
  })

  deepTest.skipIf(missing)('[DP-322] nothing that the proxy writes holds a code', async () => {
    await using node = await startUpstream()
    await using proxy = await start([rig.ports[0] ?? 0])
    using client = await connect(proxy)
    for (const method of ['GET', 'POST']) await runFlow(proxy, client, LONG_CODE, method)
    await askPlain(proxy, `/callback?code=${LONG_CODE}`)
    await ask(proxy, `/callback?code=${LONG_CODE}${LONG_CODE}`)
    await ask(proxy, `/callback/../callback?code=SECRETCODE`)
    expect(await proxy.logs()).not.toMatch(RECOGNIZABLE)

    const port = node.port
    await node[Symbol.asyncDispose]()
    await using lost = await start([port], givesUp)
    const headers = { cookie: `pb-flow0=${LONG_CODE}`, referer: `https://example.com/?code=${LONG_CODE}` }
    const { status } = await ask(lost, `/callback?code=SECRETCODE`, { headers })
    expect(status).toBeOneOf([502, 503])
    expect(await lost.logs()).not.toMatch(RECOGNIZABLE)
  })

  test.skipIf(missing)(
    '[DP-323] TLS, forwarding headers and /metrics are as they are for the server',
    async () => {
      await using node = await startUpstream()
      await using proxy = await start([node.port])
      const plain = await askPlain(proxy, '/callback?code=1')
      expect(plain).toMatchObject({ status: 308 })
      expect(new URL(plain.headers.location ?? '')).toMatchObject({
        protocol: 'https:',
        hostname: GATEWAY_HOST,
      })
      const forged = {
        'x-forwarded-for': '203.0.113.9',
        'x-request-id': 'mine',
        forwarded: 'for=203.0.113.9',
      }
      for (const path of ['/callback?code=1', '/ws', '/']) {
        const seen = await askSeen(proxy, path, { headers: forged })
        expect(seen).toMatchObject({
          url: path,
          headers: { host: GATEWAY_HOST, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' },
        })
        expect(seen.headers['x-request-id']).toMatch(/^[A-Za-z0-9_-]{32,64}$/)
        expect(seen.headers).not.toHaveProperty('forwarded')
      }
      expect(await ask(proxy, '/metrics')).toMatchObject({
        status: 403,
        headers: { 'strict-transport-security': 'max-age=31536000; includeSubDomains' },
      })
    },
  )
})

test('[DP-322] nor does nginx write one when it may not connect, which it reports as critical', async () => {
  const forbidden = [[`127.0.0.1:${rig.ports[0]} `, 'unix:/no/such.sock ']] as const
  await using proxy = await startGatewayNginx(rig.ports.slice(0, 1), forbidden)
  expect((await ask(proxy, '/callback?code=SECRETCODE')).status).toBe(502)
  expect(await proxy.logs()).not.toMatch(RECOGNIZABLE)

  await using talkative = await startGatewayNginx(rig.ports.slice(0, 1), [
    ...forbidden,
    ['.log emerg', '.log crit'],
  ])
  expect((await ask(talkative, '/callback?code=SECRETCODE')).status).toBe(502)
  expect(await talkative.logs()).toMatch(RECOGNIZABLE)
})

test('[DP-324] nginx keeps the largest form and the longest answer in memory', async () => {
  await using proxy = await startGatewayNginx(rig.ports, [['.log emerg', '.log warn']])
  using client = await connect(proxy)
  expect(await confirm(proxy, await client.register(), LONG_CODE)).toBe('/callback/result/done')
  const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  const largest = await ask(proxy, '/callback', { ...form, body: `code=${'x'.repeat(32 * 1024 - 5)}` })
  expect(largest).toMatchObject({ status: 400, headers: { 'content-type': expect.stringContaining('html') } })
  expect((await ask(proxy, '/callback', { ...form, body: 'x'.repeat(32 * 1024 + 1) })).status).toBe(413)
  expect(await proxy.logs()).not.toContain('temporary file')
})

test('[DP-325] nginx waits for two pings before it gives a socket up; Caddy sets no end', async () => {
  const config = await readText('deploy/nginx/patchbay-gateway.conf')
  const sockets = /location ~ \^\/\(ws\)\?\$ \{[^}]*\}/.exec(config)?.[0] ?? ''
  for (const name of ['proxy_read_timeout', 'proxy_send_timeout']) {
    const seconds = Number(new RegExp(`${name} (\\d+)s;`).exec(sockets)?.[1])
    expect(seconds * 1000).toBeGreaterThan(2 * DEFAULT_WEBSOCKET_LIMITS.pingIntervalMs)
  }
  expect(await readText('deploy/caddy/gateway.Caddyfile')).not.toMatch(/stream_timeout|read_timeout/)
})

test.skipIf(noCaddy)('[DP-329] Caddy accepts the file for the gateway without a remark', async () => {
  const path = `${ROOT}/deploy/caddy/gateway.Caddyfile`
  const { code, output } = await run('caddy', ['validate', '--adapter', 'caddyfile', '--config', path])
  expect({ code, remarks: output.match(/.*"level":"(?:warn|error)".*/g) }).toEqual({ code: 0, remarks: null })
  expect((await run('caddy', ['fmt', path])).output).toBe(await readText('deploy/caddy/gateway.Caddyfile'))
})

test('[DP-329] the block above the site is that of the server’s file, so that both sites fit into one', async () => {
  const globals = async (name: string) =>
    /^\{$[\s\S]*?^\}$/m.exec(await readText(`deploy/caddy/${name}`))?.[0]
  expect(await globals('Caddyfile')).toContain('format filter')
  expect(await globals('gateway.Caddyfile')).toBe(await globals('Caddyfile'))
})

async function callBackOverHttp2({ httpsPort, certificate, host }: Proxy, state: string) {
  const session = connectHttp2(`https://127.0.0.1:${httpsPort}`, { ca: certificate, servername: host })
  try {
    const path = `/callback?${new URLSearchParams({ code: LONG_CODE, state }).toString()}`
    const stream = session.request({ ':path': path, ':authority': host })
    const [headers] = await once(stream, 'response', { signal: AbortSignal.timeout(10_000) })
    const { ':status': status, 'set-cookie': cookies = [] }: IncomingHttpHeaders & IncomingHttpStatusHeader =
      headers
    return { status, cookies }
  } finally {
    session.destroy()
  }
}
