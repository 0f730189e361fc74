import { request } from 'node:http'
import { connect } from 'node:net'
import { ConfigError, readConfig } from '@patchbay/kernel/config'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { expect } from 'vitest'
import { serverConfig } from '../src/index.ts'
import { localProxyUrl, proxyPlaceOf } from '../src/panels-config.ts'
import { startTestServer, type TestServer } from './start.ts'

const DATABASE = { DATABASE_URL: 'postgres://patchbay:secret@127.0.0.1/patchbay' }

deepTest(
  '[D-229] it runs at its own address, answers for that alone, and stops with the server',
  async () => {
    const port = await freePort()
    {
      await using _server = await startTestServer({
        PATCHBAY_PROXY_URL: `http://localhost:${port}`,
        PATCHBAY_PROXY_PORT: String(port),
      })
      const page = await ask(port, `/page/${'A'.repeat(43)}/x`, `localhost:${port}`)
      expect(page).toMatchObject({ status: 403, type: 'text/html; charset=utf-8' })
      expect(await ask(port, '/', `localhost:${port}`)).toMatchObject({ status: 404 })
      expect(await ask(port, '/api/about', `localhost:${port}`)).toMatchObject({ status: 404 })
      expect(await ask(port, '/page/x/y', 'evil.example')).toMatchObject({ status: 421 })
      expect(await ask(port, '/ready', 'probe')).toMatchObject({ status: 200 })
    }
    expect(await isListening(port)).toBe(false)
  },
)

deepTest('[D-229] it does not run where it is turned off', async () => {
  const port = await freePort()
  await using _server = await startTestServer({
    PATCHBAY_PROXY_URL: 'off',
    PATCHBAY_PROXY_PORT: String(port),
  })
  expect(await isListening(port)).toBe(false)
})

deepTest(
  '[D-322] C3: it runs without configuration, on loopback, under another name than the workspace',
  async () => {
    const port = await freePort()
    await using _server = await startTestServer({ PATCHBAY_PROXY_PORT: String(port) })
    const path = `/page/${'A'.repeat(43)}/x`
    expect(await ask(port, path, `127.0.0.1:${port}`)).toMatchObject({ status: 403 })
    expect(await ask(port, path, `localhost:${port}`)).toMatchObject({ status: 421 })
  },
)

deepTest('[D-322] C3: of two servers on a machine the second takes another port', async () => {
  const port = await freePort()
  await using first = await startTestServer({ PATCHBAY_PROXY_PORT: String(port) })
  await using second = await startTestServer({ PATCHBAY_PROXY_PORT: String(port) })
  const [one, other] = [proxyOf(first), proxyOf(second)]
  expect(one).toBe(`http://127.0.0.1:${port}`)
  expect(other).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(other).not.toBe(one)
  expect(await ask(Number(new URL(other).port), '/ready', 'probe')).toMatchObject({ status: 200 })
})

test.for([
  [{}, { host: '127.0.0.1', port: 8792 }],
  [{ PATCHBAY_PUBLIC_URL: 'http://127.0.0.1:8790' }, { host: '127.0.0.1', port: 8792 }],
  [{ PATCHBAY_PORT: '8792' }, { host: '127.0.0.1', port: 0 }],
  [{ PATCHBAY_HOST: '0.0.0.0' }, undefined],
  [{ PATCHBAY_PUBLIC_URL: 'https://patchbay.example.com' }, undefined],
  [{ PATCHBAY_PROXY_URL: 'off' }, undefined],
  [
    { PATCHBAY_HOST: '0.0.0.0', PATCHBAY_PROXY_URL: 'http://localhost:8792' },
    { host: '0.0.0.0', port: 8792, url: 'http://localhost:8792' },
  ],
] as const)('[D-322] C3: with %j it listens at %j', ([environment, place]) => {
  const config = readConfig(serverConfig, { ...DATABASE, ...environment })
  expect(proxyPlaceOf(config, config.publicUrl ?? 'http://localhost:8790')).toEqual(place)
})

test.for([
  ['http://localhost:8790', 'http://127.0.0.1:8792'],
  ['http://127.0.0.1:8790', 'http://localhost:8792'],
] as const)('[D-322] C3: beside %s it serves at %s', ([publicUrl, proxyUrl]) => {
  expect(localProxyUrl(8792, publicUrl)).toBe(proxyUrl)
})

test.for([
  [{ PATCHBAY_PROXY_URL: 'https://pages.example.com' }, []],
  [{ PATCHBAY_PROXY_URL: 'https://pages.example.com/' }, []],
  [{ PATCHBAY_PUBLIC_URL: 'http://localhost:8790', PATCHBAY_PROXY_URL: 'http://localhost:8792' }, []],
  [
    { PATCHBAY_PROXY_URL: 'https://patchbay.example.com' },
    ['PATCHBAY_PROXY_URL must not be the origin of PATCHBAY_PUBLIC_URL'],
  ],
  [
    { PATCHBAY_PROXY_URL: 'https://PATCHBAY.example.com:443/' },
    ['PATCHBAY_PROXY_URL must not be the origin of PATCHBAY_PUBLIC_URL'],
  ],
  [
    { PATCHBAY_PROXY_URL: 'https://pages.example.com/pages' },
    ['PATCHBAY_PROXY_URL must end after the host name and port'],
  ],
  [
    { PATCHBAY_PROXY_URL: 'http://pages.example.com' },
    ['PATCHBAY_PROXY_URL must begin with https:// unless it is on this machine'],
  ],
  [
    { PATCHBAY_PROXY_URL: 'https://pages.example.com', PATCHBAY_PROXY_PORT: '8790' },
    ['PATCHBAY_PROXY_PORT is the port of PATCHBAY_PORT'],
  ],
] as const)('[D-229] %j has the faults %j', ([environment, faults]) => {
  const given = { ...DATABASE, PATCHBAY_PUBLIC_URL: 'https://patchbay.example.com', ...environment }
  expect(faultsOf(given)).toEqual(faults)
})

/** Where it says that it serves pages. */
function proxyOf({ lines }: TestServer): string {
  return lines.map((line) => /"proxyUrl":"([^"]+)"/.exec(line)?.[1]).find(Boolean) ?? ''
}

function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(serverConfig, environment)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults.map(({ variable, wrong }) => `${variable} ${wrong}`)
  }
}

async function ask(port: number, path: string, host: string): Promise<{ status?: number; type?: string }> {
  return await new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '' })
    })
      .once('error', reject)
      .end()
  })
}

async function isListening(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
