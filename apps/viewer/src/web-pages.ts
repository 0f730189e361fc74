import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem, viewerPolicy } from '@patchbay/contracts/core'
import { getScreenshotPaste, getViewerPage, UPLOAD_NONCE_PLACEHOLDER } from '@patchbay/contracts/viewer'
import { type HttpApp, on, PAGE_HEADERS, READ, sendBuiltFile } from '@patchbay/kernel/http'
import type { FastifyReply } from 'fastify'

export interface WebPagesDeps {
  /** Where the built pages are. */
  readonly root: string
  readonly framedBy: readonly string[]
  readonly issueNonce: () => string
}

/** Assets are named by their content, so they never change. */
const IMMUTABLE = 'public, max-age=31536000, immutable'
const ASSET = /^[\w-][\w.-]*$/
/** What our pages name beside that. Every other file in the folder belongs to the pages of the server. */
const SHARED_FILES = ['favicon.svg', 'layers.css', 'theme.js']

/** Serves the viewer's one document at its two addresses, afresh each time, and the files that it needs. */
export async function registerWebPages(
  app: HttpApp,
  { root, framedBy, issueNonce }: WebPagesDeps,
): Promise<void> {
  const { 'x-frame-options': _frames, ...common } = PAGE_HEADERS
  const headers = {
    ...common,
    'content-security-policy': viewerPolicy(framedBy),
    'cache-control': 'no-store',
  }
  const send = async (reply: FastifyReply) => {
    const built = await readBuilt(root)
    void reply.headers(headers).type('text/html; charset=utf-8')
    if (built === undefined) return reply.code(503).send(NOT_BUILT)
    return reply.send(built.replaceAll(UPLOAD_NONCE_PLACEHOLDER, issueNonce()))
  }
  app.route({ ...on(getViewerPage), handler: async (_request, reply) => send(reply as FastifyReply) })
  app.route({ ...on(getScreenshotPaste), handler: async (_request, reply) => send(reply as FastifyReply) })
  app.route<{ Params: { file: string } }>({
    method: READ,
    url: '/assets/:file',
    handler: async (request, reply) => {
      const { file } = request.params
      if (!ASSET.test(file)) throw new Problem('not_found')
      return sendBuiltFile(reply, join(root, 'assets', file), IMMUTABLE)
    },
  })
  for (const file of SHARED_FILES)
    app.route({
      method: READ,
      url: `/${file}`,
      handler: (_request, reply) => sendBuiltFile(reply, join(root, file), 'no-cache'),
    })
}

/** Read each time: a build while the viewer runs is seen at the next reload. */
async function readBuilt(root: string): Promise<string | undefined> {
  try {
    return await readFile(join(root, 'viewer.html'), 'utf8')
  } catch {
    return undefined
  }
}

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Patchbay viewer</title><link rel="stylesheet" href="/reference.css"></head>
<body><h1>The viewer’s pages are not built</h1>
<p>The viewer runs. Build its pages with <code>pnpm build</code>, then reload.</p>
<p><a href="/reference">HTTP reference</a></p></body></html>
`
