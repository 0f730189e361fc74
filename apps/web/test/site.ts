import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import {
  COMPANIONS,
  PAGE_CSP,
  STEP_WORKER_CSP,
  STEP_WORKER_PATH,
  WORKSPACE_CSP,
  WORKSPACE_PAGE_PATH,
} from '@patchbay/contracts/core'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface Site extends AsyncDisposable {
  readonly url: string
  /** Answers paths that match, instead of the file there, until the returned function is called. The newest wins. */
  answer(pattern: RegExp, answer: Answer): () => void
  /** Keeps requests whose path matches waiting until the returned function is called. */
  hold(pattern: RegExp): () => void
}

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.wasm': 'application/wasm',
}

/** Serves a built app as the server does: its policy on every page, the app for every path that names no file. */
export async function serveApp(folder: string, headers: Record<string, string> = {}): Promise<Site> {
  const answers: { pattern: RegExp; answer: Answer }[] = []
  const held = new Map<RegExp, Promise<void>>()

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname
    await Promise.all([...held].filter(([pattern]) => pattern.test(path)).map(([, released]) => released))
    const special = answers.find(({ pattern }) => pattern.test(path))
    if (special !== undefined) return special.answer(request, response)
    const wanted = join(folder, normalize(path))
    const isFile = await stat(wanted).then(
      (entry) => entry.isFile(),
      () => false,
    )
    // A missing asset must be a 404: the app's HTML in its place would be run as a script.
    if (!isFile && /^\/(?:assets|api|auth|registry)\//.test(path)) return void response.writeHead(404).end()
    const isWorkspace = WORKSPACE_PAGE_PATH.test(path)
    const file = isFile ? wanted : join(folder, isWorkspace ? 'workspace.html' : 'index.html')
    const policy = isWorkspace ? WORKSPACE_CSP : PAGE_CSP
    const type = TYPES[extname(file)] ?? 'application/octet-stream'
    response.writeHead(200, {
      'content-type': type,
      'content-security-policy': policy,
      ...headers,
      ...(STEP_WORKER_PATH.test(path) && { 'content-security-policy': STEP_WORKER_CSP }),
    })
    createReadStream(file).pipe(response)
  }

  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no TCP address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    answer(pattern, answer) {
      const entry = { pattern, answer }
      answers.unshift(entry)
      return () => {
        const place = answers.indexOf(entry)
        if (place >= 0) answers.splice(place, 1)
      }
    },
    hold(pattern) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(pattern, promise)
      return () => {
        held.delete(pattern)
        resolve()
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

/** The same site, whose answers and holds from now on end together. */
export function untilTheEnd(site: Site): { site: Site; end: () => void } {
  const ends: (() => void)[] = []
  const noted =
    <T extends unknown[]>(begin: (...given: T) => () => void) =>
    (...given: T) => {
      const end = begin(...given)
      ends.push(end)
      return end
    }
  return {
    site: {
      ...site,
      answer: noted((pattern: RegExp, answer: Answer) => site.answer(pattern, answer)),
      hold: noted((pattern: RegExp) => site.hold(pattern)),
    },
    end() {
      for (const end of ends) end()
    },
  }
}

/** An answer of `GET /api/about`, as the contract describes it. */
export const ABOUT = {
  name: 'patchbay',
  version: '0.1.0',
  node: 'bench-1',
  installation: { id: '0198c2f4-7d1e-7b3a-9c55-2f6e1d0a4b8c', created_at: '2026-01-15T09:30:00.000Z' },
}

export const ABOUT_PATH = /^\/api\/about$/
export const answerAbout: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ABOUT))
}

/** An installation without packages, where nobody is signed in, and anybody may make an account. */
export function answerNobody(site: Site, headers: Record<string, string> = {}): void {
  const json =
    (body: unknown): Answer =>
    (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body))
  site.answer(/^\/auth\/session$/, json({ person: null, csrf_token: null, new_application_sessions: 0 }))
  const companions = COMPANIONS.map((id) => ({ id, isRunning: id === 'gateway', command: `patchbay ${id}` }))
  site.answer(/^\/api\/services$/, json({ companions }))
  site.answer(/^\/registry\/search$/, json({ items: [], next_cursor: null }))
  site.answer(/^\/registry\/feeds$/, json({ brands: ['kicad', 'tool'], whole_feed: 'served' }))
  site.answer(/^\/auth\/sign-in$/, json({ issuers: [{ id: 'acme', name: 'Acme' }], sign_up: 'open' }))
}
