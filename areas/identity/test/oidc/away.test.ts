import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer, type Socket } from 'node:net'
import { startOidcProvider } from '@patchbay/dev-identity-provider'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort, withFreePort } from '@patchbay/testkit/ports'
import { expect, vi } from 'vitest'
import { Visitor } from '../accounts/visitor.ts'
import { startIdentity } from '../start.ts'
import { callbackAddress, issuerSettings, PUBLIC_URL, startWithIssuers } from './with-issuer.ts'

const AWAY = '/sign-in?problem=issuer_unavailable'
const clients = [{ id: 'patchbay-company', redirectUris: [callbackAddress('company')] }]

test('[C-138] an issuer that is away does not stand in the way of others, and is used again once it is back', async () => {
  await using other = await startOidcProvider({
    clients: [{ id: 'patchbay-other', redirectUris: [callbackAddress('other')] }],
  })
  const port = await freePort()
  const issuers = [
    issuerSettings('company', `http://127.0.0.1:${port}`),
    issuerSettings('other', other.issuer),
  ]
  await using node = await startIdentity({ settings: { publicUrl: PUBLIC_URL, issuers } })
  const visitor = new Visitor(node)
  expect((await visitor.start('company')).headers.get('location')).toBe(AWAY)
  expect((await visitor.ask('/auth/sign-in')).status).toBe(200)
  expect(await visitor.signInWith('other', 'ada')).toBe('/sign-up')

  await using _back = await startOidcProvider({ port, clients })
  expect(await visitor.signInWith('company', 'grace')).toBe('/sign-up')
})

deepTest('[C-138] an issuer that goes away while the person is there is told as such', async () => {
  const provider = await withFreePort((port) => startOidcProvider({ port, clients }))
  const issuers = [issuerSettings('company', provider.issuer)]
  await using node = await startIdentity({ settings: { publicUrl: PUBLIC_URL, issuers } })
  const visitor = new Visitor(node)
  const callback = await visitor.callbackOf('company', 'ada', { return_to: '/account' })
  await provider[Symbol.asyncDispose]()
  const answer = await visitor.ask(callback)
  expect(answer.headers.get('location')).toBe(`${AWAY}&return_to=%2Faccount`)
})

/** Somebody waits for an issuer that takes the connection and says nothing, while somebody else signs in. */
async function waitForSilence(isOver: () => Promise<void> | void): Promise<string | null> {
  await using silent = await listenSilently()
  await using running = await startWithIssuers({ ids: ['company'] })
  const { settings } = running.node.deps
  Object.assign(settings, { issuers: [...settings.issuers, issuerSettings('silent', silent.url)] })
  const waiting = new Visitor(running.node).start('silent')
  await silent.reached
  expect(await new Visitor(running.node).signInWith('company', 'ada')).toBe('/sign-up')
  await isOver()
  return (await waiting).headers.get('location')
}

test('[C-139] an issuer that takes the connection and says nothing is given up after 10 s', async () => {
  const real = AbortSignal.timeout.bind(AbortSignal)
  const ends: AbortController[] = []
  // The first that is asked is the silent one.
  const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    if (ms !== 10_000 || ends.length > 0) return real(ms)
    const end = new AbortController()
    ends.push(end)
    return end.signal
  })
  try {
    const giveUp = () => ends[0]?.abort(new DOMException('the time is over', 'TimeoutError'))
    expect(await waitForSilence(giveUp)).toBe(AWAY)
    expect(ends).toHaveLength(1)
  } finally {
    timeouts.mockRestore()
  }
})

deepTest('[C-139] the 10 s are those of the clock', async () => {
  const began = performance.now()
  expect(await waitForSilence(() => {})).toBe(AWAY)
  expect(performance.now() - began).toBeGreaterThan(9_000)
  expect(performance.now() - began).toBeLessThan(14_000)
})

test('[C-140] an issuer is asked about itself once an hour, by many at once too', async () => {
  await using running = await startWithIssuers()
  using asked = countDiscoveries(running.providers[0]?.issuer ?? '')
  const start = async () => await new Visitor(running.node).start('company')
  await Promise.all([start(), start(), start()])
  expect(asked.count()).toBe(1)
  running.node.clock.advance(3_599_000)
  await start()
  expect(asked.count()).toBe(1)
  running.node.clock.advance(2_000)
  await start()
  expect(asked.count()).toBe(2)
})

test('[C-141] an issuer over http that is not on this machine is not asked at all', async () => {
  const issuers = [issuerSettings('company', 'http://issuer.example')]
  await using node = await startIdentity({ settings: { publicUrl: PUBLIC_URL, issuers } })
  using asked = countDiscoveries('http://issuer.example')
  expect((await new Visitor(node).start('company')).headers.get('location')).toBe(AWAY)
  expect(asked.count()).toBe(0)
  expect(node.lines.join('')).toContain('OAUTH_HTTP_REQUEST_FORBIDDEN')
})

/** Requests for an issuer's description of itself, as Node's own fetch reports them. */
function countDiscoveries(issuer: string) {
  const seen: string[] = []
  const listen = (message: unknown) => {
    const { request } = message as { request: { origin: string; path: string } }
    if (request.origin === issuer) seen.push(request.path)
  }
  subscribe('undici:request:create', listen)
  return {
    count: () => seen.filter((path) => path === '/.well-known/openid-configuration').length,
    [Symbol.dispose]: () => void unsubscribe('undici:request:create', listen),
  }
}

async function listenSilently() {
  const sockets: Socket[] = []
  const reached = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    sockets.push(socket)
    reached.resolve()
  })
  const { promise: port, resolve } = Promise.withResolvers<number>()
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    resolve(typeof address === 'object' && address !== null ? address.port : 0)
  })
  return {
    url: `http://127.0.0.1:${await port}`,
    reached: reached.promise,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      const { promise, resolve: closed } = Promise.withResolvers<void>()
      server.close(() => closed())
      await promise
    },
  }
}
