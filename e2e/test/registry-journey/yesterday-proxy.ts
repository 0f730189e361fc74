import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Kept {
  readonly status: number
  readonly type: string
  readonly body: Buffer
}

/** Somebody on the way between a registry and its users, who can serve them what it once said. */
export interface YesterdayProxy extends AsyncDisposable {
  readonly url: string
  forwardTo(server: string): void
  /** From now on, what it has passed on so far is yesterday's. */
  endDay(): void
  /** Which of yesterday's files are served instead of today's; none at first. */
  serveYesterday(which: (path: string) => boolean): void
}

export async function startYesterdayProxy(): Promise<YesterdayProxy> {
  let upstream = ''
  let isServed = (_path: string) => false
  let yesterday: ReadonlyMap<string, Kept> = new Map()
  const today = new Map<string, Kept>()

  async function answer(path: string): Promise<Kept> {
    const old = yesterday.get(path)
    if (old !== undefined && isServed(path)) return old
    const response = await fetch(`${upstream}${path}`)
    const kept = {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      body: Buffer.from(await response.arrayBuffer()),
    }
    today.set(path, kept)
    return kept
  }

  async function respond({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, type, body } = await answer(url)
    response.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body)
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    forwardTo(url) {
      upstream = url
    },
    endDay() {
      yesterday = new Map(today)
    },
    serveYesterday(which) {
      isServed = which
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
