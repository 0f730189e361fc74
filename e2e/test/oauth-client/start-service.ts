import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunningOidcProvider } from '@patchbay/dev-identity-provider'
import { Credentials, TokenKeeper } from '@patchbay/oauth-client'
import { type ConnectOptions, createConnectHandler } from '@patchbay/oauth-client/http'
import type { RunningGateway } from './start-gateway.ts'

export const CLIENT = { id: 'board', secret: 'known to the service alone' }

/** Lets the provider know the gateway, as an operator does once. */
export function introduce(provider: RunningOidcProvider, gateway: RunningGateway): Promise<void> {
  const redirectUris = [`${gateway.url}/callback`]
  return provider.addClient({ ...CLIENT, authMethod: 'client_secret_post', redirectUris })
}

export interface ServiceSettings extends AsyncDisposable {
  readonly options: ConnectOptions<{ headers: IncomingMessage['headers'] }>
  readonly tokens: TokenKeeper
}

/** The settings of a service whose users are named by a header, with a folder of its own for their tokens. */
export async function serviceSettings(
  gateway: RunningGateway,
  issuer: string,
  secret = CLIENT.secret,
): Promise<ServiceSettings> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-service-'))
  const credentials = new Credentials({ clientId: CLIENT.id, clientSecret: secret })
  const tokens = new TokenKeeper({ provider: 'example', tokenUrl: `${issuer}/token`, credentials, folder })
  return {
    tokens,
    options: {
      provider: 'example',
      authUrl: `${issuer}/auth`,
      clientId: CLIENT.id,
      scopes: 'openid',
      issuer,
      gatewayUrl: gateway.url,
      tokens,
      userOf: ({ headers }) => (typeof headers['x-user'] === 'string' ? headers['x-user'] : 'default'),
    },
    // Tokens of a flow that ends right now may still be written.
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

export async function startHttpService(
  options: ConnectOptions<IncomingMessage>,
  others: (request: IncomingMessage) => { type: string; body: string } | undefined = () => undefined,
) {
  const handle = createConnectHandler(options)
  const server = createServer((request, response) => {
    void handle(request, response).then((answered) => {
      if (answered) return
      const page = others(request)
      if (page === undefined) response.writeHead(404).end()
      else response.writeHead(200, { 'content-type': page.type }).end(page.body)
    })
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
