import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: unknown
  readonly at: number
}

export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object travels as JSON, or as a problem where the status says so. */
  readonly body?: object | Uint8Array
}

/** `hang up`: the request was read, and then the connection was gone. `silence`: nothing comes. */
export type Turn = Answer | 'hang up' | 'silence'

/** Somebody's server: one answer for each request, in turn, the last one again and again. */
export interface ScriptedServer extends AsyncDisposable {
  readonly url: string
  readonly asked: readonly Asked[]
  answer(...turns: Turn[]): void
}

export function problem(code: string, status: number, headers: Record<string, string> = {}): Answer {
  return { status, headers, body: { type: 'about:blank', title: code, status, code } }
}

export async function startScriptedServer(...first: Turn[]): Promise<ScriptedServer> {
  const asked: Asked[] = []
  let turns = first
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const text = Buffer.concat(chunks).toString('utf8')
      const body: unknown = text === '' ? undefined : JSON.parse(text)
      asked.push({ method, path: url, headers, body, at: performance.now() })
      const turn = (turns.length > 1 ? turns.shift() : turns[0]) ?? { status: 204 }
      if (turn === 'hang up') request.socket.destroy()
      if (turn === 'hang up' || turn === 'silence') return
      const { status = 200, headers: more = {}, body: answer } = turn
      const type = status >= 400 ? 'application/problem+json' : 'application/json'
      const isBytes = answer instanceof Uint8Array
      response.writeHead(status, {
        ...(answer === undefined ? {} : { 'content-type': isBytes ? 'image/png' : type }),
        ...more,
      })
      response.end(isBytes || answer === undefined ? answer : JSON.stringify(answer))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: (...next) => {
      turns = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
