import { existsSync, globSync } from 'node:fs'
import { extname, join } from 'node:path'
import {
  Problem,
  STEP_WORKER_CSP,
  STEP_WORKER_PATH,
  WORKSPACE_PAGE_PATH,
  WORKSPACE_PERMISSIONS,
  workspacePolicy,
} from '@patchbay/contracts/core'
import { type HttpApp, PAGE_HEADERS, READ, sendBuiltFile } from '@patchbay/kernel/http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Below these, an unknown address is a mistake of a program, which must not be answered with a page. */
const PROGRAM_PATHS = /^\/(?:api|auth|registry)(?:\/|$)/
/** A missing file must be missed. The names of packages and workspaces have dots as well, and their pages are no files. */
const FILE_PATHS = /^(?!\/packages\/[^/]+$|\/workspaces\/[^/]+\/[^/]+$).*\.[a-z0-9]+$/i
/** Vite names assets by their content, so they never change; every other file may. */
const IMMUTABLE = 'public, max-age=31536000, immutable'
/** Documents have the addresses of pages; brotli and gzip are other forms of the file that they lie beside. */
const NO_ADDRESS = ['**/*.html', '**/*.br', '**/*.gz']

interface WebAppOptions {
  readonly root: string
  /** Where the media panels of workspaces may play from. */
  readonly mediaOrigins: readonly string[]
}

/** Serves the built web app: its files as they are, and a page of it for every address that a person opens. */
export async function registerWebApp(app: HttpApp, { root, mediaOrigins }: WebAppOptions): Promise<void> {
  const workspaceHeaders = {
    ...PAGE_HEADERS,
    'content-security-policy': workspacePolicy(mediaOrigins),
    'permissions-policy': WORKSPACE_PERMISSIONS,
  }
  if (!existsSync(join(root, 'index.html'))) {
    app.get('/', async (_request, reply) =>
      reply.code(503).headers(PAGE_HEADERS).type('text/html').send(NOT_BUILT),
    )
    return
  }
  const send = (reply: FastifyReply, name: string) =>
    sendBuiltFile(reply, join(root, name), name.startsWith('assets/') ? IMMUTABLE : 'no-cache')
  // The files that are there, by name: no address becomes a path.
  for (const name of globSync('**/*', { cwd: root, exclude: NO_ADDRESS }))
    if (extname(name) !== '')
      app.route({
        method: READ,
        url: `/${name}`,
        handler: (_request, reply) => {
          if (STEP_WORKER_PATH.test(`/${name}`)) void reply.header('content-security-policy', STEP_WORKER_CSP)
          return send(reply, name)
        },
      })
  const sendApp = (_request: FastifyRequest, reply: FastifyReply) =>
    send(reply.headers(PAGE_HEADERS), 'index.html')
  const sendWorkspace = (_request: FastifyRequest, reply: FastifyReply) =>
    send(reply.headers(workspaceHeaders), 'workspace.html')
  app.route({ method: READ, url: '/', handler: sendApp })
  app.route({
    method: READ,
    url: '/*',
    handler: async (request, reply) => {
      const path = request.url.split('?')[0] ?? ''
      const forPage = request.headers.accept?.includes('text/html') === true
      if (!forPage || PROGRAM_PATHS.test(path) || FILE_PATHS.test(path)) throw new Problem('not_found')
      return WORKSPACE_PAGE_PATH.test(path) ? sendWorkspace(request, reply) : sendApp(request, reply)
    },
  })
}

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Patchbay</title><link rel="stylesheet" href="/reference.css"></head>
<body><h1>The web app is not built</h1>
<p>The server runs. Build its pages with <code>pnpm build</code>, or use <code>pnpm dev</code> while you work on them.</p>
<p><a href="/reference">HTTP reference</a></p></body></html>
`
