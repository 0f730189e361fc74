import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@patchbay/testkit/ports'
import fastify, { type FastifyRequest } from 'fastify'
import { Credentials, TokenKeeper } from '../../src/index.ts'
import { oauthConnect } from '../../src/service/fastify.ts'
import { type ConnectOptions, createConnectHandler } from '../../src/service/http.ts'

/** Settings of a service whose gateway is away: enough for everything that happens before a flow. */
export async function serviceSettings() {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-connect-'))
  const credentials = new Credentials({ clientId: 'board', clientSecret: 'not told' })
  const provider = 'example'
  const tokens = new TokenKeeper({ provider, tokenUrl: 'https://id.example.test/token', credentials, folder })
  return {
    folder,
    settings: {
      provider,
      authUrl: 'https://id.example.test/authorize',
      clientId: 'board',
      scopes: 'read',
      gatewayUrl: `http://127.0.0.1:${await freePort()}`,
      connectTimeoutMs: 200,
      tokens,
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

export async function startHttp(options: ConnectOptions<IncomingMessage>) {
  const handle = createConnectHandler(options)
  const server = createServer((request, response) => {
    void handle(request, response).then((answered) => answered || response.writeHead(404).end('mine'))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      handle.close()
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

export async function startFastify(options: ConnectOptions<FastifyRequest>, prefix = '') {
  const app = fastify()
  await app.register(oauthConnect, { ...options, prefix })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url: url + prefix, app, [Symbol.asyncDispose]: () => app.close() }
}
