import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Answer = Record<string, unknown>

/** What happens to one request on its way. */
export type Fault =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  /** Not passed on, and never answered. */
  | 'hang'
  /** Passed on to the provider, whose answer does not arrive. */
  | 'lose answer'
  | 'pass'

export interface SeenRequest {
  readonly contentType: string | undefined
  readonly fields: Record<string, string>
}

export interface FaultProxy extends AsyncDisposable {
  readonly tokenUrl: string
  readonly requests: SeenRequest[]
  /** For the next requests, in order; what comes after them passes. */
  readonly faults: Fault[]
  /** Changes answers on their way back. */
  change: (answer: Answer) => Answer
  delayMs: number
}

/** Stands before the real provider's token URL, counts, and breaks what it is told to break. */
export async function startFaultProxy(issuer: string): Promise<FaultProxy> {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  const proxy = {
    tokenUrl: '',
    requests: [] as SeenRequest[],
    faults: [] as Fault[],
    change: (answer: Answer) => answer,
    delayMs: 0,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const contentType = request.headers['content-type']
    proxy.requests.push({ contentType, fields: Object.fromEntries(new URLSearchParams(body)) })
    const fault = proxy.faults.shift() ?? 'pass'
    if (fault === 'hang') return
    if (typeof fault === 'object') {
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers })
      response.end(fault.body ?? '')
      return
    }
    // On a busy machine a kept connection may end in the moment in which it is used again.
    const headers = { 'content-type': contentType ?? '', connection: 'close' }
    const answer = await fetch(new URL('/token', issuer), { method: 'POST', body, headers })
    const changed = proxy.change((await answer.json()) as Answer)
    if (fault === 'lose answer') {
      response.destroy()
      return
    }
    await sleep(proxy.delayMs)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(changed))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy.tokenUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`
  return proxy
}
