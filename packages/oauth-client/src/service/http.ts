import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ConnectAnswer, ConnectService } from './connect-service.ts'
import { type ConnectOptions, routesOf, userOf } from './routes.ts'

export type { ConnectOptions } from './routes.ts'

/** Answers the two routes; `false` when the request is for something else, which is then the caller's to answer. */
export interface ConnectHandler {
  (request: IncomingMessage, response: ServerResponse): Promise<boolean>
  /** Ends every flow that is under way. */
  close(): void
}

export function createConnectHandler(options: ConnectOptions<IncomingMessage>): ConnectHandler {
  const { authPath, statusPath } = routesOf(options)
  const service = new ConnectService(options)

  const answer = async (request: IncomingMessage, path: string): Promise<ConnectAnswer> => {
    if (request.method !== 'GET') return { status: 405, headers: { allow: 'GET' }, body: '' }
    const isSecure = 'encrypted' in request.socket
    const asked = { headers: request.headers, path, isSecure, user: await userOf(options, request) }
    return await (path === authPath ? service.auth(asked) : service.status(asked))
  }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '').replace(/[?#].*$/s, '')
    if (path !== authPath && path !== statusPath) return false
    const { status, headers, body } = await answer(request, path).catch((error: unknown): ConnectAnswer => {
      options.onError?.(error)
      return { status: 500, headers: { 'cache-control': 'no-store' }, body: '' }
    })
    response.writeHead(status, headers).end(body)
    return true
  }
  return Object.assign(handle, { close: () => service.close() })
}
