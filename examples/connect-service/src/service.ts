import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Credentials, NotConnected, TokenKeeper } from '@patchbay/oauth-client'
import { createConnectHandler } from '@patchbay/oauth-client/http'
import { browserModule, PAGE, PAGE_HEADERS, SCRIPT, STYLE } from './page.ts'

export interface ServiceOptions {
  readonly gatewayUrl: string
  readonly issuer: string
  readonly credentials: Credentials
  /** Where tokens are kept. Left out, it is the user's home. */
  readonly folder?: string
}

/** Everything a service needs: two routes from the library, and one of its own that uses the access token. */
export function createService({ gatewayUrl, issuer, credentials, folder }: ServiceOptions) {
  const provider = 'Example ID'
  const tokens = new TokenKeeper({
    provider,
    tokenUrl: `${issuer}/token`,
    credentials,
    ...(folder === undefined ? {} : { folder }),
  })
  const connect = createConnectHandler({
    gatewayUrl,
    provider,
    label: 'Bench notes, the example service',
    authUrl: `${issuer}/auth`,
    issuer,
    clientId: credentials.clientId,
    scopes: 'openid profile offline_access',
    // Providers hand out a refresh token only for consent that was given just now.
    extraParams: { prompt: 'consent' },
    tokens,
    onError: (error) => console.error(error),
  })

  const whoAmI = async (response: ServerResponse) => {
    try {
      const authorization = `Bearer ${await tokens.getAccessToken('default')}`
      const answer = await fetch(`${issuer}/me`, { headers: { authorization } })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    } catch (error) {
      const status = error instanceof NotConnected ? 409 : 502
      const message = error instanceof Error ? error.message : 'unknown'
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }))
    }
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    // A service for one person on their own machine: a page that points its name here must not get in.
    if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(request.headers.host ?? '')) {
      response.writeHead(421).end()
      return
    }
    if (await connect(request, response)) return
    const path = request.url ?? '/'
    const file = FILES.get(path)
    if (path === '/me') await whoAmI(response)
    else if (file !== undefined)
      response.writeHead(200, { ...PAGE_HEADERS, 'content-type': file.type }).end(file.text)
    else {
      const text = browserModule(path)
      if (text === undefined) response.writeHead(404).end()
      else response.writeHead(200, { ...PAGE_HEADERS, 'content-type': 'text/javascript' }).end(text)
    }
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error)
      response.destroy()
    })
  })
  server.on('close', () => connect.close())
  return server
}

const FILES: ReadonlyMap<string, { readonly type: string; readonly text: string }> = new Map([
  ['/', { type: 'text/html; charset=utf-8', text: PAGE }],
  ['/page.js', { type: 'text/javascript', text: SCRIPT }],
  ['/page.css', { type: 'text/css', text: STYLE }],
])
