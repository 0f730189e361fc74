// The least that serves files from memory: node:http, one map, no checks, no metrics. What it reaches is the ceiling of
// any server in Node.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveParent } from '../processes.ts'

export interface BareFile {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Base64, because it comes as a message. */
  readonly body: string
}

export type BareFiles = {
  /** Answers the port. */
  serve(files: readonly BareFile[]): Promise<number>
}

const commands: BareFiles = {
  async serve(files) {
    const known = new Map(
      files.map(({ path, headers, body }) => {
        const bytes = Buffer.from(body, 'base64')
        const named = { ...headers, 'content-length': bytes.length }
        // As the server has it: a 304 says nothing of a body.
        const { 'content-type': _type, 'content-encoding': _coding, ...unchanged } = headers
        return [path, { etag: headers['etag'], unchanged, named, bytes }]
      }),
    )
    const server = createServer((request, response) => {
      const file = known.get(request.url ?? '')
      if (file === undefined) response.writeHead(404).end()
      else if (request.headers['if-none-match'] === file.etag) response.writeHead(304, file.unchanged).end()
      else response.writeHead(200, file.named).end(file.bytes)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  },
}

serveParent(commands)
