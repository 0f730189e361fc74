import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Recorded {
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

export interface Reply {
  readonly status?: number
  readonly type?: string
  readonly body: string | Uint8Array
}

/** Somebody's server, which remembers what it was sent. */
export interface RecordingServer extends AsyncDisposable {
  readonly url: string
  readonly requests: Recorded[]
  /** What it serves, by path; an empty search and "not found" besides. */
  readonly files: Map<string, Reply>
  /** Every key and session that it was shown. */
  secrets(): string[]
}

const NOTHING_FOUND = JSON.stringify({ items: [], next_cursor: null })
const NOT_FOUND = JSON.stringify({
  type: 'about:blank',
  title: 'None',
  status: 404,
  code: 'package_not_found',
})

export async function startRecordingServer(): Promise<RecordingServer> {
  const requests: Recorded[] = []
  const files = new Map<string, Reply>([['/registry/search', { body: NOTHING_FOUND }]])
  const server = createServer(({ url = '', headers }, response) => {
    const [path = ''] = url.split('?')
    requests.push({ path, headers })
    const missing: Reply = { status: 404, type: 'application/problem+json', body: NOT_FOUND }
    const { status = 200, type = 'application/json', body } = files.get(path) ?? missing
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    files,
    secrets: () => [
      ...new Set(
        requests.flatMap(({ headers }) => [headers['x-api-key'] ?? [], headers.authorization ?? []].flat()),
      ),
    ],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
