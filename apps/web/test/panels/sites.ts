import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { getSession } from '@patchbay/contracts/identity'
import {
  readSandboxQuery,
  SANDBOX_FRAME_PATH,
  SANDBOX_HOST_PATH,
  sandboxFramePage,
  sandboxHostPage,
} from '@patchbay/contracts/panels'
import type { Site } from '../site.ts'

/** The documents that the server sends for frames in which code runs. */
export function answerSandbox(site: Site): void {
  for (const [path, pageFor] of [
    [SANDBOX_HOST_PATH, sandboxHostPage],
    [SANDBOX_FRAME_PATH, sandboxFramePage],
  ] as const) {
    site.answer(new RegExp(`^${path}$`), (request, response) => {
      const { search } = new URL(request.url ?? '/', site.url)
      const { html: text, headers } = pageFor(readSandboxQuery(search) ?? [])
      response.writeHead(200, { ...headers, 'content-type': 'text/html; charset=utf-8' }).end(text)
    })
  }
}

/** Who is signed in is asked by what loads something. */
export function answerSession(site: Site): void {
  site.answer(new RegExp(`^${getSession.path}$`), (_, response) => {
    const body = { person: null, csrf_token: null, new_application_sessions: 0 }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
}

/** A server of somebody else: another port is another origin. */
export async function serveForeign(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<AsyncDisposable & { readonly url: string; readonly asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    if (request.url === '/favicon.ico') {
      response.writeHead(204).end()
      return
    }
    asked.push(request.url ?? '')
    respond(request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no TCP address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

/** A page with a heading, and what else it is given. */
export function html(heading: string, body = ''): string {
  return `<!doctype html><html lang="en"><title>${heading}</title><h1>${heading}</h1>${body}</html>`
}
